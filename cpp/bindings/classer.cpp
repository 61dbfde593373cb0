#include "dragoman/classer/classer.hpp"

#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <tuple>

#include "areas.hpp"
#include "arrays.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"

namespace dragoman::bindings::classer_area {

using namespace nb::literals;

namespace {

using Ids = Input<std::int32_t, 1>;
using Offsets = Input<std::int64_t, 1>;

/// Sentences laid end to end: sentence i is [offsets[i], offsets[i + 1]).
struct Sentences {
  std::span<const std::int32_t> full;
  std::span<const std::int32_t> base;
  std::span<const std::int64_t> offsets;

  Sentences(const Ids& full_ids, const Ids& base_ids, const Offsets& bounds)
      : full(full_ids.data(), full_ids.size()),
        base(base_ids.data(), base_ids.size()),
        offsets(bounds.data(), bounds.size()) {
    if (full.size() != base.size()) throw data_error("There must be one base form per word.");
    if (offsets.empty() || offsets.front() != 0 || offsets.back() != static_cast<std::int64_t>(full.size()) ||
        !std::ranges::is_sorted(offsets)) {
      throw data_error("The offsets must rise from 0 to the number of words.");
    }
  }

  std::size_t size() const { return offsets.size() - 1; }

  classer::Sentence operator[](std::size_t i) const {
    const auto first = static_cast<std::size_t>(offsets[i]);
    const auto count = static_cast<std::size_t>(offsets[i + 1]) - first;
    return {full.subspan(first, count), base.subspan(first, count)};
  }
};

auto classify(Ids hyp_full, Ids hyp_base, Offsets hyp_offsets, Ids ref_full, Ids ref_base, Offsets ref_offsets,
              unsigned n_threads) {
  const Sentences hyps(hyp_full, hyp_base, hyp_offsets);
  const Sentences refs(ref_full, ref_base, ref_offsets);
  if (hyps.size() != refs.size()) throw data_error("There must be one reference per hypothesis.");
  std::vector<std::uint8_t> hyp_labels(hyps.full.size()), ref_labels(refs.full.size());
  std::vector<std::int64_t> edits(hyps.size());
  {
    nb::gil_scoped_release unlocked;
    for_each_chunk(hyps.size(), n_threads, [&](Chunk chunk) {
      for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
        const auto labels = classer::classify(hyps[i], refs[i]);
        const auto number = [](classer::Label label) { return static_cast<std::uint8_t>(label); };
        std::ranges::transform(labels.hyp, hyp_labels.begin() + hyps.offsets[i], number);
        std::ranges::transform(labels.ref, ref_labels.begin() + refs.offsets[i], number);
        edits[i] = labels.edits;
      }
    });
  }
  const std::size_t n_hyp = hyp_labels.size(), n_ref = ref_labels.size(), n = edits.size();
  return std::make_tuple(to_array(std::move(hyp_labels), {n_hyp}), to_array(std::move(ref_labels), {n_ref}),
                         to_array(std::move(edits), {n}));
}

}  // namespace

void bind(nb::module_& area) {
  area.def("classify", &classify, "hyp_full"_a.noconvert(), "hyp_base"_a.noconvert(), "hyp_offsets"_a.noconvert(),
           "ref_full"_a.noconvert(), "ref_base"_a.noconvert(), "ref_offsets"_a.noconvert(), nb::kw_only(),
           "n_threads"_a = 1,
           "Error classes of the words of sentence pairs: uint8 labels of hypotheses and of references, int64 edits.\n"
           "Labels: 0 correct, 1 inflection, 2 reordering, 3 missing, 4 extra, 5 lexical.");
}

}  // namespace dragoman::bindings::classer_area
