#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <optional>
#include <tuple>

#include "areas.hpp"
#include "arrays.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/rank/linear_order.hpp"
#include "dragoman/rank/online.hpp"
#include "dragoman/rank/playoffs.hpp"
#include "dragoman/rank/resampled_counts.hpp"
#include "dragoman/rank/trueskill.hpp"

namespace dragoman::bindings::rank_area {

using namespace nb::literals;

namespace {

template <class Array>
auto view(const Array& array) {
  return std::span(array.data(), array.size());
}

template <class Matrix>
std::size_t side(const Matrix& matrix) {
  if (matrix.shape(0) != matrix.shape(1)) throw data_error("The matrix is not square.");
  return matrix.shape(0);
}

/// Order, cost, number of orders of that cost, sets looked at.
using Found = std::tuple<nb::ndarray<nb::numpy, std::int32_t>, std::int64_t, std::uint64_t, std::uint64_t>;

Found to_tuple(rank::LinearOrder&& found) {
  const std::size_t n = found.order.size();
  return {to_array(std::move(found.order), {n}), found.cost, found.n_orders, found.n_states};
}

std::optional<Found> search_order(Input<std::int64_t, 2> costs, std::size_t max_states) {
  const rank::PairCosts pairs{view(costs), side(costs)};
  std::optional<rank::LinearOrder> found;
  {
    nb::gil_scoped_release unlocked;
    found = rank::search_order(pairs, max_states);
  }
  if (!found) return std::nullopt;
  return to_tuple(std::move(*found));
}

Found tabulate_order(Input<std::int64_t, 2> costs) {
  const rank::PairCosts pairs{view(costs), side(costs)};
  rank::LinearOrder found;
  {
    nb::gil_scoped_release unlocked;
    found = rank::tabulate_order(pairs);
  }
  return to_tuple(std::move(found));
}

auto resampled_counts(Input<std::int32_t, 1> cells, Input<std::int64_t, 1> starts, std::size_t n_cells,
                      std::size_t n_replicates, std::uint64_t key, std::size_t first, unsigned n_threads) {
  std::vector<std::int32_t> counts;
  {
    nb::gil_scoped_release unlocked;
    counts = rank::resampled_counts(view(cells), {view(starts)}, n_cells, {first, n_replicates}, CounterStream{key},
                                    n_threads);
  }
  return to_array(std::move(counts), {n_replicates, n_cells});
}

auto playoff_ranks(Input<double, 2> p_beats, std::size_t n_runs, std::uint64_t key, unsigned n_threads) {
  const std::size_t n = side(p_beats);
  std::vector<double> ranks;
  {
    nb::gil_scoped_release unlocked;
    ranks = rank::playoff_ranks(view(p_beats), n, n_runs, CounterStream{key}, n_threads);
  }
  return to_array(std::move(ranks), {n});
}

auto active_replays(Input<std::int64_t, 2> wins, Input<std::int64_t, 2> ties, std::size_t n_matches,
                    std::size_t n_replicates, std::uint64_t key, rank::TrueSkillOptions options, std::size_t first,
                    unsigned n_threads) {
  const std::size_t n = side(wins);
  std::vector<double> means;
  {
    nb::gil_scoped_release unlocked;
    means = rank::active_replays(view(wins), view(ties), n, n_matches, options, {first, n_replicates},
                                 CounterStream{key}, n_threads);
  }
  return to_array(std::move(means), {n_replicates, n});
}

rank::Sequence sequence_of(const std::string& name) {
  if (name == "given") return rank::Sequence::kGiven;
  if (name == "shuffled") return rank::Sequence::kShuffled;
  if (name == "resampled") return rank::Sequence::kResampled;
  throw data_error("The sequence is given, shuffled or resampled.");
}

struct Played {
  Input<std::int32_t, 1> first;
  Input<std::int32_t, 1> second;
  Input<std::int8_t, 1> outcome;
  std::size_t n_systems;

  rank::Matches matches() const { return {view(first), view(second), view(outcome), n_systems}; }
};

auto elo_runs(Input<std::int32_t, 1> first, Input<std::int32_t, 1> second, Input<std::int8_t, 1> outcome,
              std::size_t n_systems, Input<std::int64_t, 1> starts, const std::string& sequence, std::size_t n_runs,
              std::uint64_t key, rank::EloOptions options, unsigned n_threads) {
  const Played played{first, second, outcome, n_systems};
  std::vector<double> ratings;
  {
    nb::gil_scoped_release unlocked;
    ratings = rank::elo_runs(played.matches(), {view(starts)}, sequence_of(sequence), options, {0, n_runs},
                             CounterStream{key}, n_threads);
  }
  return to_array(std::move(ratings), {n_runs, n_systems});
}

auto trueskill_runs(Input<std::int32_t, 1> first, Input<std::int32_t, 1> second, Input<std::int8_t, 1> outcome,
                    std::size_t n_systems, Input<std::int64_t, 1> starts, const std::string& sequence,
                    std::size_t n_runs, std::uint64_t key, rank::TrueSkillOptions options, unsigned n_threads) {
  const Played played{first, second, outcome, n_systems};
  std::vector<double> ratings;
  {
    nb::gil_scoped_release unlocked;
    ratings = rank::trueskill_runs(played.matches(), {view(starts)}, sequence_of(sequence), options, {0, n_runs},
                                   CounterStream{key}, n_threads);
  }
  return to_array(std::move(ratings), {n_runs, 2, n_systems});
}

}  // namespace

void bind(nb::module_& area) {
  area.attr("TABLE_ITEMS") = rank::kTableItems;
  area.attr("SEARCH_ITEMS") = rank::kSearchItems;
  area.def("search_order", &search_order, "costs"_a.noconvert(), "max_states"_a,
           "Order of least cost by search: (order, cost, orders of that cost or 0, states), or None when it gave up.");
  area.def("tabulate_order", &tabulate_order, "costs"_a.noconvert(),
           "Order of least cost by a table of all sets: (order, cost, orders of that cost or 0, states).");
  area.def("resampled_counts", &resampled_counts, "cells"_a.noconvert(), "starts"_a.noconvert(), "n_cells"_a,
           "n_replicates"_a, "key"_a, nb::kw_only(), "first"_a = 0, "n_threads"_a = 1,
           "Counts by cell of units drawn with replacement: int32 (replicates, cells).");
  area.def("playoff_ranks", &playoff_ranks, "p_beats"_a.noconvert(), "n_runs"_a, "key"_a, nb::kw_only(),
           "n_threads"_a = 1, "Mean final rank of each system over random playoffs: float64 (systems,).");

  nb::class_<rank::TrueSkillOptions>(area, "TrueSkillOptions", "Beliefs before any judgement, and noise.")
      .def(
          "__init__",
          [](rank::TrueSkillOptions* self, double mean, double sd, double beta, double tau, double p_draw) {
            new (self) rank::TrueSkillOptions{mean, sd, beta, tau, p_draw};
          },
          nb::kw_only(), "mean"_a = 0.0, "sd"_a = 0.5, "beta"_a = 1.0, "tau"_a = 0.0, "p_draw"_a = 0.25);
  nb::class_<rank::EloOptions>(area, "EloOptions", "Start, step and scale of Elo's rating.")
      .def(
          "__init__",
          [](rank::EloOptions* self, double start, double k, double scale) {
            new (self) rank::EloOptions{start, k, scale};
          },
          nb::kw_only(), "start"_a = 1500.0, "k"_a = 16.0, "scale"_a = 400.0);
  area.def("active_replays", &active_replays, "wins"_a.noconvert(), "ties"_a.noconvert(), "n_matches"_a,
           "n_replicates"_a, "key"_a, nb::kw_only(), "options"_a, "first"_a = 0, "n_threads"_a = 1,
           "Means after each of WMT 2014's replays: float64 (replicates, systems).");
  area.def("elo_runs", &elo_runs, "first"_a.noconvert(), "second"_a.noconvert(), "outcome"_a.noconvert(), "n_systems"_a,
           "starts"_a.noconvert(), "sequence"_a, "n_runs"_a, "key"_a, nb::kw_only(), "options"_a, "n_threads"_a = 1,
           "Elo ratings after each run: float64 (runs, systems).");
  area.def("trueskill_runs", &trueskill_runs, "first"_a.noconvert(), "second"_a.noconvert(), "outcome"_a.noconvert(),
           "n_systems"_a, "starts"_a.noconvert(), "sequence"_a, "n_runs"_a, "key"_a, nb::kw_only(), "options"_a,
           "n_threads"_a = 1, "Means and variances after each run: float64 (runs, 2, systems).");
}

}  // namespace dragoman::bindings::rank_area
