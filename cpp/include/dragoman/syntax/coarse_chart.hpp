#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/syntax/grammar.hpp"

namespace dragoman::syntax {

/// The cells of a triangle, one for each span [begin, end) of a sentence.
class Spans {
 public:
  explicit Spans(std::size_t n_words = 0) : n_(n_words) {}
  std::size_t n_words() const { return n_; }
  std::size_t n_cells() const { return n_ * (n_ + 1) / 2; }
  std::size_t cell(std::size_t begin, std::size_t end) const {
    return begin * (2 * n_ - begin + 1) / 2 + (end - begin - 1);
  }

 private:
  std::size_t n_;
};

/// How likely each coarse symbol is over each span, given the whole sentence: inside and outside probabilities. Cells
/// carry a binary exponent of their own, so that long sentences do not underflow.
class CoarseChart {
 public:
  /// Fill the chart for the words with these rows of the lexicon; false if the grammar has no tree over all of them.
  bool run(const Grammar& grammar, std::span<const std::int32_t> rows);

  /// Mark what is at least so likely; a threshold of 0 marks all that can be in a tree at all.
  void prune(double threshold);

  bool may_be_bottom(std::size_t cell, Symbol coarse) const { return allowed_[cell * n_ + coarse] & 1; }
  bool may_be_top(std::size_t cell, Symbol coarse) const { return allowed_[cell * n_ + coarse] & 2; }

 private:
  void fill_inside(const Grammar& grammar, std::span<const std::int32_t> rows);
  void finish_cell(const Grammar& grammar, std::size_t cell, int exponent);
  void fill_outside(const Grammar& grammar);

  Spans spans_;
  std::size_t n_ = 0;  // coarse symbols
  std::vector<int> exponents_;
  std::vector<double> bottom_, top_, out_bottom_, out_top_;
  std::vector<Symbol> live_;  // symbols on top of each cell, `n_live_` of them
  std::vector<std::uint32_t> n_live_;
  std::vector<std::uint8_t> allowed_;
  double total_ = 0;
};

}  // namespace dragoman::syntax
