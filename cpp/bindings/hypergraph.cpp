#include "dragoman/graph/hypergraph.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>

#include "areas.hpp"
#include "arrays.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/graph/completion.hpp"
#include "dragoman/graph/kbest.hpp"
#include "dragoman/graph/oracle.hpp"
#include "dragoman/graph/posteriors.hpp"

namespace dragoman::bindings::hypergraph_area {

using namespace nb::literals;
using graph::Hypergraph;
using graph::TokenId;

namespace {

using Arcs = std::vector<std::uint32_t>;
using Words = std::vector<TokenId>;

template <class Member>
auto arcs_of(const Hypergraph& graph, Member member) {
  using T = std::remove_cvref_t<decltype(graph.arcs()[0].*member)>;
  std::vector<T> values;
  values.reserve(graph.arcs().size());
  for (const auto& arc : graph.arcs()) values.push_back(arc.*member);
  return owned_array(std::move(values));
}

graph::Path checked_path(const Hypergraph& graph, const Arcs& arcs) {
  for (const auto arc : arcs) {
    if (arc >= graph.arcs().size()) throw data_error("The graph has no arc " + std::to_string(arc) + ".");
  }
  return {0, arcs};
}

std::vector<std::tuple<double, Arcs>> n_best(const Hypergraph& graph, std::size_t n, bool distinct) {
  std::vector<graph::Path> paths;
  {
    nb::gil_scoped_release unlocked;
    paths = graph::n_best(graph, n, distinct);
  }
  std::vector<std::tuple<double, Arcs>> all;
  for (auto& path : paths) all.emplace_back(path.score, std::move(path.arcs));
  return all;
}

using Completed = std::tuple<double, Arcs, std::size_t, std::size_t>;

Completed as_tuple(graph::Completion&& found) {
  return {found.path.score, std::move(found.path.arcs), found.n_words, found.edits};
}

void bind_builder(nb::module_& m) {
  using graph::HypergraphBuilder;
  nb::class_<HypergraphBuilder>(m, "HypergraphBuilder", "Puts a graph together, node by node; node 0 is there already.")
      .def(nb::init<std::size_t, std::size_t>(), "n_source"_a, "n_features"_a = 0)
      .def(
          "add_phrase",
          [](HypergraphBuilder& builder, std::uint32_t begin, std::uint32_t end, const Words& words,
             const std::vector<std::tuple<std::uint8_t, std::uint8_t>>& links) {
            std::vector<graph::Link> all;
            for (const auto& [source, target] : links) all.push_back({source, target});
            return builder.add_phrase(begin, end, words, all);
          },
          "begin"_a, "end"_a, "words"_a, "links"_a = std::vector<std::tuple<std::uint8_t, std::uint8_t>>{},
          "The number of a phrase over the source words [begin, end); a word gap(k) stands for the words of tail k.")
      .def("add_node", &HypergraphBuilder::add_node, "The number of the next node, where the arcs that follow lead.")
      .def(
          "add_arc",
          [](HypergraphBuilder& builder, const Arcs& tails, std::optional<std::uint32_t> phrase, float score,
             const std::vector<float>& features) {
            builder.add_arc(tails, phrase.value_or(Hypergraph::kNoPhrase), score, features);
          },
          "tails"_a, "phrase"_a.none(), "score"_a, "features"_a = std::vector<float>{}, "An arc to the last node.")
      .def("finish", &HypergraphBuilder::finish, "The graph; the last node is its end. Nothing can be added behind.");
  m.def(
      "gap",
      [](std::size_t tail) {
        if (tail >= graph::kMostTails) throw data_error("A phrase has at most 256 gaps.");
        return graph::gap(tail);
      },
      "tail"_a, "The word that stands for those of a tail.");
}

}  // namespace

void bind(nb::module_& m) {
  nb::class_<Hypergraph>(m, "Hypergraph", "Everything a search found.")
      .def_prop_ro("n_nodes", &Hypergraph::n_nodes)
      .def_prop_ro("n_source", &Hypergraph::n_source)
      .def_prop_ro("n_features", &Hypergraph::n_features)
      .def_prop_ro("is_many_tailed", &Hypergraph::is_many_tailed,
                   "Whether arcs may have other numbers of tails than one.")
      .def_prop_ro(
          "arc_tails",
          [](const Hypergraph& graph) {
            std::vector<std::uint32_t> all;
            for (std::size_t i = 0; i < graph.arcs().size(); ++i) {
              all.insert(all.end(), graph.tails(i).begin(), graph.tails(i).end());
            }
            return owned_array(std::move(all));
          },
          nb::rv_policy::move, nb::sig("def arc_tails(self) -> NDArray[numpy.uint32]"),
          "The tails of the arcs, one arc after the other.")
      .def_prop_ro(
          "tail_offsets",
          [](const Hypergraph& graph) {
            std::vector<std::uint32_t> all{0};
            for (std::size_t i = 0; i < graph.arcs().size(); ++i) {
              all.push_back(all.back() + static_cast<std::uint32_t>(graph.tails(i).size()));
            }
            return owned_array(std::move(all));
          },
          nb::rv_policy::move, nb::sig("def tail_offsets(self) -> NDArray[numpy.uint32]"),
          "Where in `arc_tails` those of each arc begin; one more than there are arcs.")
      .def_prop_ro(
          "arc_to", [](const Hypergraph& graph) { return arcs_of(graph, &Hypergraph::Arc::to); }, nb::rv_policy::move,
          nb::sig("def arc_to(self) -> NDArray[numpy.uint32]"))
      .def_prop_ro(
          "arc_phrases", [](const Hypergraph& graph) { return arcs_of(graph, &Hypergraph::Arc::phrase); },
          nb::rv_policy::move, nb::sig("def arc_phrases(self) -> NDArray[numpy.uint32]"),
          "Number of each arc's phrase; 2**32 - 1: none.")
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
          nb::rv_policy::move, nb::sig("def phrases(self) -> NDArray[numpy.uint32]"),
          "Source begin, source end, first word, first link.")
      .def_prop_ro(
          "words",
          [](const Hypergraph& graph) { return owned_array(Words(graph.words().begin(), graph.words().end())); },
          nb::rv_policy::move, nb::sig("def words(self) -> NDArray[numpy.int32]"),
          "The words of the phrases, one after the other; gap(k): those of tail k stand there.")
      .def(
          "words_of",
          [](const Hypergraph& graph, const Arcs& arcs) { return graph::words_of(graph, checked_path(graph, arcs)); },
          "arcs"_a, "The target words of a derivation.")
      .def(
          "links_of",
          [](const Hypergraph& graph, const Arcs& arcs) { return graph::links_of(graph, checked_path(graph, arcs)); },
          "arcs"_a, "Its word links: places in the source and among its target words.")
      .def("n_best", &n_best, "n"_a, "distinct"_a, "The best derivations: score and arcs.")
      .def(
          "posteriors",
          [](const Hypergraph& graph, double scale) {
            auto found = graph::posteriors(graph, scale);
            return nb::make_tuple(owned_array(std::move(found.arcs)), found.log_total);
          },
          "scale"_a, nb::sig("def posteriors(self, scale: float) -> tuple[NDArray[numpy.float64], float]"),
          "The probability of each arc, and the logarithm of what all derivations sum to.")
      .def(
          "confidence",
          [](const Hypergraph& graph, const Arcs& arcs, double scale) {
            return graph::word_confidence(graph, checked_path(graph, arcs), graph::posteriors(graph, scale).arcs);
          },
          "arcs"_a, "scale"_a, "How probable each word of a derivation is.")
      .def(
          "complete",
          [](const Hypergraph& graph, const Words& prefix, const Words& next, double edit_cost) {
            return as_tuple(graph::complete(graph, prefix, next, edit_cost));
          },
          "prefix"_a, "next"_a, "edit_cost"_a, "The derivation whose beginning is nearest: score, arcs, words, edits.")
      .def(
          "closest",
          [](const Hypergraph& graph, const Words& target) { return as_tuple(graph::closest(graph, target)); },
          "target"_a, "The derivation with the fewest word edits: score, arcs, words, edits.")
      .def(
          "bridge",
          [](const Hypergraph& graph, const Words& prefix, const Words& next, const Words& suffix, double edit_cost) {
            return as_tuple(graph::bridge(graph, prefix, next, suffix, edit_cost));
          },
          "prefix"_a, "next"_a, "suffix"_a, "edit_cost"_a,
          "The derivation whose beginning and end are nearest: score, arcs, words, edits.")
      .def(
          "oracle",
          [](const Hypergraph& graph, const std::vector<Words>& references,
             const std::vector<std::pair<TokenId, TokenId>>& same, double word, const std::array<double, 4>& match) {
            const auto path = graph::oracle(graph, references, same, {word, match});
            return nb::make_tuple(path.score, path.arcs);
          },
          "references"_a, "same"_a, "word"_a, "match"_a,
          nb::sig("def oracle(self, references: collections.abc.Sequence[collections.abc.Sequence[int]], same:"
                  " collections.abc.Sequence[tuple[int, int]], word: float, match: collections.abc.Sequence[float]) ->"
                  " tuple[float, list[int]]"),
          "The derivation with the largest linear gain: score, arcs.")
      .def("pruned", &Hypergraph::pruned, "most_arcs"_a, "The graph with its best arcs alone.")
      .def(
          "reweigh", [](Hypergraph& graph, Input<float, 1> weights) { graph.reweigh(span_of(weights)); },
          "weights"_a.noconvert(), nb::sig("def reweigh(self, weights: NDArray[numpy.float32]) -> None"),
          "Score every arc anew.")
      .def(
          "serialised",
          [](const Hypergraph& graph) {
            const Bytes file = graph.serialised();
            return nb::bytes(file.data(), file.size());
          },
          "The content of a file.")
      .def_static(
          "loaded", [](nb::bytes file) { return Hypergraph::loaded({file.c_str(), file.size()}); }, "file"_a,
          "A graph from the content of a file.");
  bind_builder(m);
}

}  // namespace dragoman::bindings::hypergraph_area
