#include <nanobind/stl/vector.h>

#include "areas.hpp"
#include "arrays.hpp"
#include "dragoman/tune/graph_mert.hpp"
#include "objectives.hpp"

namespace dragoman::bindings::graph_tune_area {

using namespace nb::literals;
using graph::Hypergraph;

namespace {

/// A function from (segments, offsets, words) to rows of statistics, called with the GIL.
tune::ScoreTexts scores_of(nb::handle given, std::size_t n_stats) {
  return [given, n_stats](const tune::Texts& texts) {
    nb::gil_scoped_acquire locked;
    tune::Texts copy = texts;
    const auto answer = given(owned_array(std::move(copy.segments)), owned_array(std::move(copy.offsets)),
                              owned_array(std::move(copy.words)));
    const auto rows = nb::cast<Input<double, 2>>(answer);
    if (rows.shape(1) != n_stats) throw data_error("Rows of statistics have another width than they should.");
    return std::vector<double>(rows.data(), rows.data() + rows.size());
  };
}

nb::tuple ascend_graphs(const std::vector<std::vector<const Hypergraph*>>& graphs, nb::handle objective,
                        nb::handle score, std::size_t n_stats, Input<double, 2> starts, Input<double, 1> scales,
                        std::uint64_t key, unsigned random_directions, unsigned features_of_direction,
                        unsigned most_sweeps, double tolerance, unsigned n_threads) {
  check_width(starts.shape(1), scales.size(), "weights in a start");
  const auto values = objective_of(objective, n_stats);
  const auto rows = scores_of(score, n_stats);
  tune::GraphSummits found;
  {
    nb::gil_scoped_release unlocked;
    found = tune::ascend_graphs(graphs, values, rows, n_stats, {starts.data(), starts.size()},
                                {scales.data(), scales.size()}, CounterStream{key},
                                {random_directions, features_of_direction, most_sweeps, tolerance, n_threads});
  }
  std::vector<double> weights, reached;
  for (const auto& summit : found.summits) {
    weights.insert(weights.end(), summit.weights.begin(), summit.weights.end());
    reached.push_back(summit.value);
  }
  return nb::make_tuple(to_array(std::move(weights), {found.summits.size(), scales.size()}),
                        owned_array(std::move(reached)), found.n_texts);
}

nb::list envelope(const Hypergraph& graph, Input<double, 1> weights, Input<double, 1> direction) {
  check_width(weights.size(), graph.n_features(), "weights");
  check_width(direction.size(), graph.n_features(), "numbers of a direction");
  std::vector<double> scores, slopes;
  for (std::size_t i = 0; i < graph.arcs().size(); ++i) {
    double score = 0, slope = 0;
    for (std::size_t f = 0; f < graph.n_features(); ++f) {
      const auto value = static_cast<double>(graph.features()[i * graph.n_features() + f]);
      score += weights.data()[f] * value;
      slope += direction.data()[f] * value;
    }
    scores.push_back(score);
    slopes.push_back(slope);
  }
  nb::list all;
  for (const auto& line : tune::envelope(graph, scores, slopes)) {
    all.append(nb::make_tuple(line.score, line.slope, line.path.arcs));
  }
  return all;
}

}  // namespace

void bind(nb::module_& m) {
  m.def(
      "ascend_graphs", &ascend_graphs, "graphs"_a, "objective"_a, "score"_a, "n_stats"_a, "starts"_a.noconvert(),
      "scales"_a.noconvert(), "key"_a, nb::kw_only(), "random_directions"_a, "features_of_direction"_a, "most_sweeps"_a,
      "tolerance"_a, "n_threads"_a,
      nb::sig("def ascend_graphs(graphs: "
              "collections.abc.Sequence[collections.abc.Sequence[dragoman._core.graph.Hypergraph]],"
              " objective: BleuObjective | MeanObjective | MeteorObjective | "
              "collections.abc.Callable[[NDArray[numpy.float64]], NDArray[numpy.float64]],"
              " score: collections.abc.Callable[[NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.int32]],"
              " NDArray[numpy.float64]], n_stats: int, starts: NDArray[numpy.float64], scales: NDArray[numpy.float64],"
              " key: int, *, random_directions: int, features_of_direction: int, most_sweeps: int, tolerance: float,"
              " n_threads: int) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64], int]"),
      "MERT on hypergraphs from several starts: weights, values, translations scored.");
  m.def("envelope", &envelope, "graph"_a, "weights"_a.noconvert(), "direction"_a.noconvert(),
        nb::sig("def envelope(graph: dragoman._core.graph.Hypergraph, weights: NDArray[numpy.float64], direction:"
                " NDArray[numpy.float64]) -> list[tuple[float, float, list[int]]]"),
        "The ways that are best somewhere on a line, by rising slope: score, slope, arcs.");
}

}  // namespace dragoman::bindings::graph_tune_area
