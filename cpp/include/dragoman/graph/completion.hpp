#pragma once

#include <span>

#include "dragoman/graph/hypergraph.hpp"

namespace dragoman::graph {

/// The derivation whose beginning is nearest to given words, and where in it they end: `n_words` of its words stand for
/// the prefix. An edit (a word inserted, left out or replaced) costs `edit_cost`; what follows is the best that can
/// follow. `next`: a word behind the prefix is one of these (all that begin with what is typed), or an edit. Graphs
/// answer while a translator types (Och, Zens & Ney, EACL 2003).
struct Completion {
  Path path;
  std::size_t n_words = 0;
  std::size_t edits = 0;
};
Completion complete(const Hypergraph& graph, std::span<const TokenId> prefix, std::span<const TokenId> next,
                    double edit_cost);

/// The derivation nearest to a whole translation by word edits, the best of those: what the search could have said.
Completion closest(const Hypergraph& graph, std::span<const TokenId> target);

/// The derivation whose beginning is nearest to a prefix, with `next` as in `complete`, and whose end is nearest to a
/// suffix; between them anything may be said. `n_words` are all of its words.
Completion bridge(const Hypergraph& graph, std::span<const TokenId> prefix, std::span<const TokenId> next,
                  std::span<const TokenId> suffix, double edit_cost);

}  // namespace dragoman::graph
