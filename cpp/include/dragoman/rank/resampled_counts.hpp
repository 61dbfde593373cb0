#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/core/random.hpp"

namespace dragoman::rank {

/// Judgements in runs that are drawn together (one run a segment, a screen, an annotator, or each judgement alone).
struct UnitRuns {
  std::span<const std::int64_t> starts;  // where each run begins, then the number of judgements: n_units + 1 entries

  std::size_t n_units() const noexcept { return starts.size() - 1; }
};

/// The trials [first, first + count) of a stream, so that long work can be done in pieces.
struct Replicates {
  std::size_t first;
  std::size_t count;
};

/// Bootstrap: in every replicate as many units as there are are drawn with replacement, and the judgements of the drawn
/// units are counted by cell (`cells[i]` in 0 … n_cells − 1): replicate after replicate, n_cells counts each.
/// Throws data_error for no units, a cell outside its range and runs that do not partition the judgements.
std::vector<std::int32_t> resampled_counts(std::span<const std::int32_t> cells, UnitRuns units, std::size_t n_cells,
                                           Replicates replicates, CounterStream stream, unsigned n_threads);

/// Throws data_error unless the runs partition `n_items` judgements.
void check_runs(UnitRuns units, std::size_t n_items);

}  // namespace dragoman::rank
