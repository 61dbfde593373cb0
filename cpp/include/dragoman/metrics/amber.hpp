#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/metrics/batch.hpp"
#include "dragoman/metrics/ngram_trie.hpp"
#include "dragoman/metrics/unique_contexts.hpp"

namespace dragoman::metrics {

/// What AMBER (Chen & Kuhn 2011; Chen, Kuhn & Foster 2012) knows of the words of a hypothesis and one reference:
/// matches of each order, aligned words, chunks of them, and four measures of their order: ρ, τ, v1, v2.
///
/// Words are aligned one to one by the shortest context that stands once in both texts, to the right before to the
/// left; of two words that claim one word of the reference, the first has it. A chunk is a run of aligned words that is
/// contiguous and in order on both sides.
class AmberScorer {
 public:
  using Segment = Tokens;

  explicit AmberScorer(std::size_t order) : trie_(order), matches_(order) {}

  std::size_t width() const noexcept { return trie_.order() + 6; }
  void digest(std::span<const Segment> refs);
  void score(Segment hyp, std::span<double> row);

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  void align(Segment hyp);

  Segment ref_;
  NgramTrie trie_;
  std::vector<std::int64_t> matches_;
  UniqueContexts contexts_;
  std::vector<std::size_t> links_;  // of each word of the hypothesis: the word of the reference, or kNone
  std::vector<std::size_t> rank_;   // of each word of the reference among the aligned ones
  std::vector<std::size_t> ranks_, scratch_;
};

}  // namespace dragoman::metrics
