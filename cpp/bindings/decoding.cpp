#include <nanobind/stl/vector.h>

#include "areas.hpp"
#include "arrays.hpp"
#include "dragoman/phrase/batch.hpp"

namespace dragoman::bindings {

using phrase::SearchSummary;
using phrase::Translations;

namespace {

using Owned = nb::pointer_and_handle<Translations>;

/// A read-only array that looks into translations and keeps them alive.
template <class T>
auto column(std::vector<T> Translations::*member) {
  return [member](Owned all) { return borrowed_array(std::span<const T>(all.p->*member), all.h); };
}

template <class T>
auto rows(std::vector<T> Translations::*member, std::size_t width) {
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

void bind_decoding(nb::module_& m) {
  bind_summary(m);
  nb::class_<Translations>(m, "Translations",
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
      .def_prop_ro("hypotheses", [](const Translations& all) { return all.effort.hypotheses; }, "How many were scored.")
      .def_prop_ro("lm_queries", [](const Translations& all) { return all.effort.lm_queries; });
}

}  // namespace dragoman::bindings
