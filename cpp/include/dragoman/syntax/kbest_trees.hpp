#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "dragoman/syntax/fine_chart.hpp"

namespace dragoman::syntax {

/// A tree in pre-order. A label of −1 − t is the word t.
struct FlatTree {
  double score = 0;  ///< log-probability
  std::vector<std::int32_t> labels, parents;
};

/// The best trees of an item, one after the other, each step looking at no more than it must (Huang & Chiang 2005,
/// algorithm 3).
class TreeList {
 public:
  TreeList(const Grammar& grammar, const FineChart& chart, std::span<const std::int32_t> rows)
      : grammar_(grammar), chart_(chart), rows_(rows) {}

  /// Append the tree of rank `rank` over a span to `tree`, below `parent`; false if there are not so many.
  bool write(std::size_t begin, std::size_t end, Symbol symbol, std::size_t rank, FlatTree& tree, std::int32_t parent);

 private:
  enum class Kind : std::uint8_t { word, copy, chain, pair };
  struct Edge {
    Kind kind;
    std::uint32_t chain;        // place among the chains of the child
    std::int32_t tails[2];      // numbers of nodes; −1: none
    double score;               // of the rule or the word
  };
  struct Derivation {
    double score;
    std::uint32_t edge;
    std::uint32_t ranks[2];
  };
  struct Node {
    std::uint32_t begin, end;
    Symbol symbol;
    bool is_top;
    std::vector<Edge> edges;
    std::vector<Derivation> found, waiting;  // `waiting` is a heap
    bool is_started = false;
    std::uint32_t n_expanded = 0;  // of `found`, those whose successors wait already
  };

  std::int32_t node(std::size_t begin, std::size_t end, Symbol symbol, bool is_top);
  void start(std::int32_t number);
  bool reach(std::int32_t number, std::size_t rank);
  void push(std::int32_t number, std::uint32_t edge, std::uint32_t first, std::uint32_t second);
  double score(std::int32_t number, std::uint32_t rank) const { return nodes_[number].found[rank].score; }
  void emit(std::int32_t number, std::size_t rank, FlatTree& tree, std::int32_t parent) const;
  std::int32_t emit_label(Symbol symbol, FlatTree& tree, std::int32_t parent) const;

  const Grammar& grammar_;
  const FineChart& chart_;
  const std::span<const std::int32_t> rows_;
  std::vector<Node> nodes_;
  std::unordered_map<std::uint64_t, std::int32_t> numbers_;
};

}  // namespace dragoman::syntax
