#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace dragoman::tune {

/// The candidate translations of a tuning set, flat: those of segment i are [offsets[i], offsets[i + 1]), never none.
/// Each has a row of features and a row of a metric's additive statistics.
struct Candidates {
  std::span<const double> features;  // (candidates, n_features), row by row
  std::span<const double> stats;     // (candidates, n_stats)
  std::span<const std::int64_t> offsets;
  std::size_t n_features = 0;
  std::size_t n_stats = 0;

  std::size_t n_segments() const noexcept { return offsets.size() - 1; }
  std::size_t size() const noexcept { return static_cast<std::size_t>(offsets.back()); }
  std::size_t begin(std::size_t segment) const noexcept { return static_cast<std::size_t>(offsets[segment]); }
  std::size_t end(std::size_t segment) const noexcept { return static_cast<std::size_t>(offsets[segment + 1]); }
  std::span<const double> features_of(std::size_t candidate) const noexcept {
    return features.subspan(candidate * n_features, n_features);
  }
  std::span<const double> stats_of(std::size_t candidate) const noexcept {
    return stats.subspan(candidate * n_stats, n_stats);
  }
};

/// Throws data_error unless the arrays fit each other, every segment has a candidate and every number is finite.
void check(const Candidates& candidates);

/// The weighted sum of a row.
inline double dot(std::span<const double> row, std::span<const double> weights) noexcept {
  double sum = 0;
  for (std::size_t f = 0; f < row.size(); ++f) sum += row[f] * weights[f];
  return sum;
}

}  // namespace dragoman::tune
