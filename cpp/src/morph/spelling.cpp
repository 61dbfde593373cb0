#include "dragoman/morph/spelling.hpp"

#include "dragoman/core/errors.hpp"
#include "dragoman/text/clusters.hpp"

namespace dragoman::morph {

SpeltWords::SpeltWords(std::span<const std::string_view> words, std::span<const std::int64_t> word_counts,
                       std::size_t longest) {
  if (words.size() != word_counts.size()) {
    throw data_error("Every word needs a count, got words=" + std::to_string(words.size()) +
                     ", counts=" + std::to_string(word_counts.size()) + ".");
  }
  std::vector<std::string_view> clusters;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].empty()) throw data_error("Word " + std::to_string(i + 1) + " is empty.");
    if (word_counts[i] < 1) {
      throw data_error("Word " + std::to_string(i + 1) + " has the count " + std::to_string(word_counts[i]) +
                       "; it must be at least 1.");
    }
    clusters.clear();
    text::for_each_cluster(words[i], [&](std::string_view cluster) { clusters.push_back(cluster); });
    if (clusters.size() > longest) continue;
    for (const std::string_view cluster : clusters) letters.push_back(alphabet.add(cluster));
    offsets.push_back(static_cast<std::int64_t>(letters.size()));
    counts.push_back(word_counts[i]);
    taken.push_back(static_cast<std::int64_t>(i));
  }
}

std::string SpeltWords::text(Place place) const {
  std::string out;
  for (std::uint32_t at = place.begin; at < place.begin + place.length; ++at) out += alphabet.word(letters[at]);
  return out;
}

}  // namespace dragoman::morph
