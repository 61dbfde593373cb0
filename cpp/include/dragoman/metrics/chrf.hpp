#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "dragoman/core/bytes.hpp"
#include "dragoman/metrics/batch.hpp"
#include "dragoman/metrics/ngram_trie.hpp"
#include "dragoman/metrics/word_ids.hpp"

namespace dragoman::metrics {

struct ChrfOptions {
  std::size_t char_order = 6;
  std::size_t word_order = 0;  // 2 makes it chrF++
  bool whitespace = false;     // count white space as characters
};

/// Statistics of chrF (Popović 2015) and chrF++ (Popović 2017): for each order, first of characters, then of words, the
/// number of n-grams in the hypothesis, in the reference, and in both. As in sacreBLEU 2.6, the hypothesis' n-grams of
/// an order are not counted where the reference has none of it. Takes one reference; the best of several is chosen
/// above.
class ChrfScorer {
 public:
  using Segment = Line;

  explicit ChrfScorer(const ChrfOptions& options);

  std::size_t width() const noexcept { return 3 * (options_.char_order + options_.word_order); }
  void digest(std::span<const Segment> refs);
  void score(Segment segment, std::span<double> row);

 private:
  void read_chars(std::string_view line);

  ChrfOptions options_;
  NgramTrie char_trie_;
  NgramTrie word_trie_;
  WordIds ids_;
  std::size_t n_ref_chars_ = 0;
  std::size_t n_ref_words_ = 0;
  std::vector<char32_t> chars_;       // of the segment at hand
  std::vector<std::uint32_t> words_;  // of the segment at hand
  std::vector<std::int64_t> matches_;
  Bytes scratch_;
};

}  // namespace dragoman::metrics
