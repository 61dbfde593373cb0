#include "dragoman/syntax/kbest_trees.hpp"

#include <algorithm>

namespace dragoman::syntax {

std::uint32_t ChartForest::number(std::size_t begin, std::size_t end, Symbol symbol, bool is_top) {
  const std::uint64_t key = (static_cast<std::uint64_t>(chart_.spans().cell(begin, end)) << 32) |
                            (static_cast<std::uint64_t>(symbol) << 1) | (is_top ? 1U : 0U);
  const auto [at, is_new] = numbers_.try_emplace(key, static_cast<std::uint32_t>(nodes_.size()));
  if (is_new) {
    nodes_.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), symbol, is_top});
  }
  return at->second;
}

double ChartForest::best(std::uint32_t number) const {
  const Node& node = nodes_[number];
  const std::size_t cell = chart_.spans().cell(node.begin, node.end);
  return FineChart::find(node.is_top ? chart_.top(cell) : chart_.bottom(cell), node.symbol)->best;
}

graph::ArcRange ChartForest::arcs_to(std::uint32_t number) {
  if (nodes_[number].is_open) return nodes_[number].arcs;
  const Node node = nodes_[number];  // a copy: more nodes are met on the way
  const auto first = static_cast<std::uint32_t>(edges_.size());
  if (node.is_top) {
    add_tops(node);
  } else if (node.end == node.begin + 1) {
    add_words(node);
  } else {
    add_pairs(node);
  }
  nodes_[number].is_open = true;
  return nodes_[number].arcs = {first, static_cast<std::uint32_t>(edges_.size())};
}

void ChartForest::add_tops(const Node& node) {
  for (const auto& item : chart_.bottom(chart_.spans().cell(node.begin, node.end))) {
    if (item.symbol == node.symbol) {
      edges_.push_back({Kind::copy, 1, 0, {number(node.begin, node.end, node.symbol, false), 0}, 0.0});
    }
    const auto chains = grammar_.fine.chains(item.symbol);
    const auto at = std::ranges::lower_bound(chains, node.symbol, {}, &Rules::Chain::parent);
    if (at != chains.end() && at->parent == node.symbol) {
      edges_.push_back({Kind::chain,
                        1,
                        static_cast<std::uint32_t>(at - chains.begin()),
                        {number(node.begin, node.end, item.symbol, false), 0},
                        at->score});
    }
  }
}

void ChartForest::add_words(const Node& node) {
  const Lexicon& lexicon = grammar_.lexicon;
  for (auto at = lexicon.offsets[rows_[node.begin]]; at < lexicon.offsets[rows_[node.begin] + 1]; ++at) {
    if (lexicon.symbols[at] == node.symbol) edges_.push_back({Kind::word, 0, 0, {0, 0}, lexicon.scores[at]});
  }
}

void ChartForest::add_pairs(const Node& node) {
  for (std::size_t middle = node.begin + 1; middle < node.end; ++middle) {
    const auto lefts = chart_.top(chart_.spans().cell(node.begin, middle));
    const auto rights = chart_.top(chart_.spans().cell(middle, node.end));
    if (rights.empty()) continue;
    for (const auto& left : lefts) {
      const auto groups = grammar_.fine.groups(left.symbol);
      const auto at = std::ranges::lower_bound(groups, node.symbol, {}, &Rules::Group::parent);
      if (at == groups.end() || at->parent != node.symbol) continue;
      for (const auto& pair : grammar_.fine.pairs(*at)) {
        if (FineChart::find(rights, pair.right) == nullptr) continue;
        edges_.push_back({Kind::pair,
                          2,
                          0,
                          {number(node.begin, middle, left.symbol, true), number(middle, node.end, pair.right, true)},
                          pair.score});
      }
    }
  }
}

std::int32_t TreeList::emit_label(Symbol symbol, FlatTree& tree, std::int32_t parent) const {
  if (grammar_.labels[symbol] < 0) return parent;
  tree.labels.push_back(grammar_.labels[symbol]);
  tree.parents.push_back(parent);
  return static_cast<std::int32_t>(tree.labels.size()) - 1;
}

void TreeList::emit(std::uint32_t number, std::uint32_t rank, FlatTree& tree, std::int32_t parent) {
  ways_.has(number, rank);
  // Copies: what lies below may not have been looked at yet.
  const auto node = ways_.forest().node(number);
  const auto edge = ways_.forest().edge(ways_.arc(number, rank));
  using Kind = ChartForest::Kind;
  if (edge.kind == Kind::chain) {
    parent = emit_label(node.symbol, tree, parent);
    const auto& chain = grammar_.fine.chains(ways_.forest().node(edge.tails[0]).symbol)[edge.chain];
    for (const Symbol between : grammar_.fine.between(chain)) parent = emit_label(between, tree, parent);
  } else if (edge.kind != Kind::copy) {
    parent = emit_label(node.symbol, tree, parent);
  }
  if (edge.kind == Kind::word) {
    tree.labels.push_back(-1 - static_cast<std::int32_t>(node.begin));
    tree.parents.push_back(parent);
  }
  for (std::size_t k = 0; k < edge.n_tails; ++k) emit(edge.tails[k], ways_.rank_of_tail(number, rank, k), tree, parent);
}

bool TreeList::write(std::size_t begin, std::size_t end, Symbol symbol, std::size_t rank, FlatTree& tree,
                     std::int32_t parent) {
  const std::uint32_t number = ways_.forest().number(begin, end, symbol, true);
  if (!ways_.has(number, static_cast<std::uint32_t>(rank))) return false;
  tree.score += ways_.score(number, static_cast<std::uint32_t>(rank));
  emit(number, static_cast<std::uint32_t>(rank), tree, parent);
  return true;
}

}  // namespace dragoman::syntax
