#include "areas.hpp"
#include "arrays.hpp"
#include "dragoman/nbest/confidence.hpp"
#include "dragoman/nbest/diversity.hpp"
#include "dragoman/nbest/list_model.hpp"

namespace dragoman::bindings::nbest_area {

using namespace nb::literals;

namespace {

using Words = Input<std::int32_t, 1>;
using Offsets = Input<std::int64_t, 1>;

template <class T>
std::span<const T> view(const Input<T, 1>& array) {
  return {array.data(), array.size()};
}

nbest::Lists lists_of(const Words& outputs, const Offsets& output_offsets, const Words& entries,
                      const Offsets& entry_offsets, const Offsets& list_offsets) {
  return {view(outputs), view(output_offsets), view(entries), view(entry_offsets), view(list_offsets)};
}

nb::tuple confidences(Words outputs, Offsets output_offsets, Words entries, Offsets entry_offsets, Offsets list_offsets,
                      Input<double, 2> weights, unsigned n_threads) {
  nbest::Confidences found;
  const std::size_t n_weightings = weights.shape(1);
  {
    nb::gil_scoped_release unlocked;
    found = nbest::confidences(lists_of(outputs, output_offsets, entries, entry_offsets, list_offsets),
                               {weights.data(), weights.size()}, n_weightings, n_threads);
  }
  const std::size_t n = outputs.size();
  return nb::make_tuple(to_array(std::move(found.values), {n, nbest::kCriteria, n_weightings, nbest::kSizes}),
                        to_array(std::move(found.network), {n, 4}));
}

auto diversities(Words outputs, Offsets output_offsets, Words entries, Offsets entry_offsets, Offsets list_offsets,
                 std::size_t most, unsigned n_threads) {
  std::vector<double> values;
  {
    nb::gil_scoped_release unlocked;
    for (const auto& each :
         nbest::diversities(lists_of(outputs, output_offsets, entries, entry_offsets, list_offsets), most, n_threads)) {
      values.insert(values.end(), {each.central, each.mean_distance, each.top_to_central, each.near[0], each.near[1],
                                   each.near[2], each.near[3], each.repeats, each.all_pairs});
    }
  }
  const std::size_t n = values.size() / 9;
  return to_array(std::move(values), {n, 9});
}

auto list_log_p(Words outputs, Offsets output_offsets, Words entries, Offsets entry_offsets, Offsets list_offsets,
                unsigned n_threads) {
  std::vector<double> values;
  {
    nb::gil_scoped_release unlocked;
    values = nbest::list_log_p(lists_of(outputs, output_offsets, entries, entry_offsets, list_offsets), n_threads);
  }
  const std::size_t n = values.size() / nbest::kOrders;
  return to_array(std::move(values), {n, nbest::kOrders});
}

#define LISTS                                                                                            \
  "outputs: NDArray[numpy.int32], output_offsets: NDArray[numpy.int64], entries: NDArray[numpy.int32], " \
  "entry_offsets: NDArray[numpy.int64], list_offsets: NDArray[numpy.int64], "

}  // namespace

void bind(nb::module_& m) {
  m.def("confidences", &confidences, "outputs"_a.noconvert(), "output_offsets"_a.noconvert(), "entries"_a.noconvert(),
        "entry_offsets"_a.noconvert(), "list_offsets"_a.noconvert(), "weights"_a.noconvert(), nb::kw_only(),
        "n_threads"_a,
        nb::sig("def confidences(" LISTS "weights: NDArray[numpy.float64], *, n_threads: int) -> "
                "tuple[NDArray[numpy.float64], NDArray[numpy.float64]]"),
        "Agreement of lists with the n-grams of outputs: (tokens, criteria, weightings, sizes); and of the words in "
        "their "
        "places: (tokens, 4).");
  m.def("diversities", &diversities, "outputs"_a.noconvert(), "output_offsets"_a.noconvert(), "entries"_a.noconvert(),
        "entry_offsets"_a.noconvert(), "list_offsets"_a.noconvert(), "most"_a, nb::kw_only(), "n_threads"_a,
        nb::sig("def diversities(" LISTS "most: int, *, n_threads: int) -> NDArray[numpy.float64]"),
        "Of each list: rank of the central entry, its mean distance, distance of the first to it, entries within 1, 2, "
        "5, "
        "10 edits of the first, repeats of the first, mean distance of all pairs.");
  m.def("list_log_p", &list_log_p, "outputs"_a.noconvert(), "output_offsets"_a.noconvert(), "entries"_a.noconvert(),
        "entry_offsets"_a.noconvert(), "list_offsets"_a.noconvert(), nb::kw_only(), "n_threads"_a,
        nb::sig("def list_log_p(" LISTS "*, n_threads: int) -> NDArray[numpy.float64]"),
        "Log-probability (base 10) of outputs in models of order 1 to 5 of their own lists.");
}

#undef LISTS

}  // namespace dragoman::bindings::nbest_area
