#include "dragoman/syntax/kbest_trees.hpp"

#include <algorithm>
#include <tuple>

namespace dragoman::syntax {

namespace {

/// The better of two first; among equals the one that was there first.
constexpr auto worse = [](const auto& a, const auto& b) {
  return std::tuple(a.score, b.edge, b.ranks[0], b.ranks[1]) < std::tuple(b.score, a.edge, a.ranks[0], a.ranks[1]);
};

}  // namespace

std::int32_t TreeList::node(std::size_t begin, std::size_t end, Symbol symbol, bool is_top) {
  const std::uint64_t key = (static_cast<std::uint64_t>(chart_.spans().cell(begin, end)) << 32) |
                            (static_cast<std::uint64_t>(symbol) << 1) | (is_top ? 1U : 0U);
  const auto [at, is_new] = numbers_.try_emplace(key, static_cast<std::int32_t>(nodes_.size()));
  if (is_new) {
    Node made;
    made.begin = static_cast<std::uint32_t>(begin);
    made.end = static_cast<std::uint32_t>(end);
    made.symbol = symbol;
    made.is_top = is_top;
    nodes_.push_back(std::move(made));
  }
  return at->second;
}

void TreeList::start(std::int32_t number) {
  nodes_[number].is_started = true;
  const std::size_t begin = nodes_[number].begin, end = nodes_[number].end;
  const Symbol symbol = nodes_[number].symbol;
  const std::size_t cell = chart_.spans().cell(begin, end);
  std::vector<Edge> edges;
  if (nodes_[number].is_top) {
    for (const auto& item : chart_.bottom(cell)) {
      if (item.symbol == symbol) edges.push_back({Kind::copy, 0, {node(begin, end, symbol, false), -1}, 0.0});
      const auto chains = grammar_.fine.chains(item.symbol);
      const auto at = std::ranges::lower_bound(chains, symbol, {}, &Rules::Chain::parent);
      if (at != chains.end() && at->parent == symbol) {
        edges.push_back({Kind::chain, static_cast<std::uint32_t>(at - chains.begin()),
                         {node(begin, end, item.symbol, false), -1}, at->score});
      }
    }
  } else if (end == begin + 1) {
    const Lexicon& lexicon = grammar_.lexicon;
    for (auto at = lexicon.offsets[rows_[begin]]; at < lexicon.offsets[rows_[begin] + 1]; ++at) {
      if (lexicon.symbols[at] == symbol) edges.push_back({Kind::word, 0, {-1, -1}, lexicon.scores[at]});
    }
  } else {
    for (std::size_t middle = begin + 1; middle < end; ++middle) {
      const auto lefts = chart_.top(chart_.spans().cell(begin, middle));
      const auto rights = chart_.top(chart_.spans().cell(middle, end));
      if (rights.empty()) continue;
      for (const auto& left : lefts) {
        const auto groups = grammar_.fine.groups(left.symbol);
        const auto at = std::ranges::lower_bound(groups, symbol, {}, &Rules::Group::parent);
        if (at == groups.end() || at->parent != symbol) continue;
        for (const auto& pair : grammar_.fine.pairs(*at)) {
          if (FineChart::find(rights, pair.right) == nullptr) continue;
          edges.push_back({Kind::pair, 0,
                           {node(begin, middle, left.symbol, true), node(middle, end, pair.right, true)}, pair.score});
        }
      }
    }
  }
  nodes_[number].edges = std::move(edges);
  for (std::uint32_t e = 0; e < nodes_[number].edges.size(); ++e) push(number, e, 0, 0);
}

void TreeList::push(std::int32_t number, std::uint32_t edge, std::uint32_t first, std::uint32_t second) {
  const Edge made = nodes_[number].edges[edge];
  double total = made.score;
  const std::uint32_t ranks[2] = {first, second};
  for (int side = 0; side < 2; ++side) {
    const std::int32_t tail = made.tails[side];
    if (tail < 0) continue;
    if (ranks[side] == 0 && !nodes_[tail].is_started) {
      // The best score stands in the chart: a tail is opened only when a tree that uses it comes up.
      const Node& below = nodes_[tail];
      const std::size_t cell = chart_.spans().cell(below.begin, below.end);
      total += FineChart::find(below.is_top ? chart_.top(cell) : chart_.bottom(cell), below.symbol)->best;
    } else {
      if (!reach(tail, ranks[side])) return;
      total += score(tail, ranks[side]);
    }
  }
  auto& waiting = nodes_[number].waiting;
  waiting.push_back({total, edge, {first, second}});
  std::ranges::push_heap(waiting, worse);
}

bool TreeList::reach(std::int32_t number, std::size_t rank) {
  if (!nodes_[number].is_started) start(number);
  while (nodes_[number].found.size() <= rank) {
    if (nodes_[number].n_expanded < nodes_[number].found.size()) {
      const Derivation last = nodes_[number].found.back();
      ++nodes_[number].n_expanded;
      const Edge edge = nodes_[number].edges[last.edge];
      // Each pair of ranks is reached once: the second rank grows only while the first is 0.
      if (edge.tails[0] >= 0) push(number, last.edge, last.ranks[0] + 1, last.ranks[1]);
      if (edge.tails[1] >= 0 && last.ranks[0] == 0) push(number, last.edge, 0, last.ranks[1] + 1);
      continue;
    }
    auto& waiting = nodes_[number].waiting;
    if (waiting.empty()) return false;
    std::ranges::pop_heap(waiting, worse);
    const Derivation next = waiting.back();
    waiting.pop_back();
    nodes_[number].found.push_back(next);
    const Edge edge = nodes_[number].edges[next.edge];
    for (int side = 0; side < 2; ++side) {
      if (edge.tails[side] >= 0) reach(edge.tails[side], next.ranks[side]);
    }
  }
  return true;
}

std::int32_t TreeList::emit_label(Symbol symbol, FlatTree& tree, std::int32_t parent) const {
  if (grammar_.labels[symbol] < 0) return parent;
  tree.labels.push_back(grammar_.labels[symbol]);
  tree.parents.push_back(parent);
  return static_cast<std::int32_t>(tree.labels.size()) - 1;
}

void TreeList::emit(std::int32_t number, std::size_t rank, FlatTree& tree, std::int32_t parent) const {
  const Node& node = nodes_[number];
  const Derivation& derivation = node.found[rank];
  const Edge& edge = node.edges[derivation.edge];
  if (edge.kind == Kind::chain) {
    parent = emit_label(node.symbol, tree, parent);
    const auto& chain = grammar_.fine.chains(nodes_[edge.tails[0]].symbol)[edge.chain];
    for (const Symbol between : grammar_.fine.between(chain)) parent = emit_label(between, tree, parent);
  } else if (edge.kind != Kind::copy) {
    parent = emit_label(node.symbol, tree, parent);
  }
  if (edge.kind == Kind::word) {
    tree.labels.push_back(-1 - static_cast<std::int32_t>(node.begin));
    tree.parents.push_back(parent);
  }
  for (int side = 0; side < 2; ++side) {
    if (edge.tails[side] >= 0) emit(edge.tails[side], derivation.ranks[side], tree, parent);
  }
}

bool TreeList::write(std::size_t begin, std::size_t end, Symbol symbol, std::size_t rank, FlatTree& tree,
                     std::int32_t parent) {
  const std::int32_t number = node(begin, end, symbol, true);
  if (!reach(number, rank)) return false;
  tree.score += score(number, static_cast<std::uint32_t>(rank));
  emit(number, rank, tree, parent);
  return true;
}

}  // namespace dragoman::syntax
