#include "dragoman/graph/kbest.hpp"

#include <set>

#include "dragoman/graph/posteriors.hpp"

namespace dragoman::graph {

GraphForest::GraphForest(const Hypergraph& graph) : graph_(&graph), best_(best_inside(graph)) {}

bool KBest::next(Path& path) {
  if (graph_->n_nodes() == 0) return false;
  const auto end = static_cast<std::uint32_t>(graph_->n_nodes() - 1);
  if (!ways_.has(end, n_given_)) return false;
  path.score = ways_.score(end, n_given_);
  path.arcs.clear();
  struct Part {
    std::uint32_t node, rank;
  };
  // Heads first and tails from the last: the other way round it is the order of a path.
  std::vector<Part> open{{end, n_given_++}};
  while (!open.empty()) {
    const Part part = open.back();
    open.pop_back();
    ways_.has(part.node, part.rank);
    const std::uint32_t arc = ways_.arc(part.node, part.rank);
    path.arcs.push_back(arc);
    const auto tails = ways_.forest().tails(arc);
    for (std::size_t k = 0; k < tails.size(); ++k)
      open.push_back({tails[k], ways_.rank_of_tail(part.node, part.rank, k)});
  }
  std::ranges::reverse(path.arcs);
  return true;
}

std::vector<Path> n_best(const Hypergraph& graph, std::size_t n, bool distinct) {
  std::vector<Path> all;
  KBest ways(graph, distinct && n > 1 && graph.is_many_tailed());
  Path path;
  std::set<std::vector<TokenId>> seen;
  for (std::size_t tried = 0; all.size() < n && tried / 20 < n && ways.next(path); ++tried) {
    if (distinct && n > 1 && !seen.insert(words_of(graph, path)).second) continue;
    all.push_back(path);
  }
  return all;
}

}  // namespace dragoman::graph
