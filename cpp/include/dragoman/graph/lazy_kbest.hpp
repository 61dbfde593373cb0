#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace dragoman::graph {

struct ArcRange {
  std::uint32_t first, last;
};

/// What has derivations: the arcs to a node, numbered one after the other; of an arc its score and its tails, nodes that
/// are derived in turn; the score of a node's best derivation. A forest may be made while it is asked.
template <class F>
concept Forest = requires(F forest, std::uint32_t number) {
  { forest.arcs_to(number) } -> std::same_as<ArcRange>;
  { forest.score(number) } -> std::convertible_to<double>;
  { forest.tails(number) } -> std::convertible_to<std::span<const std::uint32_t>>;
  { forest.best(number) } -> std::convertible_to<double>;
};

/// The derivations of each node of a forest by rank, the best being 0, found only when asked for (Huang & Chiang, IWPT
/// 2005, algorithm 3). Equals come in the order of their arcs, then of the ranks of their tails.
template <Forest F>
class LazyKBest {
 public:
  explicit LazyKBest(F forest, std::size_t n_nodes = 0) : forest_(std::move(forest)), nodes_(n_nodes) {}

  F& forest() noexcept { return forest_; }
  const F& forest() const noexcept { return forest_; }

  /// Find the derivations of a node up to a rank; false if there are not so many.
  bool has(std::uint32_t node, std::uint32_t rank);
  double score(std::uint32_t node, std::uint32_t rank) const { return nodes_[node].found[rank].score; }
  std::uint32_t arc(std::uint32_t node, std::uint32_t rank) const { return nodes_[node].found[rank].arc; }
  /// Which of the derivations of the k-th tail it is made of.
  std::uint32_t rank_of_tail(std::uint32_t node, std::uint32_t rank, std::size_t k) const {
    return rank_of(nodes_[node].found[rank], k);
  }

 private:
  struct Way {
    double score;
    std::uint32_t arc;
    std::uint32_t ranks;  // of the only tail; of several, where in `ranks_` theirs begin
  };
  struct Node {
    std::vector<Way> found;       // best first
    std::vector<Way> candidates;  // a heap
    bool open = false;
    bool pending = false;  // what follows the derivation found last is not among the candidates yet
    bool exhausted = false;
  };
  struct Wish {
    std::uint32_t node, rank;
  };

  std::uint32_t rank_of(const Way& way, std::size_t k) const {
    return forest_.tails(way.arc).size() == 1 ? way.ranks : ranks_[way.ranks + k];
  }
  bool is_worse(const Way& a, const Way& b) const {
    if (a.score != b.score) return a.score < b.score;
    if (a.arc != b.arc) return a.arc > b.arc;
    const std::size_t n = forest_.tails(a.arc).size();
    for (std::size_t k = 0; k < n; ++k) {
      if (rank_of(a, k) != rank_of(b, k)) return rank_of(a, k) > rank_of(b, k);
    }
    return false;
  }
  auto worse() const {
    return [this](const Way& a, const Way& b) { return is_worse(a, b); };
  }
  Node& at(std::uint32_t node) {
    if (node >= nodes_.size()) nodes_.resize(node + 1);
    return nodes_[node];
  }
  double score_of(std::uint32_t node, std::uint32_t rank) {
    const Node& here = at(node);
    return rank < here.found.size() ? here.found[rank].score : forest_.best(node);
  }
  void start(std::uint32_t node);
  bool add_successors(std::uint32_t node, std::vector<Wish>& wishes);
  void add_successor(std::uint32_t node, const Way& way, std::size_t k);

  F forest_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> ranks_;
};

template <Forest F>
void LazyKBest<F>::start(std::uint32_t node) {
  const ArcRange arcs = forest_.arcs_to(node);
  std::vector<Way> candidates;
  candidates.reserve(arcs.last - arcs.first);
  for (std::uint32_t arc = arcs.first; arc < arcs.last; ++arc) {
    const auto tails = forest_.tails(arc);
    Way way{forest_.score(arc), arc, 0};
    // A tail's best score is known before the tail is looked at.
    for (const std::uint32_t tail : tails) way.score += score_of(tail, 0);
    if (tails.size() > 1) {
      way.ranks = static_cast<std::uint32_t>(ranks_.size());
      ranks_.insert(ranks_.end(), tails.size(), 0);
    }
    candidates.push_back(way);
  }
  std::make_heap(candidates.begin(), candidates.end(), worse());
  Node& here = at(node);
  here.candidates = std::move(candidates);
  here.open = true;
}

/// Put what comes after the last derivation on the same arc among the candidates. False if a tail must be asked first.
/// Every combination of ranks is reached once: a tail's rank grows only while all before it are 0.
template <Forest F>
bool LazyKBest<F>::add_successors(std::uint32_t node, std::vector<Wish>& wishes) {
  const Way last = nodes_[node].found.back();
  const auto tails = forest_.tails(last.arc);
  for (std::size_t k = 0; k < tails.size() && (k == 0 || rank_of(last, k - 1) == 0); ++k) {
    const std::uint32_t rank = rank_of(last, k) + 1;
    if (at(tails[k]).found.size() <= rank && !at(tails[k]).exhausted) {
      wishes.push_back({tails[k], rank});
      return false;
    }
  }
  for (std::size_t k = 0; k < tails.size() && (k == 0 || rank_of(last, k - 1) == 0); ++k) {
    if (at(tails[k]).found.size() > rank_of(last, k) + 1) add_successor(node, last, k);
  }
  return true;
}

template <Forest F>
void LazyKBest<F>::add_successor(std::uint32_t node, const Way& way, std::size_t k) {
  const auto tails = forest_.tails(way.arc);
  Way next{forest_.score(way.arc), way.arc, way.ranks + 1};
  if (tails.size() > 1) {
    next.ranks = static_cast<std::uint32_t>(ranks_.size());
    for (std::size_t i = 0; i < tails.size(); ++i) {
      const std::uint32_t rank = ranks_[way.ranks + i];
      ranks_.push_back(rank + (i == k ? 1 : 0));
    }
  }
  for (std::size_t i = 0; i < tails.size(); ++i) next.score += score_of(tails[i], rank_of(next, i));
  auto& candidates = nodes_[node].candidates;
  candidates.push_back(next);
  std::push_heap(candidates.begin(), candidates.end(), worse());
}

/// Not recursive: a derivation of a long sentence asks one node after the other, farther than a call stack reaches.
template <Forest F>
bool LazyKBest<F>::has(std::uint32_t node, std::uint32_t rank) {
  std::vector<Wish> wishes{{node, rank}};
  while (!wishes.empty()) {
    const Wish wish = wishes.back();
    if (!at(wish.node).open) start(wish.node);
    if (nodes_[wish.node].found.size() > wish.rank || nodes_[wish.node].exhausted) {
      wishes.pop_back();
      continue;
    }
    if (nodes_[wish.node].pending) {
      if (!add_successors(wish.node, wishes)) continue;
      nodes_[wish.node].pending = false;
    }
    Node& here = nodes_[wish.node];
    if (here.candidates.empty()) {
      here.exhausted = true;
      continue;
    }
    std::pop_heap(here.candidates.begin(), here.candidates.end(), worse());
    here.found.push_back(here.candidates.back());
    here.candidates.pop_back();
    here.pending = true;
  }
  return nodes_[node].found.size() > rank;
}

}  // namespace dragoman::graph
