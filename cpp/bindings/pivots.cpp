#include "dragoman/metrics/pivots.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "areas.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"
#include "runs.hpp"

namespace dragoman::bindings::pivots_area {

using namespace nb::literals;
using metrics::PivotTable;

namespace {

using Numbers = Input<double, 1>;

metrics::PivotRuns runs_of(const Ids& ids, const Offsets& offsets) {
  const auto values = span_of(ids);
  const auto bounds = span_of(offsets);
  return {{values.begin(), values.end()}, {bounds.begin(), bounds.end()}};
}

template <class Array>
auto copied(const Array& array) {
  const auto values = span_of(array);
  return std::vector(values.begin(), values.end());
}

void check_order(std::size_t order) {
  if (order < 1 || order > metrics::kPivotOrders) throw data_error("The order of a pivot's n-grams must be 1 to 4.");
}

nb::dict bag_of(const PivotTable& table, Ids words, std::size_t order, double least) {
  check_order(order);
  nb::dict out;
  for (const auto& [gram, weight] : table.bag(span_of(words), order, least)) {
    nb::list tokens;
    for (const auto token : gram) {
      if (token >= 0) tokens.append(token);
    }
    out[nb::tuple(tokens)] = weight;
  }
  return out;
}

auto rows(const PivotTable& table, Ids hyp_ids, Offsets hyp_offsets, Ids ref_ids, Offsets ref_offsets, Ids lemmas,
          Ids tags, Input<std::uint8_t, 1> function_words, std::size_t order, double least, unsigned n_threads) {
  check_order(order);
  const Runs hyps(hyp_ids, hyp_offsets), refs(ref_ids, ref_offsets);
  if (hyps.size() != refs.size()) throw data_error("There must be one reference per hypothesis.");
  const auto n_kinds = static_cast<std::size_t>(table.n_kinds());
  if (tags.size() != lemmas.size() || function_words.size() != lemmas.size() || lemmas.size() < n_kinds) {
    throw data_error("Lemmas, tags and function words must be of all tokens of the pivot, then of all words.");
  }
  for (const auto* runs : {&hyps, &refs}) runs->check_ids(lemmas.size() - n_kinds);
  std::vector<double> out(hyps.size() * 4 * order);
  {
    nb::gil_scoped_release unlocked;
    const metrics::PivotLexicon lexicon{span_of(lemmas), span_of(tags), span_of(function_words)};
    for_each_chunk(hyps.size(), n_threads, [&](Chunk chunk) {
      for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
        const auto ours = table.bag(hyps[i], order, least), theirs = table.bag(refs[i], order, least);
        std::ranges::copy(metrics::pivot_row(ours, theirs, order, lexicon),
                          out.begin() + static_cast<std::ptrdiff_t>(i * 4 * order));
      }
    });
  }
  const std::size_t n = hyps.size();
  return to_array(std::move(out), {n, 4 * order});
}

}  // namespace

void bind(nb::module_& m) {
  nb::class_<PivotTable>(m, "PivotTable", "Phrases with their translations in another language.")
      .def(
          "__init__",
          [](PivotTable* self, Ids phrases, Offsets phrase_offsets, Numbers counts, Offsets choices, Ids translations,
             Offsets translation_offsets, Numbers p, std::int32_t n_kinds) {
            new (self) PivotTable(runs_of(phrases, phrase_offsets), copied(counts), copied(choices),
                                  runs_of(translations, translation_offsets), copied(p), n_kinds);
          },
          nb::kw_only(), "phrases"_a.noconvert(), "phrase_offsets"_a.noconvert(), "counts"_a.noconvert(),
          "choices"_a.noconvert(), "translations"_a.noconvert(), "translation_offsets"_a.noconvert(), "p"_a.noconvert(),
          "n_kinds"_a)
      .def("__len__", &PivotTable::size)
      .def(
          "cut", [](const PivotTable& self, Ids words) { return self.cut(span_of(words)); }, "words"_a.noconvert(),
          "The phrases of a sentence: where each begins and ends.")
      .def("bag", &bag_of, "words"_a.noconvert(), nb::kw_only(), "order"_a, "least"_a,
           nb::sig("def bag(self, words: NDArray[numpy.int32], *, order: int, least: float) -> dict[tuple[int, ...], "
                   "float]"),
           "The expected number of each n-gram of the pivot; a word without a phrase is n_kinds and its id.")
      .def("rows", &rows, "hyp_ids"_a.noconvert(), "hyp_offsets"_a.noconvert(), "ref_ids"_a.noconvert(),
           "ref_offsets"_a.noconvert(), nb::kw_only(), "lemmas"_a.noconvert(), "tags"_a.noconvert(),
           "function_words"_a.noconvert(), "order"_a, "least"_a, "n_threads"_a = 1,
           "Of sentence pairs, by order of n-grams: weight matched by lemmas, by tags, of the one side, of the other.");
}

}  // namespace dragoman::bindings::pivots_area
