#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "areas.hpp"
#include "arrays.hpp"
#include "constraints.hpp"
#include "dragoman/phrase/batch.hpp"
#include "dragoman/phrase/blocks.hpp"
#include "dragoman/phrase/mbr.hpp"

namespace dragoman::bindings::decoding_area {

using namespace nb::literals;
using phrase::SearchSummary;
using phrase::Span;
using phrase::TokenId;
using phrase::Translations;

namespace {

using Owned = nb::pointer_and_handle<Translations>;

/// A read-only array that looks into translations and keeps them alive.
template <class T>
auto column(std::vector<T> Translations::* member) {
  return [member](Owned all) { return borrowed_array(std::span<const T>(all.p->*member), all.h); };
}

template <class T>
auto rows(std::vector<T> Translations::* member, std::size_t width) {
  return [member, width](Owned all) {
    const auto& values = all.p->*member;
    return nb::ndarray<nb::numpy, const T, nb::ndim<2>>(values.data(), {values.size() / width, width}, all.h);
  };
}

void bind_summary(nb::module_& m) {
  nb::class_<phrase::Spread>(m, "Spread", "What a number is over the steps of a search.")
      .def_ro("mean", &phrase::Spread::mean)
      .def_ro("variance", &phrase::Spread::variance)
      .def_ro("least", &phrase::Spread::least)
      .def_ro("most", &phrase::Spread::most);
  nb::class_<SearchSummary>(m, "SearchSummary", "A search in a few numbers.")
      .def_ro("n_nodes", &SearchSummary::n_nodes)
      .def_ro("n_dead", &SearchSummary::n_dead, "Nodes from which no step reached the end.")
      .def_ro("n_arcs", &SearchSummary::n_arcs)
      .def_ro("n_options", &SearchSummary::n_options, "Translations of source phrases at hand.")
      .def_ro("option_words", &SearchSummary::option_words, "Source words of the options.")
      .def_ro("spreads", &SearchSummary::spreads,
              "Over arcs: each feature, the weighted score, the estimate of what is still to come.");
}

}  // namespace

void bind(nb::module_& m) {
  bind_summary(m);
  nb::class_<Translations>(
      m, "Translations",
      "Translations of sentences, flat: those of sentence i are the paths [path_offsets[i], "
      "path_offsets[i + 1]), best first; the words of path p [word_offsets[p], word_offsets[p + 1]), …")
      .def_prop_ro("path_offsets", column(&Translations::path_offsets),
                   nb::sig("def path_offsets(self) -> NDArray[numpy.int64]"))
      .def_prop_ro("word_offsets", column(&Translations::word_offsets),
                   nb::sig("def word_offsets(self) -> NDArray[numpy.int64]"))
      .def_prop_ro("link_offsets", column(&Translations::link_offsets),
                   nb::sig("def link_offsets(self) -> NDArray[numpy.int64]"))
      .def_prop_ro("phrase_offsets", column(&Translations::phrase_offsets),
                   nb::sig("def phrase_offsets(self) -> NDArray[numpy.int64]"))
      .def_prop_ro("words", column(&Translations::words), nb::sig("def words(self) -> NDArray[numpy.int32]"),
                   "A negative one, -2 - i, is the source's word i.")
      .def_prop_ro("links", rows(&Translations::links, 2), nb::sig("def links(self) -> NDArray[numpy.uint16]"),
                   "Place in the source, place in the target.")
      .def_prop_ro("phrases", rows(&Translations::phrases, 3), nb::sig("def phrases(self) -> NDArray[numpy.uint16]"),
                   "Source begin, source end, target words; in the order of the target.")
      .def_prop_ro("scores", column(&Translations::scores), nb::sig("def scores(self) -> NDArray[numpy.float64]"))
      .def_prop_ro(
          "features",
          [](Owned all) {
            const auto& values = all.p->features;
            const std::size_t n = values.empty() ? 0 : all.p->scores.size();
            return nb::ndarray<nb::numpy, const double, nb::ndim<2>>(values.data(), {n, all.p->n_features}, all.h);
          },
          nb::sig("def features(self) -> NDArray[numpy.float64]"), "A row for each path, if asked for.")
      .def_prop_ro("sparse_offsets", column(&Translations::sparse_offsets),
                   nb::sig("def sparse_offsets(self) -> NDArray[numpy.int64]"))
      .def_prop_ro("sparse_keys", column(&Translations::sparse_keys),
                   nb::sig("def sparse_keys(self) -> NDArray[numpy.uint64]"))
      .def_prop_ro("sparse_values", column(&Translations::sparse_values),
                   nb::sig("def sparse_values(self) -> NDArray[numpy.float32]"))
      .def_prop_ro("confidences", column(&Translations::confidences),
                   nb::sig("def confidences(self) -> NDArray[numpy.float32]"), "One for each word, if asked for.")
      .def_ro("summaries", &Translations::summaries, "One for each sentence, if asked for.")
      .def_prop_ro(
          "hypotheses", [](const Translations& all) { return all.effort.hypotheses; }, "How many were scored.")
      .def_prop_ro("lm_queries", [](const Translations& all) { return all.effort.lm_queries; });
  m.def(
      "hypergraphs",
      [](const phrase::Engine& engine, Input<TokenId, 1> source, Input<std::int64_t, 1> offsets,
         Input<float, 1> weights, const phrase::DecodeOptions& limits, nb::object constraints, bool features,
         unsigned n_threads, const phrase::SparseWeights* sparse, std::optional<Input<std::int32_t, 1>> layer) {
        const auto asked = constraints_of(constraints);
        const auto annotation = layer ? span_of(*layer) : std::span<const std::int32_t>();
        nb::gil_scoped_release unlocked;
        return phrase::hypergraphs(engine, {span_of(source), span_of(offsets), asked, annotation},
                                   {span_of(weights), sparse}, limits, features, n_threads);
      },
      "engine"_a, "source"_a.noconvert(), "offsets"_a.noconvert(), "weights"_a.noconvert(), "limits"_a, nb::kw_only(),
      "constraints"_a.none(), "features"_a, "n_threads"_a, "sparse"_a = nb::none(), "layer"_a = nb::none(),
      nb::sig("def hypergraphs(engine: Engine, source: NDArray[numpy.int32], offsets: NDArray[numpy.int64], weights:"
              " NDArray[numpy.float32], limits: DecodeOptions, *, constraints: collections.abc.Sequence[Constraints |"
              " None] | None, features: bool, n_threads: int, sparse: SparseWeights | None = None,"
              " layer: NDArray[numpy.int32] | None = None) -> list[dragoman._core.graph.Hypergraph]"),
      "The search hypergraphs of sentences.");
  m.def(
      "minimum_risk",
      [](Input<TokenId, 1> words, Input<std::int64_t, 1> word_offsets, Input<double, 1> scores,
         Input<std::int64_t, 1> path_offsets, double scale, bool document, unsigned n_threads) {
        std::vector<std::int64_t> chosen;
        {
          nb::gil_scoped_release unlocked;
          chosen = phrase::minimum_risk(span_of(words), span_of(word_offsets), span_of(scores), span_of(path_offsets),
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
      "pairwise_gains",
      [](Input<TokenId, 1> words, Input<std::int64_t, 1> word_offsets, Input<std::int64_t, 1> path_offsets,
         unsigned n_threads) {
        std::vector<float> gains;
        {
          nb::gil_scoped_release unlocked;
          gains = phrase::pairwise_gains(span_of(words), span_of(word_offsets), span_of(path_offsets), n_threads);
        }
        return owned_array(std::move(gains));
      },
      "words"_a.noconvert(), "word_offsets"_a.noconvert(), "path_offsets"_a.noconvert(), nb::kw_only(), "n_threads"_a,
      nb::sig("def pairwise_gains(words: NDArray[numpy.int32], word_offsets: NDArray[numpy.int64], path_offsets:"
              " NDArray[numpy.int64], *, n_threads: int) -> NDArray[numpy.float32]"),
      "Sentence BLEU of each translation against each of the same sentence: squares behind one another.");
  m.def(
      "permutation_complexity",
      [](const std::vector<std::tuple<std::uint16_t, std::uint16_t>>& blocks) {
        std::vector<Span> spans;
        for (const auto& [begin, end] : blocks) spans.push_back({begin, end});
        return phrase::permutation_complexity(spans);
      },
      "blocks"_a, "How many blocks the largest join of a permutation parser takes.");
}

}  // namespace dragoman::bindings::decoding_area
