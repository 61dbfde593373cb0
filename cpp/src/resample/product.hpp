#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "dragoman/resample/resample.hpp"

namespace dragoman::resample {

// Trials summed together: a packed row is then loaded once for several of them.
constexpr std::size_t kBlock = 16;

/// Rows cut into tiles of a few columns, each tile row after row and padded with zeros, so that the sums of one tile
/// stay in registers while the rows stream by.
template <class Number>
struct Packed {
  static constexpr std::size_t kColumns = 64 / sizeof(Number);  // a tile's row fills one cache line
  std::vector<Number> values;
};

/// The product of a block of counts with all rows. Whole-numbered statistics (most are: matches, lengths, edits) are
/// summed in float, twice as many at once, and exactly: a partial sum is moved to double before it could pass 2^24.
/// Others are summed in double, in row order. Hence a trial's sums depend on its counts alone.
class CountedProduct {
 public:
  explicit CountedProduct(const Rows& rows);

  /// `counts`: kBlock per row, trial by trial within the row; `totals`: n_trials × n_columns, overwritten.
  void sums(std::span<const std::uint16_t> counts, std::size_t n_trials, double* totals) const;

 private:
  Rows rows_;
  double largest_ = 0;  // magnitude among the values
  std::variant<Packed<double>, Packed<float>> packed_;
};

}  // namespace dragoman::resample
