#include "dragoman/phrase/hypergraph.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "areas.hpp"
#include "arrays.hpp"
#include "constraints.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/phrase/batch.hpp"
#include "dragoman/phrase/blocks.hpp"
#include "dragoman/phrase/kbest.hpp"
#include "dragoman/phrase/mbr.hpp"
#include "dragoman/phrase/oracle.hpp"

namespace dragoman::bindings {

using namespace nb::literals;
using phrase::Constraints;
using phrase::Hypergraph;
using phrase::Span;
using phrase::TokenId;

namespace {

using Arcs = std::vector<std::uint32_t>;
using Words = std::vector<TokenId>;

template <class T>
std::span<const T> view(const Input<T, 1>& array) {
  return {array.data(), array.size()};
}

std::uint16_t place(std::size_t at) {
  if (at > 0xFFFF) throw data_error("Place " + std::to_string(at) + " is beyond the longest sentence, of 65534 words.");
  return static_cast<std::uint16_t>(at);
}

template <class Member>
auto arcs_of(const Hypergraph& graph, Member member) {
  using T = std::remove_cvref_t<decltype(graph.arcs()[0].*member)>;
  std::vector<T> values;
  values.reserve(graph.arcs().size());
  for (const auto& arc : graph.arcs()) values.push_back(arc.*member);
  return owned_array(std::move(values));
}

phrase::Path checked_path(const Hypergraph& graph, const Arcs& arcs) {
  for (const auto arc : arcs) {
    if (arc >= graph.arcs().size()) throw data_error("The graph has no arc " + std::to_string(arc) + ".");
  }
  return {0, arcs};
}

std::vector<std::tuple<double, Arcs>> n_best(const Hypergraph& graph, std::size_t n, bool distinct) {
  std::vector<phrase::Path> paths;
  {
    nb::gil_scoped_release unlocked;
    paths = phrase::n_best(graph, n, distinct);
  }
  std::vector<std::tuple<double, Arcs>> all;
  for (auto& path : paths) all.emplace_back(path.score, std::move(path.arcs));
  return all;
}

using Completed = std::tuple<double, Arcs, std::size_t, std::size_t>;

Completed as_tuple(phrase::Completion&& found) {
  return {found.path.score, std::move(found.path.arcs), found.n_words, found.edits};
}

void bind_constraints(nb::module_& m) {
  nb::class_<Constraints>(m, "Constraints", "What is asked of one sentence beyond its words.")
      .def(nb::init<>())
      .def(
          "give",
          [](Constraints& all, std::size_t begin, std::size_t end, Words words, std::vector<float> values,
             bool exclusive) {
            all.given.push_back({{place(begin), place(end)}, std::move(words), std::move(values), exclusive});
          },
          "begin"_a, "end"_a, "words"_a, "values"_a, "exclusive"_a,
          "A translation of source words [begin, end); exclusive: their only one.")
      .def(
          "wall", [](Constraints& all, std::size_t at) { all.walls.push_back(place(at)); }, "at"_a,
          "Translate all before this place before anything behind it.")
      .def(
          "require",
          [](Constraints& all, Words words, bool prefix, Words next, Words copies, bool artificial) {
            all.target = phrase::Target{std::move(words), prefix, std::move(next), std::move(copies), artificial};
          },
          "words"_a, "prefix"_a, "next"_a, "copies"_a, "artificial"_a, "What the translation must say, or begin with.")
      .def(
          "lattice",
          [](Constraints& all, std::size_t n_nodes, const std::vector<std::tuple<std::size_t, std::size_t, TokenId, float>>& arcs) {
            phrase::Lattice lattice;
            lattice.n_nodes = place(n_nodes);
            for (const auto& [from, to, word, score] : arcs) {
              lattice.arcs.push_back({place(from), place(to), word, score});
            }
            lattice.check();
            all.lattice = std::move(lattice);
          },
          "n_nodes"_a, "arcs"_a, "Translate a lattice in the place of the words: arcs from, to, word (-2: none), score.");
}

void bind_graph(nb::module_& m) {
  nb::class_<Hypergraph>(m, "Hypergraph", "Everything a search found.")
      .def_prop_ro("n_nodes", &Hypergraph::n_nodes)
      .def_prop_ro("n_source", &Hypergraph::n_source)
      .def_prop_ro("n_features", &Hypergraph::n_features)
      .def_prop_ro(
          "arc_from", [](const Hypergraph& graph) { return arcs_of(graph, &Hypergraph::Arc::from); },
          nb::rv_policy::move, nb::sig("def arc_from(self) -> NDArray[numpy.uint32]"))
      .def_prop_ro(
          "arc_to", [](const Hypergraph& graph) { return arcs_of(graph, &Hypergraph::Arc::to); },
          nb::rv_policy::move, nb::sig("def arc_to(self) -> NDArray[numpy.uint32]"))
      .def_prop_ro(
          "arc_phrases", [](const Hypergraph& graph) { return arcs_of(graph, &Hypergraph::Arc::phrase); },
          nb::rv_policy::move, nb::sig("def arc_phrases(self) -> NDArray[numpy.uint32]"), "Number of each arc's phrase; 2**32 - 1: the end.")
      .def_prop_ro(
          "arc_scores", [](const Hypergraph& graph) { return arcs_of(graph, &Hypergraph::Arc::score); },
          nb::rv_policy::move, nb::sig("def arc_scores(self) -> NDArray[numpy.float32]"))
      .def_prop_ro(
          "arc_features",
          [](const Hypergraph& graph) {
            return to_array(std::vector<float>(graph.features().begin(), graph.features().end()),
                            {graph.n_features() ? graph.arcs().size() : 0, graph.n_features()});
          },
          nb::rv_policy::move, nb::sig("def arc_features(self) -> NDArray[numpy.float32]"))
      .def_prop_ro(
          "phrases",
          [](const Hypergraph& graph) {
            std::vector<std::uint32_t> values;
            for (const auto& each : graph.phrases()) {
              values.insert(values.end(), {each.begin, each.end, each.first_word, each.first_link});
            }
            return to_array(std::move(values), {graph.n_phrases(), 4});
          },
          nb::rv_policy::move, nb::sig("def phrases(self) -> NDArray[numpy.uint32]"), "Source begin, source end, first word, first link.")
      .def_prop_ro(
          "words",
          [](const Hypergraph& graph) { return owned_array(Words(graph.words().begin(), graph.words().end())); },
          nb::rv_policy::move, nb::sig("def words(self) -> NDArray[numpy.int32]"), "The words of the phrases, one after the other.")
      .def("words_of",
           [](const Hypergraph& graph, const Arcs& arcs) { return phrase::words_of(graph, checked_path(graph, arcs)); },
           "arcs"_a, "The target words of a way.")
      .def("n_best", &n_best, "n"_a, "distinct"_a, "The best ways: score and arcs.")
      .def("posteriors",
           [](const Hypergraph& graph, double scale) {
             auto found = phrase::posteriors(graph, scale);
             return nb::make_tuple(owned_array(std::move(found.arcs)), found.log_total);
           },
           "scale"_a, nb::sig("def posteriors(self, scale: float) -> tuple[NDArray[numpy.float64], float]"),
           "The probability of each arc, and the logarithm of what all ways sum to.")
      .def("confidence",
           [](const Hypergraph& graph, const Arcs& arcs, double scale) {
             return phrase::word_confidence(graph, checked_path(graph, arcs), phrase::posteriors(graph, scale).arcs);
           },
           "arcs"_a, "scale"_a, "How probable each word of a way is.")
      .def("complete",
           [](const Hypergraph& graph, const Words& prefix, const Words& next, double edit_cost) {
             return as_tuple(phrase::complete(graph, prefix, next, edit_cost));
           },
           "prefix"_a, "next"_a, "edit_cost"_a, "The way whose beginning is nearest: score, arcs, words, edits.")
      .def("closest",
           [](const Hypergraph& graph, const Words& target) { return as_tuple(phrase::closest(graph, target)); },
           "target"_a, "The way with the fewest word edits: score, arcs, words, edits.")
      .def("bridge",
           [](const Hypergraph& graph, const Words& prefix, const Words& next, const Words& suffix, double edit_cost) {
             return as_tuple(phrase::bridge(graph, prefix, next, suffix, edit_cost));
           },
           "prefix"_a, "next"_a, "suffix"_a, "edit_cost"_a,
           "The way whose beginning and end are nearest: score, arcs, words, edits.")
      .def("oracle",
           [](const Hypergraph& graph, const std::vector<Words>& references,
              const std::vector<std::pair<TokenId, TokenId>>& same, double word, const std::array<double, 4>& match) {
             const auto path = phrase::oracle(graph, references, same, {word, match});
             return nb::make_tuple(path.score, path.arcs);
           },
           "references"_a, "same"_a, "word"_a, "match"_a,
           nb::sig("def oracle(self, references: collections.abc.Sequence[collections.abc.Sequence[int]], same:"
                   " collections.abc.Sequence[tuple[int, int]], word: float, match: collections.abc.Sequence[float]) ->"
                   " tuple[float, list[int]]"),
           "The way with the largest linear gain: score, arcs.")
      .def("pruned", &Hypergraph::pruned, "most_arcs"_a, "The graph with its best arcs alone.")
      .def("reweigh", [](Hypergraph& graph, Input<float, 1> weights) { graph.reweigh(view(weights)); },
           "weights"_a.noconvert(), nb::sig("def reweigh(self, weights: NDArray[numpy.float32]) -> None"),
           "Score every arc anew.")
      .def("serialised",
           [](const Hypergraph& graph) {
             const Bytes file = graph.serialised();
             return nb::bytes(file.data(), file.size());
           },
           "The content of a file.")
      .def_static("loaded", [](nb::bytes file) { return Hypergraph::loaded({file.c_str(), file.size()}); }, "file"_a,
                  "A graph from the content of a file.");
}

}  // namespace

void bind_hypergraph(nb::module_& m) {
  bind_constraints(m);
  bind_graph(m);
  m.def(
      "hypergraphs",
      [](const phrase::Engine& engine, Input<TokenId, 1> source, Input<std::int64_t, 1> offsets,
         Input<float, 1> weights, const phrase::DecodeOptions& limits, nb::object constraints, bool features,
         unsigned n_threads, const phrase::SparseWeights* sparse) {
        const auto asked = constraints_of(constraints);
        nb::gil_scoped_release unlocked;
        return phrase::hypergraphs(engine, {view(source), view(offsets), asked}, {view(weights), sparse}, limits, features,
                                   n_threads);
      },
      "engine"_a, "source"_a.noconvert(), "offsets"_a.noconvert(), "weights"_a.noconvert(), "limits"_a, nb::kw_only(),
      "constraints"_a.none(), "features"_a, "n_threads"_a, "sparse"_a = nb::none(),
      nb::sig("def hypergraphs(engine: Engine, source: NDArray[numpy.int32], offsets: NDArray[numpy.int64], weights:"
              " NDArray[numpy.float32], limits: DecodeOptions, *, constraints: collections.abc.Sequence[Constraints |"
              " None] | None, features: bool, n_threads: int, sparse: SparseWeights | None = None) -> list[Hypergraph]"),
      "The search hypergraphs of sentences.");
  m.def(
      "minimum_risk",
      [](Input<TokenId, 1> words, Input<std::int64_t, 1> word_offsets, Input<double, 1> scores,
         Input<std::int64_t, 1> path_offsets, double scale, bool document, unsigned n_threads) {
        std::vector<std::int64_t> chosen;
        {
          nb::gil_scoped_release unlocked;
          chosen = phrase::minimum_risk(view(words), view(word_offsets), view(scores), view(path_offsets),
                                        {scale, document, n_threads});
        }
        return owned_array(std::move(chosen));
      },
      "words"_a.noconvert(), "word_offsets"_a.noconvert(), "scores"_a.noconvert(), "path_offsets"_a.noconvert(),
      nb::kw_only(), "scale"_a, "document"_a, "n_threads"_a,
      nb::sig("def minimum_risk(words: NDArray[numpy.int32], word_offsets: NDArray[numpy.int64], scores:"
              " NDArray[numpy.float64], path_offsets: NDArray[numpy.int64], *, scale: float, document: bool, n_threads:"
              " int) -> NDArray[numpy.int64]"),
      "Of each sentence's translations the one most like the others, counted from its first; -1: it has none.");
  m.def(
      "permutation_complexity",
      [](const std::vector<std::tuple<std::uint16_t, std::uint16_t>>& blocks) {
        std::vector<Span> spans;
        for (const auto& [begin, end] : blocks) spans.push_back({begin, end});
        return phrase::permutation_complexity(spans);
      },
      "blocks"_a, "How many blocks the largest join of a permutation parser takes.");
}

}  // namespace dragoman::bindings
