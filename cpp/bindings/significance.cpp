#include "dragoman/phrase/significance.hpp"

#include <nanobind/stl/unique_ptr.h>

#include "areas.hpp"
#include "arrays.hpp"
#include "dragoman/core/errors.hpp"

namespace dragoman::bindings::significance_area {

using namespace nb::literals;
using phrase::PhraseTable;
using phrase::TokenId;

namespace {

std::unique_ptr<PhraseTable> prune(const PhraseTable& table, Input<TokenId, 1> source,
                                   Input<std::int64_t, 1> source_offsets, Input<TokenId, 1> target,
                                   Input<std::int64_t, 1> target_offsets, double least, unsigned n_threads) {
  if (source_offsets.size() != target_offsets.size()) throw data_error("Source and target must have one line each.");
  const phrase::AlignedBitext bitext{{source.data(), source.size()},
                                     {target.data(), target.size()},
                                     {source_offsets.data(), source_offsets.size()},
                                     {target_offsets.data(), target_offsets.size()},
                                     {},
                                     {}};
  nb::gil_scoped_release unlocked;
  return phrase::prune_by_significance(table, bitext, least, n_threads);
}

}  // namespace

void bind(nb::module_& m) {
  m.def("prune_by_significance", &prune, "table"_a, "source"_a.noconvert(), "source_offsets"_a.noconvert(),
        "target"_a.noconvert(), "target_offsets"_a.noconvert(), nb::kw_only(), "least"_a, "n_threads"_a = 1,
        nb::sig("def prune_by_significance(table: PhraseTable, source: NDArray[numpy.int32], source_offsets:"
                " NDArray[numpy.int64], target: NDArray[numpy.int32], target_offsets: NDArray[numpy.int64], *, least:"
                " float, n_threads: int = 1) -> PhraseTable"),
        "The pairs whose -log p, by Fisher's exact test, is above `least`.");
  m.def("negative_log_p", &phrase::negative_log_p, "n_both"_a, "n_source"_a, "n_target"_a, "n"_a,
        "-log p that phrases of so many sentence pairs meet in so many or more of n by chance.");
}

}  // namespace dragoman::bindings::significance_area
