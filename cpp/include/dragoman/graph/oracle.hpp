#pragma once

#include <array>
#include <span>
#include <vector>

#include "dragoman/graph/hypergraph.hpp"

namespace dragoman::graph {

/// What a word is worth to an oracle: BLEU made linear (Tromble, Kumar, Och & Macherey, EMNLP 2008).
struct LinearGain {
  double word = -1;               // each word
  std::array<double, 4> match{};  // each n-gram, n = 1 … 4, that a reference has
};

/// The derivation with the largest linear gain, ties by score. N-grams are counted as often as they come up,
/// which BLEU does not do; ask with several gains and take what BLEU likes best. `references` speak of words by the
/// graph's numbers, a word with several (copied, and of the vocabulary) by the first of `same`'s pairs (number, first).
/// Of each node the `widest` best are kept, told apart by their first and last words.
Path oracle(const Hypergraph& graph, std::span<const std::vector<TokenId>> references,
            std::span<const std::pair<TokenId, TokenId>> same, const LinearGain& gain, std::size_t widest = 30);

}  // namespace dragoman::graph
