#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "dragoman/metrics/batch.hpp"
#include "dragoman/metrics/ngram_trie.hpp"

namespace dragoman::metrics {

/// How often each n-gram stands in all references of a test set, from which the information of its last word follows.
class NistCounts {
 public:
  NistCounts(std::size_t order, std::span<const IdBatch> refs, Presence present);

  std::size_t order() const noexcept { return trie_.order(); }
  NgramTrie::Node child(NgramTrie::Node parent, NgramTrie::Symbol symbol) const noexcept {
    return trie_.find(parent, symbol);
  }
  /// log2 of how often the n-gram without its last word occurs, by how often the whole occurs (Doddington 2002, eq. 2).
  double information(NgramTrie::Node parent, NgramTrie::Node node) const noexcept;

 private:
  NgramTrie trie_;
  double n_words_ = 0;  // the count of the empty n-gram
};

/// Statistics of NIST (Doddington 2002): for each order the information of the hypothesis' n-grams that the references
/// have (counts clipped as in BLEU), for each order all n-grams of the hypothesis, and the references' mean length.
class NistScorer {
 public:
  using Segment = Tokens;

  explicit NistScorer(std::shared_ptr<const NistCounts> counts) : counts_(std::move(counts)), trie_(counts_->order()) {}

  std::size_t width() const noexcept { return 2 * trie_.order() + 1; }
  void digest(std::span<const Segment> refs);
  void score(Segment hyp, std::span<double> row);

 private:
  std::shared_ptr<const NistCounts> counts_;
  NgramTrie trie_;
  std::vector<NgramTrie::Node> in_corpus_;  // the node of `counts_` that a node of `trie_` stands for
  std::vector<double> information_;         // of each node's n-gram
  double mean_length_ = 0;
};

}  // namespace dragoman::metrics
