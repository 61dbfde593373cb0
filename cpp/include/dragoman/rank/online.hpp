#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/core/random.hpp"
#include "dragoman/rank/resampled_counts.hpp"
#include "dragoman/rank/trueskill.hpp"

namespace dragoman::rank {

/// Judgements as they were made: outcome > 0 when the first system was better, 0 for a tie. Systems are 0 … n − 1.
struct Matches {
  std::span<const std::int32_t> first;
  std::span<const std::int32_t> second;
  std::span<const std::int8_t> outcome;
  std::size_t n_systems;
};

/// In which order a run of an online method sees the judgements.
enum class Sequence {
  kGiven,      // as they were made
  kShuffled,   // each once, in a random order
  kResampled,  // units drawn with replacement, the judgements of a unit one after the other
};

/// Elo's rating: r += k (s − 1 / (1 + 10^((r' − r) / scale))), a tie counts half.
struct EloOptions {
  double start = 1500.0;
  double k = 16.0;
  double scale = 400.0;
};

/// The ratings after each run, run after run, n_systems each. Throws data_error for a system outside its range.
std::vector<double> elo_runs(const Matches& matches, UnitRuns units, Sequence sequence, const EloOptions& options,
                             Replicates runs, CounterStream stream, unsigned n_threads);

/// The same with TrueSkill: means, then variances, 2 · n_systems numbers a run.
std::vector<double> trueskill_runs(const Matches& matches, UnitRuns units, Sequence sequence,
                                   const TrueSkillOptions& options, Replicates runs, CounterStream stream,
                                   unsigned n_threads);

}  // namespace dragoman::rank
