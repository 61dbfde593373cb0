#include "dragoman/grammar/symbols.hpp"

#include <algorithm>
#include <numeric>

#include "dragoman/core/errors.hpp"

namespace dragoman::grammar {

namespace {

constexpr std::size_t kMostPairs = std::size_t{1} << 22;  // of labels: their spellings are kept

/// A word as it stands in a table.
std::string written(std::string_view word) {
  const bool bracketed = word.starts_with('[') && word.ends_with(']');
  if (!bracketed && word != "|||" && !word.starts_with("&#")) return std::string(word);
  return "&#" + std::to_string(static_cast<int>(word[0])) + ";" + std::string(word.substr(1));
}

std::vector<std::string> words_of(const text::Vocabulary& vocabulary) {
  std::vector<std::string> words;
  vocabulary.for_each_word([&](std::string_view word) { words.push_back(written(word)); });
  return words;
}

std::vector<std::string> bracketed(std::vector<std::string> labels, const char* side) {
  if (labels.empty())
    throw data_error(std::string("The ") + side + " side has no label; the first one is the default.");
  for (std::string& label : labels) {
    const bool odd =
        std::ranges::any_of(label, [](char c) { return c == '[' || c == ']' || static_cast<unsigned char>(c) <= ' '; });
    if (label.empty() || odd) {
      throw data_error("'" + label + "' is no label: it must have characters, and no white space or square brackets.");
    }
    label = "[" + label + "]";
  }
  return labels;
}

}  // namespace

Symbols::Symbols(const text::Vocabulary& source, const text::Vocabulary& target, std::vector<std::string> source_labels,
                 std::vector<std::string> target_labels)
    : source_words_(words_of(source)),
      target_words_(words_of(target)),
      source_labels_(bracketed(std::move(source_labels), "source")),
      target_labels_(bracketed(std::move(target_labels), "target")) {
  if (source_labels_.size() * target_labels_.size() > kMostPairs) {
    throw data_error("Rules with " + std::to_string(source_labels_.size()) + " source and " +
                     std::to_string(target_labels_.size()) +
                     " target labels have too many pairs of them. Label one side.");
  }
  gaps_.reserve(source_labels_.size() * target_labels_.size());
  for (const std::string& s : source_labels_) {
    for (const std::string& t : target_labels_) gaps_.push_back(s + t);
  }
  std::vector<std::string_view> all(source_words_.begin(), source_words_.end());
  all.insert(all.end(), gaps_.begin(), gaps_.end());
  all.insert(all.end(), source_labels_.begin(), source_labels_.end());
  std::vector<std::uint32_t> order(all.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) { return all[a] < all[b]; });
  ranks_.resize(all.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool again = i > 0 && all[order[i]] == all[order[i - 1]];
    ranks_[order[i]] = again ? n_ranks_ : ++n_ranks_;
  }
  ++n_ranks_;
}

}  // namespace dragoman::grammar
