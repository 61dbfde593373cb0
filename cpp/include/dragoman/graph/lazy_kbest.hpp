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

/// What has derivations: the arcs to a node, numbered one after the other; of an arc its score and its tails, nodes
/// that are derived in turn; the score of a node's best derivation. A forest may be made while it is asked.
template <class F>
concept Forest = requires(F forest, std::uint32_t number) {
  { forest.arcs_to(number) } -> std::same_as<ArcRange>;
  { forest.score(number) } -> std::convertible_to<double>;
  { forest.tails(number) } -> std::convertible_to<std::span<const std::uint32_t>>;
  { forest.best(number) } -> std::convertible_to<double>;
};

/// A forest that says what an arc says: `part(k)` where the words of tail k stand, `word(w)` for each of its own.
template <class F>
concept TellingForest =
    Forest<F> && requires(F forest, std::uint32_t arc) { forest.tell(arc, [](std::size_t) {}, [](std::int32_t) {}); };

/// Words as one number that grows from the numbers of their parts, in any order of putting them together.
struct Yield {
  std::uint64_t hash = 0, shift = 1;

  void append(const Yield& behind) noexcept { hash = hash * behind.shift + behind.hash, shift *= behind.shift; }
  void append(std::int32_t word) noexcept {
    append(Yield{(static_cast<std::uint64_t>(static_cast<std::uint32_t>(word)) + 1) * 0x9E3779B97F4A7C15,
                 0x2545F4914F6CDD1D});
  }
};

/// The derivations of each node of a forest by rank, the best being 0, found only when asked for (Huang & Chiang, IWPT
/// 2005, algorithm 3). Equals come in the order of their arcs, then of the ranks of their tails.
///
/// `distinct`: of the derivations of a node that have the same words only the best counts (two that differ are hardly
/// ever taken for the same: words are compared by 64 bits). Grammars derive the same words in thousands of ways, which
/// would fill any list.
template <Forest F>
class LazyKBest {
 public:
  explicit LazyKBest(F forest, std::size_t n_nodes = 0, bool distinct = false)
      : forest_(std::move(forest)), nodes_(n_nodes), distinct_(distinct) {}

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
    std::vector<Yield> yields;    // what they say, if that tells them apart
    std::vector<Way> candidates;  // a heap
    Way last;                     // taken from them, whether it was found or said what another says
    bool open = false;
    bool pending = false;  // what follows the last one is not among the candidates yet
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
  bool ask_tails(const Way& way, std::vector<Wish>& wishes);
  bool is_new(Node& here, const Way& way);

  F forest_;
  std::vector<Node> nodes_;
  bool distinct_;
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
  const Way last = nodes_[node].last;
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

/// False, and wishes, if a tail was not looked at yet whose best derivation is part of this one.
template <Forest F>
bool LazyKBest<F>::ask_tails(const Way& way, std::vector<Wish>& wishes) {
  const auto tails = forest_.tails(way.arc);
  for (std::size_t k = 0; k < tails.size(); ++k) {
    if (at(tails[k]).found.size() > rank_of(way, k)) continue;
    wishes.push_back({tails[k], rank_of(way, k)});
    return false;
  }
  return true;
}

/// Whether no derivation of the node says what this one says; then it is one of them.
template <Forest F>
bool LazyKBest<F>::is_new(Node& here, const Way& way) {
  if constexpr (TellingForest<F>) {
    if (!distinct_) return true;
    Yield own;
    const auto tails = forest_.tails(way.arc);
    const auto part = [&](std::size_t k) {
      if (k < tails.size()) own.append(nodes_[tails[k]].yields[rank_of(way, k)]);
    };
    forest_.tell(way.arc, part, [&](std::int32_t word) { own.append(word); });
    if (std::ranges::any_of(here.yields, [&](const Yield& other) { return other.hash == own.hash; })) return false;
    here.yields.push_back(own);
  }
  return true;
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
    const Way next = here.candidates.front();
    if (distinct_ && !ask_tails(next, wishes)) continue;
    Node& asked = nodes_[wish.node];  // those of its tails may have moved it
    std::pop_heap(asked.candidates.begin(), asked.candidates.end(), worse());
    asked.candidates.pop_back();
    asked.last = next;
    asked.pending = true;
    if (is_new(asked, next)) asked.found.push_back(next);
  }
  return nodes_[node].found.size() > rank;
}

}  // namespace dragoman::graph
