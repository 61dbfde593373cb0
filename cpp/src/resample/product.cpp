#include "product.hpp"

#include <algorithm>
#include <cmath>

#include "dragoman/core/errors.hpp"

// One body, compiled for wider registers too and chosen when the library is loaded.
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__)
#define DRAGOMAN_WIDE __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define DRAGOMAN_WIDE
#endif

namespace dragoman::resample {
namespace {

constexpr double kExactFloat = 16777216;  // 2^24: whole numbers up to here are floats
constexpr std::size_t kTrials = 4;        // of a block, summed in one sweep over the rows

template <class Number>
Packed<Number> packed(const Rows& rows) {
  constexpr std::size_t width = Packed<Number>::kColumns;
  const std::size_t n_tiles = (rows.n_columns + width - 1) / width;
  Packed<Number> result{std::vector<Number>(n_tiles * rows.n_rows * width)};
  for (std::size_t i = 0; i < rows.n_rows; ++i) {
    for (std::size_t k = 0; k < rows.n_columns; ++k) {
      const std::size_t tile = k / width;
      result.values[(tile * rows.n_rows + i) * width + k % width] =
          static_cast<Number>(rows.values[i * rows.n_columns + k]);
    }
  }
  return result;
}

/// sums[t][k] += Σ_i counts[i][t] · tile[i][k] over rows [0, n_rows); counts have kBlock entries per row.
template <class Number>
inline __attribute__((always_inline)) void sweep_body(const Number* tile, const Number* counts, std::size_t n_rows,
                                                      double* sums) {
  constexpr std::size_t width = Packed<Number>::kColumns;
  using Line [[gnu::vector_size(64), gnu::aligned(alignof(Number)), gnu::may_alias]] = Number;
  static_assert(kTrials == 4);  // named sums: an array of them would live in memory
  Line sum0{}, sum1{}, sum2{}, sum3{};
  for (std::size_t i = 0; i < n_rows; ++i, tile += width, counts += kBlock) {
    const Line row = *reinterpret_cast<const Line*>(tile);
    sum0 += row * counts[0];
    sum1 += row * counts[1];
    sum2 += row * counts[2];
    sum3 += row * counts[3];
  }
  for (std::size_t k = 0; k < width; ++k) {
    sums[k] += sum0[k];
    sums[width + k] += sum1[k];
    sums[2 * width + k] += sum2[k];
    sums[3 * width + k] += sum3[k];
  }
}

DRAGOMAN_WIDE void sweep(const float* tile, const float* counts, std::size_t n_rows, double* sums) {
  sweep_body(tile, counts, n_rows, sums);
}

DRAGOMAN_WIDE void sweep(const double* tile, const double* counts, std::size_t n_rows, double* sums) {
  sweep_body(tile, counts, n_rows, sums);
}

template <class Number>
void all_sums(const Packed<Number>& packed, const Rows& rows, std::span<const std::uint16_t> counts,
              std::size_t n_trials, std::size_t rows_at_once, double* totals) {
  constexpr std::size_t width = Packed<Number>::kColumns;
  const std::vector<Number> times(counts.begin(), counts.end());  // converted once for all columns
  for (std::size_t first = 0; first < rows.n_columns; first += width) {
    const Number* const tile = packed.values.data() + first * rows.n_rows;
    const std::size_t n_columns = std::min(width, rows.n_columns - first);
    for (std::size_t trial = 0; trial < n_trials; trial += kTrials) {
      double sums[kTrials * width] = {};
      for (std::size_t i = 0; i < rows.n_rows; i += rows_at_once) {
        sweep(tile + i * width, times.data() + i * kBlock + trial, std::min(rows_at_once, rows.n_rows - i), sums);
      }
      for (std::size_t t = 0; t < std::min(kTrials, n_trials - trial); ++t) {
        std::copy_n(sums + t * width, n_columns, totals + (trial + t) * rows.n_columns + first);
      }
    }
  }
}

}  // namespace

CountedProduct::CountedProduct(const Rows& rows) : rows_(rows) {
  bool whole = true;
  for (const double value : rows.values) {
    if (!std::isfinite(value)) throw data_error("A statistic is not a finite number.");
    whole = whole && value == std::trunc(value);
    largest_ = std::max(largest_, std::abs(value));
  }
  if (whole && largest_ < kExactFloat / 256) {
    packed_ = packed<float>(rows);
  } else {
    packed_ = packed<double>(rows);
  }
}

void CountedProduct::sums(std::span<const std::uint16_t> counts, std::size_t n_trials, double* totals) const {
  if (const auto* const wide = std::get_if<Packed<double>>(&packed_)) {
    all_sums(*wide, rows_, counts, n_trials, rows_.n_rows, totals);
    return;
  }
  const double most = std::max<double>(1, *std::ranges::max_element(counts));
  const double rows_at_once = kExactFloat / (most * std::max(1.0, largest_));
  // Even one row may be too much when a given count is huge; one row's product is then rounded, so go by double.
  if (rows_at_once < 1) {
    all_sums(packed<double>(rows_), rows_, counts, n_trials, rows_.n_rows, totals);
    return;
  }
  const auto at_once = static_cast<std::size_t>(std::min<double>(rows_at_once, static_cast<double>(rows_.n_rows)));
  all_sums(std::get<Packed<float>>(packed_), rows_, counts, n_trials, at_once, totals);
}

}  // namespace dragoman::resample
