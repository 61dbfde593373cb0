#include "dragoman/rank/online.hpp"

#include <cmath>
#include <numeric>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"

namespace dragoman::rank {
namespace {

void check(const Matches& matches, UnitRuns units) {
  check_runs(units, matches.first.size());
  if (matches.second.size() != matches.first.size() || matches.outcome.size() != matches.first.size()) {
    throw data_error("First, second and outcome must be equally long.");
  }
  for (const auto side : {matches.first, matches.second}) {
    for (const std::int32_t system : side) {
      if (system < 0 || static_cast<std::size_t>(system) >= matches.n_systems) throw data_error("An unknown system.");
    }
  }
}

/// Call `play(judgement)` for every judgement of one run, in its order.
template <class Play>
void sequence_run(std::size_t n_items, UnitRuns units, Sequence sequence, CounterStream stream, std::uint64_t run,
                  std::vector<std::uint32_t>& order, const Play& play) {
  if (sequence == Sequence::kGiven) {
    for (std::size_t i = 0; i < n_items; ++i) play(i);
    return;
  }
  if (sequence == Sequence::kShuffled) {
    order.resize(n_items);
    std::iota(order.begin(), order.end(), 0U);
    std::uint64_t counter = run * n_items;
    for (std::size_t left = n_items; left > 0; --left) {
      std::swap(order[left - 1], order[stream.below(counter++, static_cast<std::uint32_t>(left))]);
      play(order[left - 1]);
    }
    return;
  }
  const auto n_units = static_cast<std::uint32_t>(units.n_units());
  for (std::uint32_t k = 0; k < n_units; ++k) {
    const std::uint32_t unit = stream.below(run * n_units + k, n_units);
    const auto end = static_cast<std::size_t>(units.starts[unit + 1]);
    for (auto i = static_cast<std::size_t>(units.starts[unit]); i < end; ++i) play(i);
  }
}

}  // namespace

std::vector<double> elo_runs(const Matches& matches, UnitRuns units, Sequence sequence, const EloOptions& options,
                             Replicates runs, CounterStream stream, unsigned n_threads) {
  check(matches, units);
  if (!(options.k > 0 && options.scale > 0) || !std::isfinite(options.start)) {
    throw data_error("k and scale must be above 0 and the start a finite number.");
  }
  const std::size_t n = matches.n_systems;
  std::vector<double> ratings(runs.count * n, options.start);
  for_each_chunk(runs.count, n_threads, [&](Chunk chunk) {
    std::vector<std::uint32_t> order;
    for (std::size_t r = chunk.begin; r < chunk.end; ++r) {
      double* const rating = ratings.data() + r * n;
      sequence_run(matches.first.size(), units, sequence, stream, runs.first + r, order, [&](std::size_t i) {
        double& a = rating[matches.first[i]];
        double& b = rating[matches.second[i]];
        const double expected = 1 / (1 + std::pow(10.0, (b - a) / options.scale));
        const double score = matches.outcome[i] > 0 ? 1.0 : matches.outcome[i] < 0 ? 0.0 : 0.5;
        const double step = options.k * (score - expected);
        a += step;
        b -= step;
      });
    }
  });
  return ratings;
}

std::vector<double> trueskill_runs(const Matches& matches, UnitRuns units, Sequence sequence,
                                   const TrueSkillOptions& options, Replicates runs, CounterStream stream,
                                   unsigned n_threads) {
  check(matches, units);
  const TrueSkill model(options);
  const std::size_t n = matches.n_systems;
  std::vector<double> found(runs.count * n * 2);
  for_each_chunk(runs.count, n_threads, [&](Chunk chunk) {
    std::vector<std::uint32_t> order;
    std::vector<Rating> rating(n);
    for (std::size_t r = chunk.begin; r < chunk.end; ++r) {
      std::fill(rating.begin(), rating.end(), model.start());
      sequence_run(matches.first.size(), units, sequence, stream, runs.first + r, order, [&](std::size_t i) {
        model.update(rating[static_cast<std::size_t>(matches.first[i])],
                     rating[static_cast<std::size_t>(matches.second[i])], matches.outcome[i]);
      });
      for (std::size_t i = 0; i < n; ++i) {
        found[r * 2 * n + i] = rating[i].mean;
        found[r * 2 * n + n + i] = rating[i].variance;
      }
    }
  });
  return found;
}

}  // namespace dragoman::rank
