#include "dragoman/corpus/retrieval.hpp"

#include <nanobind/stl/optional.h>

#include <optional>

#include "areas.hpp"
#include "arrays.hpp"

namespace dragoman::bindings::retrieval_area {

using namespace nb::literals;
using corpus::InvertedIndex;
using corpus::RetrievalOptions;
using corpus::TokenRows;
using corpus::Weighting;

namespace {

using Ids = Input<std::int32_t, 1>;
using Offsets = Input<std::int64_t, 1>;
using Weights = std::optional<Input<float, 1>>;

TokenRows rows_of(const Ids& ids, const Offsets& offsets, const Weights& weights = std::nullopt) {
  return {span_of(ids), span_of(offsets), weights ? span_of(*weights) : std::span<const float>()};
}

void make(InvertedIndex* place, Ids ids, Offsets offsets, std::int32_t n_terms, Weighting weighting, double k1,
          double b, unsigned n_threads) {
  nb::gil_scoped_release unlocked;
  new (place) InvertedIndex(rows_of(ids, offsets), n_terms, {weighting, k1, b}, n_threads);
}

nb::tuple best(const InvertedIndex& index, Ids ids, Offsets offsets, std::int32_t k, Weights weights,
               unsigned n_threads) {
  corpus::Hits hits;
  {
    nb::gil_scoped_release unlocked;
    hits = index.best(rows_of(ids, offsets, weights), k, n_threads);
  }
  const std::size_t width = static_cast<std::size_t>(k), rows = hits.documents.size() / width;
  return nb::make_tuple(to_array(std::move(hits.documents), {rows, width}),
                        to_array(std::move(hits.scores), {rows, width}));
}

auto sums(const InvertedIndex& index, Ids ids, Offsets offsets, Weights weights, unsigned n_threads) {
  std::vector<double> totals;
  {
    nb::gil_scoped_release unlocked;
    totals = index.sums(rows_of(ids, offsets, weights), n_threads);
  }
  const std::size_t n = totals.size();
  return to_array(std::move(totals), {n});
}

}  // namespace

void bind(nb::module_& m) {
  nb::enum_<Weighting>(m, "Weighting")
      .value("BM25", Weighting::kBm25)
      .value("CLASSIC", Weighting::kClassic)
      .value("COSINE", Weighting::kCosine);
  nb::class_<InvertedIndex>(m, "InvertedIndex", "Documents by their terms, given as int32 ids and int64 offsets.")
      .def("__init__", &make, "ids"_a.noconvert(), "offsets"_a.noconvert(), nb::kw_only(), "n_terms"_a,
           "weighting"_a = RetrievalOptions{}.weighting, "k1"_a = RetrievalOptions{}.k1, "b"_a = RetrievalOptions{}.b,
           "n_threads"_a = 1,
           nb::sig("def __init__(self, ids: NDArray[numpy.int32], offsets: NDArray[numpy.int64], *, n_terms: int, "
                   "weighting: Weighting = ..., k1: float = 1.2, b: float = 0.75, n_threads: int = 1) -> None"))
      .def_prop_ro("n_documents", &InvertedIndex::n_documents)
      .def_prop_ro("n_postings", &InvertedIndex::n_postings)
      .def("best", &best, "ids"_a.noconvert(), "offsets"_a.noconvert(), "k"_a, nb::kw_only(),
           "weights"_a.noconvert() = nb::none(), "n_threads"_a = 1,
           nb::sig("def best(self, ids: NDArray[numpy.int32], offsets: NDArray[numpy.int64], k: int, *, "
                   "weights: NDArray[numpy.float32] | None = None, n_threads: int = 1) -> "
                   "tuple[NDArray[numpy.int32], NDArray[numpy.float32]]"),
           "The k best documents of each query and their scores, (queries, k); -1 and 0 where fewer are met.")
      .def("sums", &sums, "ids"_a.noconvert(), "offsets"_a.noconvert(), nb::kw_only(),
           "weights"_a.noconvert() = nb::none(), "n_threads"_a = 1,
           nb::sig("def sums(self, ids: NDArray[numpy.int32], offsets: NDArray[numpy.int64], *, "
                   "weights: NDArray[numpy.float32] | None = None, n_threads: int = 1) -> NDArray[numpy.float64]"),
           "What the scores of each document for all queries add up to, (documents,).");
}

}  // namespace dragoman::bindings::retrieval_area
