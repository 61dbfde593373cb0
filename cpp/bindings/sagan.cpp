#include "dragoman/metrics/sagan.hpp"

#include <string>

#include "areas.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"
#include "runs.hpp"

namespace dragoman::bindings::sagan_area {

using namespace nb::literals;

namespace {

using Values = Input<double, 1>;

auto ancestry(Ids parents, Offsets offsets) {
  const Runs runs(parents, offsets);
  runs.check_ids(runs.size());
  auto found = metrics::ancestry(runs.ids, runs.offsets);
  const std::size_t n = runs.size(), n_above = found.ancestors.size();
  return nb::make_tuple(to_array(std::move(found.ancestors), {n_above}),
                        to_array(std::move(found.distances), {n_above}), to_array(std::move(found.offsets), {n + 1}),
                        to_array(std::move(found.n_below), {n}));
}

auto sagan(Ids hyp_ids, Offsets hyp_offsets, Ids ref_ids, Offsets ref_offsets, Ids ancestors, Ids distances,
           Offsets ancestor_offsets, Values content, Values depth, Values span, Ids senses, Offsets sense_offsets,
           Ids lemmas, unsigned n_threads) {
  const Runs hyps(hyp_ids, hyp_offsets), refs(ref_ids, ref_offsets), above(ancestors, ancestor_offsets),
      meant(senses, sense_offsets);
  if (hyps.size() != refs.size()) throw data_error("There must be one reference per hypothesis.");
  if (distances.size() != ancestors.size() || content.size() != above.size() || depth.size() != above.size() ||
      span.size() != above.size()) {
    throw data_error("Ancestors, contents and depths must be of one taxonomy.");
  }
  if (meant.size() != lemmas.size()) throw data_error("Senses and lemmas must be of one vocabulary.");
  above.check_ids(above.size());
  meant.check_ids(above.size());
  for (const auto* runs : {&hyps, &refs}) runs->check_ids(lemmas.size());
  const metrics::Meanings meanings{above.ids,     span_of(distances), above.offsets, span_of(content), span_of(depth),
                                   span_of(span), meant.ids,          meant.offsets, span_of(lemmas)};
  const std::size_t n = hyps.size();
  std::vector<double> features(n * metrics::kSaganFeatures);
  {
    nb::gil_scoped_release unlocked;
    for_each_chunk(n, n_threads, [&](Chunk chunk) {
      for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
        try {
          std::ranges::copy(metrics::sagan(hyps[i], refs[i], meanings),
                            features.begin() + static_cast<std::ptrdiff_t>(i * metrics::kSaganFeatures));
        } catch (const segment_error& error) {
          throw data_error("Segment " + std::to_string(i + 1) + ": " + error.what());
        }
      }
    });
  }
  return to_array(std::move(features), {n, metrics::kSaganFeatures});
}

}  // namespace

void bind(nb::module_& metrics) {
  metrics.def(
      "ancestry", &ancestry, "parents"_a.noconvert(), "offsets"_a.noconvert(),
      nb::sig(
          "def ancestry(parents: NDArray[numpy.int32], offsets: NDArray[numpy.int64]) -> tuple[NDArray[numpy.int32], "
          "NDArray[numpy.int32], NDArray[numpy.int64], NDArray[numpy.int64]]"),
      "What lies above each node of a taxonomy, how far and from where to where; how many are at or below it.");
  metrics.def(
      "sagan", &sagan, "hyp_ids"_a.noconvert(), "hyp_offsets"_a.noconvert(), "ref_ids"_a.noconvert(),
      "ref_offsets"_a.noconvert(), nb::kw_only(), "ancestors"_a.noconvert(), "distances"_a.noconvert(),
      "ancestor_offsets"_a.noconvert(), "content"_a.noconvert(), "depth"_a.noconvert(), "span"_a.noconvert(),
      "senses"_a.noconvert(), "sense_offsets"_a.noconvert(), "lemmas"_a.noconvert(), "n_threads"_a = 1,
      nb::sig(
          "def sagan(hyp_ids: NDArray[numpy.int32], hyp_offsets: NDArray[numpy.int64], ref_ids: NDArray[numpy.int32], "
          "ref_offsets: NDArray[numpy.int64], *, ancestors: NDArray[numpy.int32], distances: NDArray[numpy.int32], "
          "ancestor_offsets: NDArray[numpy.int64], content: NDArray[numpy.float64], depth: NDArray[numpy.float64], "
          "span: NDArray[numpy.float64], senses: NDArray[numpy.int32], sense_offsets: NDArray[numpy.int64], "
          "lemmas: NDArray[numpy.int32], n_threads: int = 1) -> NDArray[numpy.float64]"),
      "Eight similarities of each hypothesis and its reference by matchings of words: array (pairs, 8).");
}

}  // namespace dragoman::bindings::sagan_area
