#pragma once

#include <vector>

#include "dragoman/graph/hypergraph.hpp"
#include "dragoman/graph/lazy_kbest.hpp"

namespace dragoman::graph {

/// A hypergraph as the search for its best derivations sees it.
class GraphForest {
 public:
  explicit GraphForest(const Hypergraph& graph);

  ArcRange arcs_to(std::uint32_t node) const { return {graph_->arc_offsets()[node], graph_->arc_offsets()[node + 1]}; }
  double score(std::uint32_t arc) const { return graph_->arcs()[arc].score; }
  double best(std::uint32_t node) const { return best_[node]; }
  /// The beginning is nothing that could be derived in several ways.
  std::span<const std::uint32_t> tails(std::uint32_t arc) const {
    const auto all = graph_->tails(arc);
    return all.size() == 1 && all[0] == 0 ? all.first(0) : all;
  }
  template <class Part, class Word>
  void tell(std::uint32_t arc, const Part& part, const Word& word) const {
    graph_->tell(arc, part, word);
  }

 private:
  const Hypergraph* graph_;
  std::vector<double> best_;
};

/// The best derivations of a graph, one after the other, made only when asked for. The graph must outlive it. With
/// `distinct`, those that differ in their words.
class KBest {
 public:
  explicit KBest(const Hypergraph& graph, bool distinct = false)
      : graph_(&graph), ways_(GraphForest(graph), graph.n_nodes(), distinct) {}

  /// The next best derivation; false if there is none.
  bool next(Path& path);

 private:
  const Hypergraph* graph_;
  LazyKBest<GraphForest> ways_;
  std::uint32_t n_given_ = 0;
};

/// At most `n` derivations, best first; with `distinct` no two have the same words. Different words are rarer than
/// different derivations; the search for them in a graph of single tails ends after `n` times 20 of these.
std::vector<Path> n_best(const Hypergraph& graph, std::size_t n, bool distinct);

}  // namespace dragoman::graph
