#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <optional>
#include <string>

#include "arrays.hpp"
#include "chart.hpp"
#include "constraints.hpp"
#include "dragoman/chart/batch.hpp"
#include "dragoman/core/errors.hpp"

namespace dragoman::bindings::chart_area {

using namespace nb::literals;
using chart::Engine;
using phrase::TokenId;

namespace {

using NamedFeature = std::tuple<std::string, std::map<std::string, std::vector<std::int32_t>>>;
using NamedModel = std::tuple<std::string, std::shared_ptr<lm::Model>, std::vector<lm::WordId>>;

std::unique_ptr<Engine> make_engine(std::shared_ptr<chart::RuleTable> table, const std::vector<NamedModel>& models,
                                    std::vector<std::string> names, std::vector<chart::Label> unknown_labels,
                                    std::uint32_t any_source, unsigned span, std::vector<std::string> given,
                                    const std::vector<NamedFeature>& features) {
  std::vector<phrase::LanguageModelUse> model_uses;
  for (const auto& [name, model, ids] : models) model_uses.push_back({model, ids, name});
  std::vector<phrase::Engine::More> more;
  for (const auto& [name, resources] : features) {
    more.push_back({name, phrase::make_feature(name, {resources.begin(), resources.end()})});
  }
  chart::GrammarUse use{std::move(table), std::move(names), std::move(unknown_labels), any_source, span};
  return std::make_unique<Engine>(std::move(use), std::move(model_uses), std::move(given), std::move(more));
}

/// Labelled spans of sentences as they come: rows of beginning, end and source label, and where those of a sentence
/// begin.
using Spans = std::optional<std::tuple<Input<std::uint32_t, 2>, Input<std::int64_t, 1>>>;

chart::SourceLabels labels_of(const Spans& spans) {
  if (!spans) return {};
  const auto& [rows, offsets] = *spans;
  if (rows.shape(1) != 3) throw data_error("A labelled span has a beginning, an end and a label.");
  static_assert(sizeof(chart::LabelledSpan) == 12);
  const auto own = span_of(offsets);
  if (own.empty() || own.back() != static_cast<std::int64_t>(rows.shape(0))) {
    throw data_error("The labelled spans of the sentences must be all that there are.");
  }
  return {{reinterpret_cast<const chart::LabelledSpan*>(rows.data()), rows.shape(0)}, own};
}

phrase::Translations decode(const Engine& engine, Input<TokenId, 1> source, Input<std::int64_t, 1> offsets,
                            Input<float, 1> weights, const phrase::DecodeOptions& limits, unsigned n_best,
                            bool distinct, bool features, unsigned n_threads, nb::object constraints, bool confidence,
                            double scale, const phrase::SparseWeights* sparse, bool summary,
                            std::optional<Input<std::int32_t, 1>> layer, const Spans& spans) {
  const auto asked = constraints_of(constraints);
  const auto annotation = layer ? span_of(*layer) : std::span<const std::int32_t>();
  const auto labels = labels_of(spans);
  nb::gil_scoped_release unlocked;
  return chart::decode(engine, {span_of(source), span_of(offsets), asked, annotation}, labels,
                       {span_of(weights), sparse}, limits,
                       {n_best, distinct, features, confidence, scale, summary, n_threads});
}

std::vector<graph::Hypergraph> hypergraphs(const Engine& engine, Input<TokenId, 1> source,
                                           Input<std::int64_t, 1> offsets, Input<float, 1> weights,
                                           const phrase::DecodeOptions& limits, nb::object constraints, bool features,
                                           unsigned n_threads, const phrase::SparseWeights* sparse,
                                           std::optional<Input<std::int32_t, 1>> layer, const Spans& spans) {
  const auto asked = constraints_of(constraints);
  const auto annotation = layer ? span_of(*layer) : std::span<const std::int32_t>();
  const auto labels = labels_of(spans);
  nb::gil_scoped_release unlocked;
  return chart::hypergraphs(engine, {span_of(source), span_of(offsets), asked, annotation}, labels,
                            {span_of(weights), sparse}, limits, features, n_threads);
}

}  // namespace

void bind(nb::module_& m) {
  nb::class_<Engine>(m, "Engine", "The rules of a grammar and language models, ready to translate.")
      .def_static(
          "make", &make_engine, "table"_a, "language_models"_a, nb::kw_only(), "names"_a, "unknown_labels"_a,
          "any_source"_a, "span"_a, "given"_a = std::vector<std::string>{}, "features"_a = std::vector<NamedFeature>{},
          "`language_models`: name, model, and its number for each target word. `names`: of the rules' scores."
          " `unknown_labels`: what words without a rule are called. `any_source`: the source name that may stand"
          " over every span. `span`: source words that a rule with gaps may cover; 0: any number.")
      .def_prop_ro("n_features", &Engine::n_features)
      .def("names", &Engine::names, "The names of the features, in the order of the weights.")
      .def("decode", &decode, "source"_a.noconvert(), "offsets"_a.noconvert(), "weights"_a.noconvert(), "limits"_a,
           nb::kw_only(), "n_best"_a, "distinct"_a, "features"_a, "n_threads"_a, "constraints"_a = nb::none(),
           "confidence"_a = false, "scale"_a = 1.0, "sparse"_a = nb::none(), "summary"_a = false,
           "layer"_a.noconvert() = nb::none(), "spans"_a.noconvert() = nb::none(),
           nb::sig(
               "def decode(self, source: NDArray[numpy.int32], offsets: NDArray[numpy.int64], weights:"
               " NDArray[numpy.float32], limits: dragoman._core.phrase.DecodeOptions, *, n_best: int, distinct: bool,"
               " features: bool, n_threads: int, constraints:"
               " collections.abc.Sequence[dragoman._core.phrase.Constraints | None] | None = None, confidence: bool ="
               " False, scale: float = 1.0, sparse: dragoman._core.phrase.SparseWeights | None = None, summary: bool ="
               " False, layer: NDArray[numpy.int32] | None = None, spans: tuple[NDArray[numpy.uint32],"
               " NDArray[numpy.int64]] | None = None) -> dragoman._core.phrase.Translations"),
           "Translations of sentences, flat. `spans`: beginning, end and source label of spans, and where those of each"
           " sentence begin.")
      .def("hypergraphs", &hypergraphs, "source"_a.noconvert(), "offsets"_a.noconvert(), "weights"_a.noconvert(),
           "limits"_a, nb::kw_only(), "constraints"_a.none() = nb::none(), "features"_a = false, "n_threads"_a = 1,
           "sparse"_a = nb::none(), "layer"_a.noconvert() = nb::none(), "spans"_a.noconvert() = nb::none(),
           nb::sig(
               "def hypergraphs(self, source: NDArray[numpy.int32], offsets: NDArray[numpy.int64], weights:"
               " NDArray[numpy.float32], limits: dragoman._core.phrase.DecodeOptions, *, constraints:"
               " collections.abc.Sequence[dragoman._core.phrase.Constraints | None] | None = None, features: bool ="
               " False, n_threads: int = 1, sparse: dragoman._core.phrase.SparseWeights | None = None, layer:"
               " NDArray[numpy.int32] | None = None, spans: tuple[NDArray[numpy.uint32], NDArray[numpy.int64]] | None"
               " = None) -> list[dragoman._core.graph.Hypergraph]"),
           "The search hypergraphs of sentences: forests.");
}

}  // namespace dragoman::bindings::chart_area
