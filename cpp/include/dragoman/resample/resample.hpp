#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/core/random.hpp"

namespace dragoman::resample {

/// Statistics of a test set, one row per segment, row after row.
struct Rows {
  std::span<const double> values;
  std::size_t n_rows;
  std::size_t n_columns;
};

/// Column sums of `n_trials` bootstrap samples (rows drawn with replacement): trial after trial, n_columns each.
/// Cost: trials × rows × columns. Memory beyond the answer: one block of trials' counts per thread.
/// Throws data_error for no rows or more than 2^32 − 1 of them.
std::vector<double> bootstrap_totals(const Rows& rows, std::size_t n_trials, CounterStream stream, unsigned n_threads);

/// Column sums over a random half of the rows (each row in or out by a fair coin): what approximate randomisation
/// exchanges between two systems when `rows` are their differences.
std::vector<double> coin_totals(const Rows& rows, std::size_t n_trials, CounterStream stream, unsigned n_threads);

/// Column sums with given weights: `counts` says, trial after trial, how often each row is taken.
std::vector<double> counted_totals(const Rows& rows, std::span<const std::uint16_t> counts, unsigned n_threads);

}  // namespace dragoman::resample
