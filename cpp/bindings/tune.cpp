#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include "areas.hpp"
#include "arrays.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/tune/line_search.hpp"
#include "dragoman/tune/mert.hpp"
#include "dragoman/tune/mira.hpp"
#include "dragoman/tune/pairs.hpp"
#include "objectives.hpp"

namespace dragoman::bindings::tune_area {

using namespace nb::literals;
using tune::BleuObjective;
using tune::Candidates;
using tune::Objective;

namespace {

Candidates candidates_of(const Input<double, 2>& features, const Input<double, 2>& stats,
                         const Input<std::int64_t, 1>& offsets) {
  Candidates candidates{{features.data(), features.size()},
                        {stats.data(), stats.size()},
                        {offsets.data(), offsets.size()},
                        features.shape(1),
                        stats.shape(1)};
  tune::check(candidates);
  return candidates;
}

nb::tuple line_search(Input<double, 2> features, Input<double, 2> stats, Input<std::int64_t, 1> offsets,
                      nb::handle objective, Input<double, 1> weights, Input<double, 1> direction) {
  const Candidates candidates = candidates_of(features, stats, offsets);
  check_width(weights.size(), candidates.n_features, "weights");
  check_width(direction.size(), candidates.n_features, "numbers of a direction");
  const Objective values = objective_of(objective, candidates.n_stats);
  tune::Step step;
  {
    nb::gil_scoped_release unlocked;
    std::vector<double> scores, slopes;
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      scores.push_back(tune::dot(candidates.features_of(c), {weights.data(), weights.size()}));
      slopes.push_back(tune::dot(candidates.features_of(c), {direction.data(), direction.size()}));
    }
    step = tune::LineSearch(candidates, values).best(scores, slopes);
  }
  return nb::make_tuple(step.t, step.value);
}

nb::tuple ascend(Input<double, 2> features, Input<double, 2> stats, Input<std::int64_t, 1> offsets,
                 nb::handle objective, Input<double, 2> starts, Input<double, 1> scales, std::uint64_t key,
                 unsigned random_directions, unsigned features_of_direction, unsigned most_sweeps, double tolerance,
                 unsigned n_threads) {
  const Candidates candidates = candidates_of(features, stats, offsets);
  check_width(starts.shape(1), candidates.n_features, "weights in a start");
  check_width(scales.size(), candidates.n_features, "scales");
  const Objective values = objective_of(objective, candidates.n_stats);
  std::vector<tune::Summit> summits;
  {
    nb::gil_scoped_release unlocked;
    summits =
        tune::ascend(candidates, values, {starts.data(), starts.size()}, {scales.data(), scales.size()},
                     CounterStream{key}, {random_directions, features_of_direction, most_sweeps, tolerance, n_threads});
  }
  std::vector<double> weights, reached, begun;
  std::uint64_t searches = 0;
  for (const auto& summit : summits) {
    weights.insert(weights.end(), summit.weights.begin(), summit.weights.end());
    reached.push_back(summit.value);
    begun.push_back(summit.start_value);
    searches += summit.searches;
  }
  return nb::make_tuple(to_array(std::move(weights), {summits.size(), candidates.n_features}),
                        owned_array(std::move(reached)), owned_array(std::move(begun)), searches);
}

nb::tuple batch_mira(
    Input<double, 2> features, Input<double, 2> stats, Input<std::int64_t, 1> offsets, nb::handle objective,
    Input<double, 1> start, Input<std::uint8_t, 1> moves, std::uint64_t key, double aggressiveness, double decay,
    double words, unsigned passes,
    std::optional<std::tuple<Input<std::int64_t, 1>, Input<std::int32_t, 1>, Input<double, 1>, std::size_t>> sparse) {
  Candidates candidates = candidates_of(features, stats, offsets);
  if (sparse) {
    const auto& [rows, columns, entries, n_sparse] = *sparse;
    candidates.sparse_offsets = {rows.data(), rows.size()};
    candidates.sparse_columns = {columns.data(), columns.size()};
    candidates.sparse_values = {entries.data(), entries.size()};
    candidates.n_sparse = n_sparse;
    tune::check(candidates);
  }
  check_width(start.size(), candidates.n_features + candidates.n_sparse, "weights");
  check_width(moves.size(), candidates.n_features, "marks");
  const Objective values = objective_of(objective, candidates.n_stats);
  tune::BatchMira found;
  {
    nb::gil_scoped_release unlocked;
    found = tune::batch_mira(candidates, values, {start.data(), start.size()}, {moves.data(), moves.size()},
                             CounterStream{key}, {aggressiveness, decay, words, passes});
  }
  return nb::make_tuple(to_array(std::move(found.weights), {passes, candidates.n_features}),
                        owned_array(std::move(found.values)), found.updates, owned_array(std::move(found.sparse)));
}

auto sample_pairs(Input<double, 1> gains, Input<std::int64_t, 1> offsets, std::uint64_t key, unsigned draws,
                  unsigned kept, double threshold, unsigned n_threads) {
  if (offsets.size() < 1 || static_cast<std::size_t>(offsets.data()[offsets.size() - 1]) != gains.size()) {
    throw data_error("Gains and offsets must tell of the same number of candidates.");
  }
  std::vector<std::int64_t> pairs;
  {
    nb::gil_scoped_release unlocked;
    pairs = tune::sample_pairs({gains.data(), gains.size()}, {offsets.data(), offsets.size()}, CounterStream{key},
                               {draws, kept, threshold, n_threads});
  }
  const std::size_t n = pairs.size() / 2;
  return to_array(std::move(pairs), {n, 2});
}

}  // namespace

void bind(nb::module_& m) {
  nb::enum_<tune::Smoothing>(m, "Smoothing", "What BLEU does about orders without a match.")
      .value("none", tune::Smoothing::none)
      .value("floor", tune::Smoothing::floor)
      .value("add_k", tune::Smoothing::add_k)
      .value("exp", tune::Smoothing::exp);
  nb::class_<BleuObjective>(m, "BleuObjective", "BLEU of summed statistics, in the core.")
      .def(
          "__init__",
          [](BleuObjective* self, std::size_t order, tune::Smoothing smoothing, double value, bool effective) {
            new (self) BleuObjective{order, smoothing, value, effective};
          },
          "order"_a, "smoothing"_a, "smoothing_value"_a, "effective_order"_a)
      .def(
          "values",
          [](const BleuObjective& self, Input<double, 2> totals) {
            if (totals.shape(1) != self.width()) throw data_error("BLEU's statistics have another order.");
            std::vector<double> values(totals.shape(0));
            self({totals.data(), totals.size()}, values);
            return owned_array(std::move(values));
          },
          "totals"_a.noconvert(), "Values of rows of summed statistics.");
  nb::class_<tune::MeanObjective>(m, "MeanObjective", "The mean of segments' scores, in the core.")
      .def("__init__", [](tune::MeanObjective* self, double sign) { new (self) tune::MeanObjective{sign}; }, "sign"_a);
  nb::class_<tune::MeteorObjective>(m, "MeteorObjective", "METEOR of summed statistics, in the core.")
      .def(
          "__init__",
          [](tune::MeteorObjective* self, Input<double, 2> mixing, double alpha, double beta, double gamma) {
            if (mixing.shape(0) != 6 || mixing.shape(1) < 3)
              throw data_error("METEOR mixes its statistics to six sums.");
            new (self) tune::MeteorObjective{{mixing.data(), mixing.data() + mixing.size()}, alpha, beta, gamma};
          },
          "mixing"_a.noconvert(), "alpha"_a, "beta"_a, "gamma"_a)
      .def(
          "values",
          [](const tune::MeteorObjective& self, Input<double, 2> totals) {
            if (totals.shape(1) != self.width()) throw data_error("METEOR's statistics have another width.");
            std::vector<double> values(totals.shape(0));
            self({totals.data(), totals.size()}, values);
            return owned_array(std::move(values));
          },
          "totals"_a.noconvert(), "Values of rows of summed statistics.");
  m.def("line_search", &line_search, "features"_a.noconvert(), "stats"_a.noconvert(), "offsets"_a.noconvert(),
        "objective"_a, "weights"_a.noconvert(), "direction"_a.noconvert(),
        nb::sig("def line_search(features: NDArray[numpy.float64], stats: NDArray[numpy.float64], offsets:"
                " NDArray[numpy.int64], objective: BleuObjective | MeanObjective | MeteorObjective | "
                "collections.abc.Callable[[NDArray[numpy.float64]],"
                " NDArray[numpy.float64]], weights: NDArray[numpy.float64], direction: NDArray[numpy.float64]) ->"
                " tuple[float, float]"),
        "The best step from the weights along a direction, and its value.");
  m.def(
      "ascend", &ascend, "features"_a.noconvert(), "stats"_a.noconvert(), "offsets"_a.noconvert(), "objective"_a,
      "starts"_a.noconvert(), "scales"_a.noconvert(), "key"_a, nb::kw_only(), "random_directions"_a,
      "features_of_direction"_a, "most_sweeps"_a, "tolerance"_a, "n_threads"_a,
      nb::sig(
          "def ascend(features: NDArray[numpy.float64], stats: NDArray[numpy.float64], offsets:"
          " NDArray[numpy.int64], objective: BleuObjective | MeanObjective | MeteorObjective | "
          "collections.abc.Callable[[NDArray[numpy.float64]],"
          " NDArray[numpy.float64]], starts: NDArray[numpy.float64], scales: NDArray[numpy.float64], key: int, *,"
          " random_directions: int, features_of_direction: int, most_sweeps: int, tolerance: float, n_threads: int) ->"
          " tuple[NDArray[numpy.float64], NDArray[numpy.float64], NDArray[numpy.float64], int]"),
      "MERT from several starts: weights, values, values of the starts, line searches.");
  m.def("batch_mira", &batch_mira, "features"_a.noconvert(), "stats"_a.noconvert(), "offsets"_a.noconvert(),
        "objective"_a, "start"_a.noconvert(), "moves"_a.noconvert(), "key"_a, nb::kw_only(), "aggressiveness"_a,
        "decay"_a, "words"_a, "passes"_a, "sparse"_a.none() = nb::none(),
        nb::sig("def batch_mira(features: NDArray[numpy.float64], stats: NDArray[numpy.float64], offsets:"
                " NDArray[numpy.int64], objective: BleuObjective | MeanObjective | MeteorObjective | "
                "collections.abc.Callable[[NDArray[numpy.float64]],"
                " NDArray[numpy.float64]], start: NDArray[numpy.float64], moves: NDArray[numpy.uint8], key: int, *,"
                " aggressiveness: float, decay: float, words: float, passes: int, sparse: tuple[NDArray[numpy.int64],"
                " NDArray[numpy.int32], NDArray[numpy.float64], int] | None = None) -> tuple[NDArray[numpy.float64],"
                " NDArray[numpy.float64], int, NDArray[numpy.float64]]"),
        "Batch MIRA: averaged weights after each pass, their values, updates made, sparse weights of the best pass."
        " `sparse`: row offsets, columns, values and number of the candidates' sparse features.");
  m.def("sample_pairs", &sample_pairs, "gains"_a.noconvert(), "offsets"_a.noconvert(), "key"_a, nb::kw_only(),
        "draws"_a, "kept"_a, "threshold"_a, "n_threads"_a,
        nb::sig("def sample_pairs(gains: NDArray[numpy.float64], offsets: NDArray[numpy.int64], key: int, *, draws:"
                " int, kept: int, threshold: float, n_threads: int) -> NDArray[numpy.int64]"),
        "Pairs of candidates, the better first: (pairs, 2).");
}

}  // namespace dragoman::bindings::tune_area
