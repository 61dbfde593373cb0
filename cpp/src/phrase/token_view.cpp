#include "dragoman/phrase/token_view.hpp"

#include <algorithm>
#include <string>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/hash.hpp"

namespace dragoman::phrase {

BilingualView::BilingualView(std::span<const TokenId> targets, std::span<const std::int64_t> offsets,
                             std::span<const TokenId> sources, std::span<const lm::WordId> ids) {
  const std::size_t n = targets.size();
  bool fits = offsets.size() == n + 1 && ids.size() == n && offsets.front() == 0 &&
              static_cast<std::size_t>(offsets.back()) == sources.size() && std::ranges::is_sorted(offsets);
  for (std::size_t i = 0; fits && i < n; ++i) {
    const auto begin = static_cast<std::size_t>(offsets[i]), end = static_cast<std::size_t>(offsets[i + 1]);
    fits = ids_.emplace(key(targets[i], sources.subspan(begin, end - begin)), ids[i]).second;
  }
  if (!fits) {
    throw data_error(
        "Bilingual tokens need a target word, source words and a number each, and no two may be the same; got " +
        std::to_string(n) + " target words, " + std::to_string(offsets.size()) + " places and " +
        std::to_string(ids.size()) + " numbers.");
  }
}

std::uint64_t BilingualView::key(TokenId target, std::span<const TokenId> sources) {
  const auto bytes = [](std::span<const TokenId> words) {
    return std::string_view(reinterpret_cast<const char*>(words.data()), words.size_bytes());
  };
  return hash_bytes(bytes(sources), hash_bytes(bytes({&target, 1})));
}

void BilingualView::read(const Extension& step, std::vector<lm::WordId>& into) const {
  std::vector<std::uint8_t> places;
  std::vector<TokenId> sources;
  for (std::size_t t = 0; t < step.target_words.size(); ++t) {
    places.clear();
    for (const Link link : step.links) {
      if (link.target == t && link.source < step.source_words.size()) places.push_back(link.source);
    }
    std::ranges::sort(places);
    sources.clear();
    for (const auto place : places) sources.push_back(step.source_words[place]);
    const auto known = ids_.find(key(step.target_words[t], sources));
    into.push_back(known == ids_.end() ? lm::kUnk : known->second);
  }
}

}  // namespace dragoman::phrase
