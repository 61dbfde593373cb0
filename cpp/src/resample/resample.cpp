#include "dragoman/resample/resample.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"
#include "product.hpp"

namespace dragoman::resample {
namespace {

/// Run `fill(trial, counts, slot)` for every trial, then sum. A trial's counts and the order of its additions depend
/// on the trial alone, never on the block or thread it falls in.
template <class Fill>
std::vector<double> totals_by_block(const Rows& rows, std::size_t n_trials, unsigned n_threads, const Fill& fill) {
  if (rows.n_rows == 0) throw data_error("There are no segments to resample.");
  std::vector<double> totals(n_trials * rows.n_columns);
  const CountedProduct product(rows);
  for_each_chunk(n_trials, n_threads, [&](Chunk chunk) {
    std::vector<std::uint16_t> counts(rows.n_rows * kBlock);
    for (std::size_t first = chunk.begin; first < chunk.end; first += kBlock) {
      const std::size_t n = std::min(kBlock, chunk.end - first);
      std::ranges::fill(counts, std::uint16_t{0});
      for (std::size_t t = 0; t < n; ++t) fill(first + t, counts, t);
      product.sums(counts, n, totals.data() + first * rows.n_columns);
    }
  });
  return totals;
}

}  // namespace

std::vector<double> bootstrap_totals(const Rows& rows, Trials trials, CounterStream stream, unsigned n_threads) {
  if (rows.n_rows > std::numeric_limits<std::uint32_t>::max()) throw data_error("More than 2^32 segments.");
  const auto n = static_cast<std::uint32_t>(rows.n_rows);
  return totals_by_block(rows, trials.count, n_threads, [&](std::size_t trial, auto& counts, std::size_t slot) {
    const std::uint64_t start = static_cast<std::uint64_t>(trials.first + trial) * n;
    for (std::uint32_t i = 0; i < n; ++i) ++counts[stream.below(start + i, n) * kBlock + slot];
  });
}

std::vector<double> coin_totals(const Rows& rows, Trials trials, CounterStream stream, unsigned n_threads) {
  const std::size_t words = (rows.n_rows + 63) / 64;
  return totals_by_block(rows, trials.count, n_threads, [&](std::size_t trial, auto& counts, std::size_t slot) {
    for (std::size_t word = 0; word < words; ++word) {
      std::uint64_t coins = stream.bits((trials.first + trial) * words + word);
      const std::size_t end = std::min(rows.n_rows, (word + 1) * 64);
      for (std::size_t i = word * 64; i < end; ++i, coins >>= 1) {
        counts[i * kBlock + slot] = static_cast<std::uint16_t>(coins & 1);
      }
    }
  });
}

std::vector<double> counted_totals(const Rows& rows, std::span<const std::uint16_t> given, unsigned n_threads) {
  const std::size_t n_trials = rows.n_rows == 0 ? 0 : given.size() / rows.n_rows;
  return totals_by_block(rows, n_trials, n_threads, [&](std::size_t trial, auto& counts, std::size_t slot) {
    for (std::size_t i = 0; i < rows.n_rows; ++i) counts[i * kBlock + slot] = given[trial * rows.n_rows + i];
  });
}

std::vector<double> dealt_totals(const Rows& rows, std::size_t n_slots, Trials trials, CounterStream stream,
                                 unsigned n_threads) {
  if (rows.n_rows == 0) throw data_error("There are no segments to resample.");
  if (n_slots == 0 || rows.n_columns % n_slots != 0) throw data_error("The columns do not divide into the slots.");
  if (n_slots > std::numeric_limits<std::uint32_t>::max()) throw data_error("More than 2^32 slots.");
  const std::size_t width = rows.n_columns / n_slots;
  std::vector<double> totals(trials.count * rows.n_columns, 0.0);
  for_each_chunk(trials.count, n_threads, [&](Chunk chunk) {
    std::vector<std::uint32_t> order(n_slots);
    for (std::size_t trial = chunk.begin; trial < chunk.end; ++trial) {
      double* const total = totals.data() + trial * rows.n_columns;
      std::uint64_t counter = static_cast<std::uint64_t>(trials.first + trial) * rows.n_rows * n_slots;
      for (std::size_t i = 0; i < rows.n_rows; ++i) {
        // Fisher–Yates (Durstenfeld 1964), one draw a slot.
        std::iota(order.begin(), order.end(), 0U);
        for (std::size_t left = n_slots; left > 0; --left) {
          std::swap(order[left - 1], order[stream.below(counter++, static_cast<std::uint32_t>(left))]);
        }
        const double* const row = rows.values.data() + i * rows.n_columns;
        for (std::size_t slot = 0; slot < n_slots; ++slot) {
          const double* const output = row + order[slot] * width;
          for (std::size_t k = 0; k < width; ++k) total[slot * width + k] += output[k];
        }
      }
    }
  });
  return totals;
}

}  // namespace dragoman::resample
