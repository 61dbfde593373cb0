#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/text/word_table.hpp"

namespace dragoman::phrase {

using text::TokenId;

/// Sentences one behind the other, each with kEnd behind its words, and all places where a word stands sorted by what
/// stands from there to the end of the sentence, then by place (Callison-Burch, Bannard & Schroeder, ACL 2005).
struct SuffixText {
  static constexpr TokenId kEnd = -1;

  std::span<const TokenId> words;
  std::span<const std::uint32_t> starts;     // where sentences begin; one more than there are
  std::span<const std::uint32_t> sentences;  // by place: the sentence
  std::span<const std::uint32_t> suffixes;   // places, sorted

  std::size_t n_sentences() const noexcept { return starts.empty() ? 0 : starts.size() - 1; }
  std::size_t length(std::size_t sentence) const noexcept { return starts[sentence + 1] - starts[sentence] - 1; }
};

/// The places [first, last) of a sorted list.
struct SuffixRange {
  std::uint32_t first = 0, last = 0;

  std::uint32_t size() const noexcept { return last - first; }
};

/// What stands from one place to the end of its sentence, compared with what stands from another: below 0, 0, above 0.
int compare_suffixes(const TokenId* a, const TokenId* b) noexcept;

/// Of places where the same `depth` words stand, those where `word` follows.
SuffixRange narrowed(const SuffixText& text, SuffixRange range, std::size_t depth, TokenId word) noexcept;

/// The places where a phrase stands.
SuffixRange find_phrase(const SuffixText& text, std::span<const TokenId> phrase) noexcept;

/// A text that owns its arrays and takes in more sentences.
class GrowingText {
 public:
  /// Throws data_error for a negative word, or when it would hold more than 2^32 words.
  void append(std::span<const TokenId> sentence);
  /// Sort the places of all words; what was sorted before is done again. Nothing depends on the number of threads.
  void sort(unsigned n_threads);
  /// Take in a sentence and keep the places sorted. `base` holds sentences that come before all of these: for each
  /// place here, `ranks()` tells how many of its places come before.
  void insert(std::span<const TokenId> sentence, const SuffixText& base);

  SuffixText view() const noexcept { return {words_, starts_, sentences_, suffixes_}; }
  std::span<const std::uint32_t> ranks() const noexcept { return ranks_; }

  /// The sentences of `base`, then those of `more`, whose ranks in it are known; as if sorted together.
  static GrowingText joined(const SuffixText& base, const GrowingText& more);

 private:
  std::vector<TokenId> words_;
  std::vector<std::uint32_t> starts_{0}, sentences_, suffixes_, ranks_;
};

}  // namespace dragoman::phrase
