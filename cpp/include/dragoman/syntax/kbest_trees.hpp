#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "dragoman/graph/lazy_kbest.hpp"
#include "dragoman/syntax/fine_chart.hpp"

namespace dragoman::syntax {

/// A tree in pre-order. A label of −1 − t is the word t.
struct FlatTree {
  double score = 0;  ///< log-probability
  std::vector<std::int32_t> labels, parents;
};

/// A chart as a forest: nodes are the items of its cells, arcs the ways to make them, found when they are asked for.
class ChartForest {
 public:
  enum class Kind : std::uint8_t { word, copy, chain, pair };
  struct Edge {
    Kind kind;
    std::uint8_t n_tails;
    std::uint32_t chain;     // place among the chains of the child
    std::uint32_t tails[2];  // numbers of nodes
    double score;            // of the rule or the word
  };
  struct Node {
    std::uint32_t begin, end;
    Symbol symbol;
    bool is_top;
    bool is_open = false;
    graph::ArcRange arcs{0, 0};
  };

  ChartForest(const Grammar& grammar, const FineChart& chart, std::span<const std::int32_t> rows)
      : grammar_(grammar), chart_(chart), rows_(rows) {}

  /// The number of an item.
  std::uint32_t number(std::size_t begin, std::size_t end, Symbol symbol, bool is_top);
  const Node& node(std::uint32_t number) const { return nodes_[number]; }
  const Edge& edge(std::uint32_t arc) const { return edges_[arc]; }

  graph::ArcRange arcs_to(std::uint32_t number);
  double score(std::uint32_t arc) const { return edges_[arc].score; }
  std::span<const std::uint32_t> tails(std::uint32_t arc) const { return {edges_[arc].tails, edges_[arc].n_tails}; }
  double best(std::uint32_t number) const;

 private:
  void add_tops(const Node& node);
  void add_words(const Node& node);
  void add_pairs(const Node& node);

  const Grammar& grammar_;
  const FineChart& chart_;
  const std::span<const std::int32_t> rows_;
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
};

/// The best trees of an item, one after the other, each step looking at no more than it must.
class TreeList {
 public:
  TreeList(const Grammar& grammar, const FineChart& chart, std::span<const std::int32_t> rows)
      : grammar_(grammar), ways_(ChartForest(grammar, chart, rows)) {}

  /// Append the tree of rank `rank` over a span to `tree`, below `parent`; false if there are not so many.
  bool write(std::size_t begin, std::size_t end, Symbol symbol, std::size_t rank, FlatTree& tree, std::int32_t parent);

 private:
  void emit(std::uint32_t number, std::uint32_t rank, FlatTree& tree, std::int32_t parent);
  std::int32_t emit_label(Symbol symbol, FlatTree& tree, std::int32_t parent) const;

  const Grammar& grammar_;
  graph::LazyKBest<ChartForest> ways_;
};

}  // namespace dragoman::syntax
