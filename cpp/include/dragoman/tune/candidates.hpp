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
  // Sparse features, if there are any: those of candidate c are [sparse_offsets[c], sparse_offsets[c + 1]), each a
  // column and a value. Their weights stand behind those of the others.
  std::span<const std::int64_t> sparse_offsets = {};
  std::span<const std::int32_t> sparse_columns = {};
  std::span<const double> sparse_values = {};
  std::size_t n_sparse = 0;

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

/// Call `use(column, value)` for each sparse feature of a candidate.
template <class Use>
void for_each_sparse(const Candidates& candidates, std::size_t candidate, const Use& use) {
  if (candidates.sparse_offsets.empty()) return;
  const auto begin = static_cast<std::size_t>(candidates.sparse_offsets[candidate]);
  const auto end = static_cast<std::size_t>(candidates.sparse_offsets[candidate + 1]);
  for (std::size_t i = begin; i < end; ++i) {
    use(static_cast<std::size_t>(candidates.sparse_columns[i]), candidates.sparse_values[i]);
  }
}

/// The weighted sum of a row.
inline double dot(std::span<const double> row, std::span<const double> weights) noexcept {
  double sum = 0;
  for (std::size_t f = 0; f < row.size(); ++f) sum += row[f] * weights[f];
  return sum;
}

/// The score of a candidate: `weights` has those of sparse features behind the others.
inline double score_of(const Candidates& candidates, std::size_t candidate, std::span<const double> weights) {
  double sum = dot(candidates.features_of(candidate), weights.first(candidates.n_features));
  for_each_sparse(candidates, candidate,
                  [&](std::size_t column, double value) { sum += weights[candidates.n_features + column] * value; });
  return sum;
}

}  // namespace dragoman::tune
