#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/metrics/batch.hpp"
#include "dragoman/metrics/ngram_trie.hpp"

namespace dragoman::metrics {

/// Statistics of BLEU (Papineni et al. 2002): length of the hypothesis, length of the reference that is closest to it
/// (the shorter of two), then for each order the n-grams of the hypothesis that the references have, each counted at
/// most as often as in the one reference that has it most often, and for each order all n-grams of the hypothesis.
class BleuScorer {
 public:
  using Segment = Tokens;

  explicit BleuScorer(std::size_t order) : trie_(order), matches_(order) {}

  std::size_t width() const noexcept { return 2 + 2 * trie_.order(); }
  void digest(std::span<const Segment> refs);
  void score(Segment hyp, std::span<double> row);

 private:
  NgramTrie trie_;
  std::vector<std::size_t> ref_lengths_;
  std::vector<std::int64_t> matches_;
};

/// What is done about orders without a match (Chen & Cherry, WMT 2014): nothing, `value` matches, `value` more matches
/// and n-grams for n > 1, or half of the match before.
enum class Smoothing : std::uint8_t { kNone, kFloor, kAddK, kExp };

struct BleuRule {
  std::size_t order = 4;
  Smoothing smoothing = Smoothing::kExp;
  double value = 0.0;            // of kFloor and kAddK
  bool effective_order = false;  // orders that the text is too short for are left out
};

/// What a score is made of: precisions in per cent by order, how many of the orders are used, the brevity penalty.
struct BleuParts {
  std::vector<double> precisions;
  std::size_t n_orders = 0;
  double penalty = 1.0;
  bool matched = false;  // some n-gram is in common

  double score() const;  // in per cent
};

/// The parts of the BLEU of summed statistics, as BleuScorer gives them.
BleuParts bleu_parts(std::span<const double> totals, const BleuRule& rule);

/// Statistics of an n-gram overlap of one order with one reference: matches, n-grams of the hypothesis, n-grams of the
/// reference (ROUGE-N, Lin 2004).
class OverlapScorer {
 public:
  using Segment = Tokens;

  explicit OverlapScorer(std::size_t order) : trie_(order) {}

  std::size_t width() const noexcept { return 3; }
  void digest(std::span<const Segment> refs);
  void score(Segment hyp, std::span<double> row);

 private:
  NgramTrie trie_;
  std::size_t ref_length_ = 0;
};

/// N-grams of order n in a text of `length` symbols.
inline double n_grams(std::size_t length, std::size_t n) noexcept {
  return length < n ? 0.0 : static_cast<double>(length - n + 1);
}

}  // namespace dragoman::metrics
