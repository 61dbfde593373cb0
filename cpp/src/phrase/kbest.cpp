#include "dragoman/phrase/kbest.hpp"

#include <algorithm>
#include <set>

namespace dragoman::phrase {

KBest::KBest(const Hypergraph& graph) : graph_(&graph), before_(best_before(graph)), nodes_(graph.n_nodes()) {}

/// Find the ways to a node up to a rank; false if there are not so many. Not recursive: a way through a long sentence
/// asks one node after the other, farther than a call stack reaches.
bool KBest::has(std::uint32_t node, std::uint32_t rank) {
  struct Wish {
    std::uint32_t node, rank;
  };
  const auto arcs = graph_->arcs();
  std::vector<Wish> wishes{{node, rank}};
  while (!wishes.empty()) {
    const Wish wish = wishes.back();
    Node& here = nodes_[wish.node];
    if (!here.open) {
      here.open = true;
      if (wish.node == 0) {
        here.found.push_back({0, 0, 0});
        here.exhausted = true;
      }
      const auto first = graph_->arc_offsets()[wish.node], last = graph_->arc_offsets()[wish.node + 1];
      for (std::uint32_t arc = first; arc < last; ++arc) {
        here.candidates.push_back({before_[arcs[arc].from] + arcs[arc].score, arc, 0});
      }
      std::make_heap(here.candidates.begin(), here.candidates.end());
    }
    if (here.found.size() > wish.rank || here.exhausted) {
      wishes.pop_back();
      continue;
    }
    // Before the next way is taken, what comes after the last one on the same arc must stand among the candidates.
    if (here.pending) {
      const Way last = here.found.back();
      const Node& there = nodes_[arcs[last.arc].from];
      if (there.found.size() <= last.rank + 1 && !there.exhausted) {
        wishes.push_back({arcs[last.arc].from, last.rank + 1});
        continue;
      }
      here.pending = false;
      if (there.found.size() > last.rank + 1) {
        here.candidates.push_back({there.found[last.rank + 1].score + arcs[last.arc].score, last.arc, last.rank + 1});
        std::push_heap(here.candidates.begin(), here.candidates.end());
      }
    }
    if (here.candidates.empty()) {
      here.exhausted = true;
      continue;
    }
    std::pop_heap(here.candidates.begin(), here.candidates.end());
    here.found.push_back(here.candidates.back());
    here.candidates.pop_back();
    here.pending = true;
  }
  return nodes_[node].found.size() > rank;
}

bool KBest::next(Path& path) {
  if (graph_->n_nodes() == 0) return false;
  auto node = static_cast<std::uint32_t>(graph_->n_nodes() - 1);
  if (!has(node, n_given_)) return false;
  std::uint32_t rank = n_given_++;
  path.score = nodes_[node].found[rank].score;
  path.arcs.clear();
  while (node != 0) {
    const Way way = nodes_[node].found[rank];
    path.arcs.push_back(way.arc);
    node = graph_->arcs()[way.arc].from;
    rank = way.rank;
    has(node, rank);
  }
  std::reverse(path.arcs.begin(), path.arcs.end());
  return true;
}

std::vector<Path> n_best(const Hypergraph& graph, std::size_t n, bool distinct) {
  std::vector<Path> all;
  KBest ways(graph);
  Path path;
  std::set<std::vector<TokenId>> seen;
  for (std::size_t tried = 0; all.size() < n && tried / 20 < n && ways.next(path); ++tried) {
    if (distinct && n > 1 && !seen.insert(words_of(graph, path)).second) continue;
    all.push_back(path);
  }
  return all;
}

}  // namespace dragoman::phrase
