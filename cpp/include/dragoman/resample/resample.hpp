#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/core/random.hpp"

namespace dragoman::resample {

/// Statistics of a test set, one row per segment, row after row. All values are finite.
struct Rows {
  std::span<const double> values;
  std::size_t n_rows;
  std::size_t n_columns;
};

/// The trials [first, first + count) of a stream: long runs are done in pieces, with the draws of one piece.
struct Trials {
  std::size_t first;
  std::size_t count;
};

/// Column sums of bootstrap samples (rows drawn with replacement): trial after trial, n_columns each.
/// Cost: trials × rows × columns. Memory beyond the answer: a packed copy of the rows, one block of trials' counts per
/// thread. Throws data_error for no rows, for more than 2^32 − 1 of them and for a value that is not finite.
std::vector<double> bootstrap_totals(const Rows& rows, Trials trials, CounterStream stream, unsigned n_threads);

/// Column sums over a random half of the rows (each row in or out by a fair coin): what approximate randomisation
/// exchanges between two systems.
std::vector<double> coin_totals(const Rows& rows, Trials trials, CounterStream stream, unsigned n_threads);

/// Column sums with given weights: `counts` says, trial after trial, how often each row is taken.
std::vector<double> counted_totals(const Rows& rows, std::span<const std::uint16_t> counts, unsigned n_threads);

/// A row holds `n_slots` outputs of one segment (n_columns / n_slots statistics each). In every trial and every row the
/// outputs are dealt to the slots in a new random order; the column sums of the dealt rows come back.
/// Throws data_error when the columns do not divide into the slots.
std::vector<double> dealt_totals(const Rows& rows, std::size_t n_slots, Trials trials, CounterStream stream,
                                 unsigned n_threads);

}  // namespace dragoman::resample
