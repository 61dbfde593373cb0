#pragma once

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "dragoman/core/errors.hpp"
#include "rule_instance.hpp"

namespace dragoman::grammar {

/// Which source sides can match a text: their words in order, and at least one word for every gap.
class TestMatches {
 public:
  explicit TestMatches(const TestText& text) : text_(text) {
    const auto& offsets = text.offsets;
    bool good =
        offsets.empty() || (offsets.front() == 0 && offsets.back() == static_cast<std::int64_t>(text.words.size()));
    for (std::size_t i = 1; i < offsets.size() && good; ++i) good = offsets[i - 1] <= offsets[i];
    if (!good) throw data_error("The offsets of the text to match must rise from 0 to its size.");
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
      for (auto at = offsets[i]; at < offsets[i + 1]; ++at) {
        auto& sentences = sentences_[text.words[static_cast<std::size_t>(at)]];
        if (sentences.empty() || sentences.back() != i) sentences.push_back(static_cast<std::uint32_t>(i));
      }
    }
  }

  /// True if there is no text that they must match.
  bool all() const noexcept { return text_.offsets.empty(); }
  bool any(std::span<const std::int32_t> source) const {
    if (all()) return true;
    const std::vector<std::uint32_t>* rarest = nullptr;  // the sentences of the word that fewest have
    for (const auto symbol : source) {
      if (RuleSides::is_gap(symbol)) continue;
      const auto place = sentences_.find(symbol);
      if (place == sentences_.end()) return false;
      if (rarest == nullptr || place->second.size() < rarest->size()) rarest = &place->second;
    }
    if (rarest == nullptr) return true;  // gaps alone
    return std::ranges::any_of(*rarest, [&](std::uint32_t sentence) { return matches(source, sentence); });
  }

 private:
  bool matches(std::span<const std::int32_t> source, std::size_t sentence) const {
    const auto begin = static_cast<std::size_t>(text_.offsets[sentence]);
    const auto words = text_.words.subspan(begin, static_cast<std::size_t>(text_.offsets[sentence + 1]) - begin);
    std::size_t at = 0;  // where the next run of words may begin
    for (std::size_t i = 0; i < source.size();) {
      std::size_t n_gaps = 0;
      while (i < source.size() && RuleSides::is_gap(source[i])) ++i, ++n_gaps;
      std::size_t end = i;
      while (end < source.size() && !RuleSides::is_gap(source[end])) ++end;
      if (i == end) return at + n_gaps <= words.size();
      const auto from = words.begin() + static_cast<std::ptrdiff_t>(std::min(words.size(), at + n_gaps));
      const auto place = std::search(from, words.end(), source.begin() + static_cast<std::ptrdiff_t>(i),
                                     source.begin() + static_cast<std::ptrdiff_t>(end));
      if (place == words.end()) return false;
      at = static_cast<std::size_t>(place - words.begin()) + (end - i);
      i = end;
    }
    return true;
  }

  TestText text_;
  std::unordered_map<TokenId, std::vector<std::uint32_t>> sentences_;  // that have a word, rising
};

}  // namespace dragoman::grammar
