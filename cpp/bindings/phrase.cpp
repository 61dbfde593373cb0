#include <nanobind/stl/array.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <optional>
#include <string>
#include <variant>

#include "areas.hpp"
#include "arrays.hpp"
#include "constraints.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/phrase/batch.hpp"
#include "dragoman/phrase/engine.hpp"
#include "dragoman/phrase/extract.hpp"
#include "dragoman/phrase/table.hpp"

namespace dragoman::bindings::phrase_area {

using namespace nb::literals;
using phrase::Engine;
using phrase::Orientation;
using phrase::PhraseTable;
using phrase::TokenId;

namespace {

template <class T>
std::span<const T> view(const Input<T, 1>& array) {
  return {array.data(), array.size()};
}

nb::tuple extract(Input<TokenId, 1> source, Input<std::int64_t, 1> source_offsets, Input<TokenId, 1> target,
                  Input<std::int64_t, 1> target_offsets, Input<std::uint16_t, 2> points,
                  Input<std::int64_t, 1> point_offsets, const phrase::ExtractOptions& options,
                  const std::optional<Input<float, 1>>& weights) {
  if (source_offsets.size() != target_offsets.size() || source_offsets.size() != point_offsets.size()) {
    throw data_error("Source, target and alignment must have one line for each sentence pair.");
  }
  static_assert(sizeof(phrase::Point) == 4);
  phrase::AlignedBitext bitext{view(source),
                               view(target),
                               view(source_offsets),
                               view(target_offsets),
                               {reinterpret_cast<const phrase::Point*>(points.data()), points.shape(0)},
                               view(point_offsets),
                               weights ? view(*weights) : std::span<const float>{}};
  phrase::ExtractStatistics statistics;
  std::unique_ptr<PhraseTable> table;
  {
    nb::gil_scoped_release unlocked;
    table = phrase::extract(bitext, options, statistics);
  }
  return nb::make_tuple(std::move(table), statistics.n_instances, statistics.n_pairs, statistics.n_kept,
                        statistics.orientations);
}

std::unique_ptr<PhraseTable> on_file(Input<std::uint8_t, 1> file, std::size_t n_target_words) {
  const std::string_view content(reinterpret_cast<const char*>(file.data()), file.size());
  auto owner = std::make_shared<Input<std::uint8_t, 1>>(std::move(file));
  return PhraseTable::on_file(content, std::move(owner), n_target_words);
}

nb::bytes serialised(const PhraseTable& table) {
  Bytes file;
  {
    nb::gil_scoped_release unlocked;
    file = table.serialised();
  }
  return nb::bytes(file.data(), file.size());
}

nb::list find(const PhraseTable& table, Input<TokenId, 1> source) {
  nb::list all;
  const auto run = table.find(view(source));
  for (std::uint32_t i = run.first; i < run.first + run.count; ++i) {
    const auto translation = table.translation(i);
    std::vector<std::tuple<int, int>> links;
    for (const auto& link : translation.links) links.emplace_back(link.source, link.target);
    all.append(nb::make_tuple(std::vector<TokenId>(translation.words.begin(), translation.words.end()), links,
                              std::vector<float>(translation.scores.begin(), translation.scores.end())));
  }
  return all;
}

using Ids = std::vector<lm::WordId>;
using Bilingual = std::shared_ptr<phrase::BilingualView>;
using NamedFeature = std::tuple<std::string, std::map<std::string, std::vector<std::int32_t>>>;
using NamedModel = std::tuple<std::string, std::shared_ptr<lm::Model>, std::variant<Ids, Bilingual>>;

std::unique_ptr<Engine> make_engine(const std::vector<std::tuple<std::shared_ptr<PhraseTable>, unsigned>>& tables,
                                    const std::vector<NamedModel>& models, Orientation orientation,
                                    std::vector<std::string> given, const std::vector<NamedFeature>& features,
                                    const std::vector<std::vector<std::string>>& table_names, bool labelled) {
  if (!table_names.empty() && table_names.size() != tables.size()) {
    throw data_error("There must be names for the features of every table, or of none.");
  }
  std::vector<phrase::TableUse> table_uses;
  for (const auto& [table, n_features] : tables) {
    table_uses.push_back(
        {table, n_features, table_names.empty() ? std::vector<std::string>() : table_names[table_uses.size()]});
  }
  std::vector<phrase::LanguageModelUse> model_uses;
  for (const auto& [name, model, view] : models) {
    model_uses.push_back({model, {}, name});
    if (const auto* const ids = std::get_if<Ids>(&view)) model_uses.back().ids = *ids;
    if (const auto* const bilingual = std::get_if<Bilingual>(&view)) model_uses.back().view = *bilingual;
  }
  std::vector<Engine::More> more;
  for (const auto& [name, resources] : features) {
    more.push_back({name, phrase::make_feature(name, {resources.begin(), resources.end()})});
  }
  return std::make_unique<Engine>(std::move(table_uses), std::move(model_uses), orientation, std::move(given),
                                  std::move(more), labelled);
}

phrase::Translations decode(const Engine& engine, Input<TokenId, 1> source, Input<std::int64_t, 1> offsets,
                            Input<float, 1> weights, const phrase::DecodeOptions& limits, unsigned n_best,
                            bool distinct, bool features, unsigned n_threads, nb::object constraints, bool confidence,
                            double scale, const phrase::SparseWeights* sparse, bool summary,
                            std::optional<Input<std::int32_t, 1>> layer) {
  const auto asked = constraints_of(constraints);
  const auto annotation = layer ? view(*layer) : std::span<const std::int32_t>();
  nb::gil_scoped_release unlocked;
  return phrase::decode(engine, {view(source), view(offsets), asked, annotation}, {view(weights), sparse}, limits,
                        {n_best, distinct, features, confidence, scale, summary, n_threads});
}

}  // namespace

void bind(nb::module_& m) {
  nb::enum_<Orientation>(m, "Orientation", "Which earlier block a phrase is oriented to.")
      .value("none", Orientation::none)
      .value("word", Orientation::word)
      .value("hierarchical", Orientation::hierarchical);

  nb::enum_<phrase::Smoothing>(m, "Smoothing", "How phrase probabilities are made from counts.")
      .value("none", phrase::Smoothing::none)
      .value("good_turing", phrase::Smoothing::good_turing)
      .value("kneser_ney", phrase::Smoothing::kneser_ney);

  nb::enum_<phrase::Hierarchy>(m, "Hierarchy", "How the largest block that ends a translation so far is found.")
      .value("approximate", phrase::Hierarchy::approximate)
      .value("two_reducing", phrase::Hierarchy::two_reducing)
      .value("star_reducing", phrase::Hierarchy::star_reducing);

  nb::class_<phrase::ExtractOptions>(m, "ExtractOptions")
      .def(nb::init<>())
      .def_rw("longest", &phrase::ExtractOptions::longest)
      .def_rw("smoothing", &phrase::ExtractOptions::smoothing)
      .def_rw("orientation", &phrase::ExtractOptions::orientation)
      .def_rw("orientation_smoothing", &phrase::ExtractOptions::orientation_smoothing)
      .def_rw("translations_per_phrase", &phrase::ExtractOptions::translations_per_phrase)
      .def_rw("keep_counts", &phrase::ExtractOptions::keep_counts)
      .def_rw("n_threads", &phrase::ExtractOptions::n_threads);

  nb::class_<phrase::DecodeOptions>(m, "DecodeOptions")
      .def(nb::init<>())
      .def_rw("pop_limit", &phrase::DecodeOptions::pop_limit)
      .def_rw("distortion_limit", &phrase::DecodeOptions::distortion_limit)
      .def_rw("options_per_phrase", &phrase::DecodeOptions::options_per_phrase)
      .def_rw("drop_unknown", &phrase::DecodeOptions::drop_unknown)
      .def_rw("hierarchy", &phrase::DecodeOptions::hierarchy)
      .def_rw("itg", &phrase::DecodeOptions::itg)
      .def_rw("distortion_exponent", &phrase::DecodeOptions::distortion_exponent)
      .def_rw("grow", &phrase::DecodeOptions::grow)
      .def_rw("future_weights", &phrase::DecodeOptions::future_weights);

  nb::class_<PhraseTable>(m, "PhraseTable", "Source phrases and their translations.")
      .def("__len__", &PhraseTable::size)
      .def_prop_ro("n_sources", &PhraseTable::n_sources)
      .def_prop_ro("n_scores", &PhraseTable::n_scores)
      .def_prop_ro("longest", &PhraseTable::longest)
      .def("find", &find, "source"_a.noconvert(),
           nb::sig("def find(self, source: NDArray[numpy.int32]) -> list[tuple[list[int], list[tuple[int, int]],"
                   " list[float]]]"),
           "The translations of a phrase: words, links, scores.")
      .def("serialised", &serialised, "The content of a table file.")
      .def_static("on_file", &on_file, "file"_a.noconvert(), "n_target_words"_a,
                  nb::sig("def on_file(file: memoryview, n_target_words: int) -> PhraseTable"),
                  "A table on the mapped content of a file, with target words of numbers below that.");

  m.def("extract", &extract, "source"_a.noconvert(), "source_offsets"_a.noconvert(), "target"_a.noconvert(),
        "target_offsets"_a.noconvert(), "points"_a.noconvert(), "point_offsets"_a.noconvert(), "options"_a,
        "weights"_a.noconvert() = nb::none(),
        nb::sig("def extract(source: NDArray[numpy.int32], source_offsets: NDArray[numpy.int64], target:"
                " NDArray[numpy.int32], target_offsets: NDArray[numpy.int64], points: NDArray[numpy.uint16],"
                " point_offsets: NDArray[numpy.int64], options: ExtractOptions, weights: NDArray[numpy.float32] |"
                " None = None) -> tuple[PhraseTable, int, int, int, list[float]]"),
        "The phrase table of an aligned bitext, whose pairs may have weights; instances, pairs, pairs kept, "
        "orientations.");

  nb::class_<phrase::BilingualView>(m, "BilingualView", "Target words with the source words that they are linked to.")
      .def(
          "__init__",
          [](phrase::BilingualView* self, Input<TokenId, 1> targets, Input<std::int64_t, 1> offsets,
             Input<TokenId, 1> sources, Input<lm::WordId, 1> ids) {
            new (self) phrase::BilingualView(view(targets), view(offsets), view(sources), view(ids));
          },
          "targets"_a.noconvert(), "offsets"_a.noconvert(), "sources"_a.noconvert(), "ids"_a.noconvert(),
          nb::sig("def __init__(self, targets: NDArray[numpy.int32], offsets: NDArray[numpy.int64], sources:"
                  " NDArray[numpy.int32], ids: NDArray[numpy.uint32]) -> None"),
          "Token i: target word, source words [offsets[i], offsets[i + 1]), the model's number.");

  nb::class_<Engine>(m, "Engine", "Phrase tables and language models, ready to translate.")
      .def_static("make", &make_engine, "tables"_a, "language_models"_a, "orientation"_a,
                  "given"_a = std::vector<std::string>{}, "features"_a = std::vector<NamedFeature>{},
                  "table_names"_a = std::vector<std::vector<std::string>>{}, "labelled"_a = false,
                  "`language_models`: name, model, and its number for each target word or a view. `given`: names of "
                  "features that given translations bring; `features`: more of them, by name, with their tables. "
                  "`labelled`: tables have six orientations of labels, too.")
      .def_prop_ro("n_features", &Engine::n_features)
      .def("names", &Engine::names, "The names of the features, in the order of the weights.")
      .def("decode", &decode, "source"_a.noconvert(), "offsets"_a.noconvert(), "weights"_a.noconvert(), "limits"_a,
           nb::kw_only(), "n_best"_a, "distinct"_a, "features"_a, "n_threads"_a, "constraints"_a = nb::none(),
           "confidence"_a = false, "scale"_a = 1.0, "sparse"_a = nb::none(), "summary"_a = false,
           "layer"_a.noconvert() = nb::none(),
           nb::sig("def decode(self, source: NDArray[numpy.int32], offsets: NDArray[numpy.int64], weights:"
                   " NDArray[numpy.float32], limits: DecodeOptions, *, n_best: int, distinct: bool, features: bool,"
                   " n_threads: int, constraints: collections.abc.Sequence[Constraints | None] | None = None,"
                   " confidence: bool = False, scale: float = 1.0, sparse: SparseWeights | None = None, summary: bool "
                   "= False, layer:"
                   " NDArray[numpy.int32] | None = None) -> Translations"),
           "Translations of sentences, flat.");
}

}  // namespace dragoman::bindings::phrase_area
