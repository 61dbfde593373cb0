#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/syntax/coarse_chart.hpp"
#include "dragoman/syntax/grammar.hpp"

namespace dragoman::syntax {

/// The best tree and the sum of all trees for each symbol over each span, of the split grammar.
class FineChart {
 public:
  struct Item {
    Symbol symbol;
    double best;    ///< log-probability of the best tree
    double inside;  ///< probability of all trees, times 2 to the cell's exponent
  };

  /// Fill the chart; `coarse` (null: none) says which symbols may stand where. What is `beam` (in natural logarithms)
  /// behind the best of its cell is dropped.
  void run(const Grammar& grammar, std::span<const std::int32_t> rows, const CoarseChart* coarse, double beam);

  const Spans& spans() const { return spans_; }
  /// Items made of a word or of two children, by symbol; and those with a chain on top as well.
  std::span<const Item> bottom(std::size_t cell) const { return bottom_[cell]; }
  std::span<const Item> top(std::size_t cell) const { return top_[cell]; }
  static const Item* find(std::span<const Item> items, Symbol symbol);

  /// Logarithm of the probability of all trees of an item.
  double log_inside(std::size_t cell, const Item& item) const;

 private:
  void fill(const Grammar& grammar, std::size_t begin, std::size_t end, const CoarseChart* coarse);
  void add(Symbol symbol, double best, double inside);
  void finish_cell(const Grammar& grammar, std::size_t cell, int exponent, const CoarseChart* coarse, double beam);
  void collect(const Grammar& grammar, std::vector<Item>& items, double beam);

  Spans spans_;
  std::vector<std::vector<Item>> bottom_, top_;
  std::vector<int> exponents_;
  // Scratch, by symbol: the cell at work, and the right cell of a split.
  std::vector<double> best_, inside_, right_best_, right_inside_;
  std::vector<Symbol> touched_;
};

}  // namespace dragoman::syntax
