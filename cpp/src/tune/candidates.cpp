#include "dragoman/tune/candidates.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "dragoman/core/errors.hpp"

namespace dragoman::tune {

namespace {

void check_finite(std::span<const double> values, std::size_t width, const Candidates& candidates, const char* what) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) continue;
    const std::size_t candidate = i / width;
    std::size_t segment = 0;
    while (candidates.end(segment) <= candidate) ++segment;
    throw data_error("Candidate " + std::to_string(candidate - candidates.begin(segment) + 1) + " of segment " +
                     std::to_string(segment + 1) + " has a " + what + " that is no finite number (column " +
                     std::to_string(i % width + 1) + "). Leave such candidates out.");
  }
}

}  // namespace

void check(const Candidates& candidates) {
  if (candidates.offsets.size() < 2) throw data_error("There are no segments to tune on.");
  for (std::size_t i = 0; i < candidates.n_segments(); ++i) {
    if (candidates.offsets[i] >= candidates.offsets[i + 1]) {
      throw data_error("Segment " + std::to_string(i + 1) + " has no candidates; leave it out of the tuning set.");
    }
  }
  if (candidates.offsets[0] != 0 || candidates.features.size() != candidates.size() * candidates.n_features ||
      candidates.stats.size() != candidates.size() * candidates.n_stats) {
    throw data_error("Features, statistics and offsets must tell of the same number of candidates.");
  }
  if (!candidates.sparse_offsets.empty()) {
    const auto offsets = candidates.sparse_offsets;
    bool fits = offsets.size() == candidates.size() + 1 && offsets[0] == 0 && std::ranges::is_sorted(offsets) &&
                static_cast<std::size_t>(offsets.back()) == candidates.sparse_columns.size() &&
                candidates.sparse_columns.size() == candidates.sparse_values.size();
    for (const auto column : candidates.sparse_columns) {
      fits = fits && column >= 0 && static_cast<std::size_t>(column) < candidates.n_sparse;
    }
    if (!fits)
      throw data_error("Sparse features must have a row for each candidate and columns among those there are.");
  }
  check_finite(candidates.features, candidates.n_features, candidates, "feature");
  check_finite(candidates.stats, candidates.n_stats, candidates, "statistic");
}

}  // namespace dragoman::tune
