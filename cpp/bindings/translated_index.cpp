#include "dragoman/lexical/translated_index.hpp"

#include <algorithm>

#include "areas.hpp"
#include "arrays.hpp"

namespace dragoman::bindings::translated_index_area {

using namespace nb::literals;
using namespace lexical;

namespace {

using Offsets = Input<std::int64_t, 1>;
using Ids = Input<std::int32_t, 1>;
using Values = Input<float, 1>;

void make(TranslatedIndex* self, Ids ids, Offsets offsets, Offsets rows, Ids columns, Values values, Ids literal,
          Input<double, 1> background, double lambda, double beta, unsigned n_threads) {
  nb::gil_scoped_release unlocked;
  new (self) TranslatedIndex({span_of(offsets), span_of(ids)}, {span_of(rows), span_of(columns), span_of(values)},
                             span_of(literal), span_of(background), {lambda, beta}, n_threads);
}

nb::tuple search(const TranslatedIndex& index, Ids ids, Offsets offsets, std::size_t k, Offsets document_numbers,
                 Offsets query_numbers, std::int64_t width, unsigned n_threads) {
  Hits hits;
  {
    nb::gil_scoped_release unlocked;
    hits = index.search({span_of(offsets), span_of(ids)}, k, {span_of(document_numbers), span_of(query_numbers), width},
                        n_threads);
  }
  const std::size_t n = hits.documents.size() / std::max<std::size_t>(1, k);
  return nb::make_tuple(to_array(std::move(hits.documents), {n, k}), to_array(std::move(hits.gains), {n, k}));
}

}  // namespace

void bind(nb::module_& m) {
  nb::class_<TranslatedIndex>(m, "TranslatedIndex", "Documents that queries of another language are looked up in.")
      .def("__init__", &make, "ids"_a.noconvert(), "offsets"_a.noconvert(), "rows"_a.noconvert(),
           "columns"_a.noconvert(), "values"_a.noconvert(), "literal"_a.noconvert(), "background"_a.noconvert(),
           nb::kw_only(), "lambda_"_a, "beta"_a, "n_threads"_a = 1)
      .def("search", &search, "ids"_a.noconvert(), "offsets"_a.noconvert(), nb::kw_only(), "k"_a,
           "document_numbers"_a.noconvert(), "query_numbers"_a.noconvert(), "width"_a, "n_threads"_a = 1,
           nb::sig("def search(self, ids: NDArray[numpy.int32], offsets: NDArray[numpy.int64], *, k: int, "
                   "document_numbers: NDArray[numpy.int64], query_numbers: NDArray[numpy.int64], width: int, "
                   "n_threads: int = 1) -> tuple[NDArray[numpy.int32], NDArray[numpy.float32]]"),
           "The k best documents of each query, -1 where there are fewer, and what they gain over none, in nats.")
      .def("__len__", &TranslatedIndex::n_documents)
      .def_prop_ro("n_postings", &TranslatedIndex::n_postings, "How many gains are kept.");
}

}  // namespace dragoman::bindings::translated_index_area
