#include "dragoman/rank/resampled_counts.hpp"

#include <algorithm>
#include <limits>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"

namespace dragoman::rank {

void check_runs(UnitRuns units, std::size_t n_items) {
  if (units.starts.size() < 2 || n_items == 0) throw data_error("There are no judgements to resample.");
  if (units.n_units() > std::numeric_limits<std::uint32_t>::max()) throw data_error("More than 2^32 units.");
  if (units.starts.front() != 0 || units.starts.back() != static_cast<std::int64_t>(n_items) ||
      !std::ranges::is_sorted(units.starts)) {
    throw data_error("The runs of the units do not partition the judgements.");
  }
}

std::vector<std::int32_t> resampled_counts(std::span<const std::int32_t> cells, UnitRuns units, std::size_t n_cells,
                                           Replicates replicates, CounterStream stream, unsigned n_threads) {
  check_runs(units, cells.size());
  for (const std::int32_t cell : cells) {
    if (cell < 0 || static_cast<std::size_t>(cell) >= n_cells) throw data_error("A judgement lies outside its cells.");
  }
  const auto n_units = static_cast<std::uint32_t>(units.n_units());
  const bool is_single = n_units == cells.size();
  std::vector<std::int32_t> counts(replicates.count * n_cells, 0);
  for_each_chunk(replicates.count, n_threads, [&](Chunk chunk) {
    for (std::size_t r = chunk.begin; r < chunk.end; ++r) {
      std::int32_t* const count = counts.data() + r * n_cells;
      const std::uint64_t counter = static_cast<std::uint64_t>(replicates.first + r) * n_units;
      if (is_single) {
        for (std::uint32_t k = 0; k < n_units; ++k) ++count[cells[stream.below(counter + k, n_units)]];
        continue;
      }
      for (std::uint32_t k = 0; k < n_units; ++k) {
        const std::uint32_t unit = stream.below(counter + k, n_units);
        const auto end = static_cast<std::size_t>(units.starts[unit + 1]);
        for (auto i = static_cast<std::size_t>(units.starts[unit]); i < end; ++i) ++count[cells[i]];
      }
    }
  });
  return counts;
}

}  // namespace dragoman::rank
