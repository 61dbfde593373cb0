#include "dragoman/metrics/tesla.hpp"

#include <string>

#include "areas.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"
#include "dragoman/metrics/transport.hpp"
#include "runs.hpp"

namespace dragoman::bindings::tesla_area {

using namespace nb::literals;

namespace {

auto tesla(Ids hyp_ids, Offsets hyp_offsets, Ids ref_ids, Offsets ref_offsets, Ids lemmas, Ids tags,
           Input<std::uint8_t, 1> function_words, Ids synsets, Offsets synset_offsets, unsigned n_threads) {
  const Runs hyps(hyp_ids, hyp_offsets), refs(ref_ids, ref_offsets), sets(synsets, synset_offsets);
  if (hyps.size() != refs.size()) throw data_error("There must be one reference per hypothesis.");
  if (tags.size() != lemmas.size() || function_words.size() != lemmas.size() || sets.size() != lemmas.size()) {
    throw data_error("Lemmas, tags, function words and synsets must be of the same tokens.");
  }
  for (const auto* runs : {&hyps, &refs}) runs->check_ids(lemmas.size());
  std::vector<double> rows(hyps.size() * metrics::kTeslaStatistics);
  {
    nb::gil_scoped_release unlocked;
    const metrics::TeslaLexicon lexicon{span_of(lemmas), span_of(tags), span_of(function_words), sets.ids,
                                        sets.offsets};
    for_each_chunk(hyps.size(), n_threads, [&](Chunk chunk) {
      for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
        try {
          const auto row = metrics::tesla_row(hyps[i], refs[i], lexicon);
          std::ranges::copy(row, rows.begin() + static_cast<std::ptrdiff_t>(i * row.size()));
        } catch (const segment_error& error) {
          throw data_error("Segment " + std::to_string(i + 1) + ": " + error.what());
        }
      }
    });
  }
  const std::size_t n = hyps.size();
  return to_array(std::move(rows), {n, metrics::kTeslaStatistics});
}

std::int64_t most_transport(Input<std::int64_t, 1> supply, Input<std::int64_t, 1> demand,
                            Input<std::int64_t, 2> worth) {
  if (worth.shape(0) != supply.size() || worth.shape(1) != demand.size()) {
    throw data_error("The worth must be of every item of the left for every one of the right.");
  }
  std::vector<metrics::TransportEdge> edges;
  for (std::size_t i = 0; i < supply.size(); ++i) {
    for (std::size_t j = 0; j < demand.size(); ++j) {
      const auto each = worth.data()[i * demand.size() + j];
      if (each > 0) edges.push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>(j), each});
    }
  }
  const auto left = span_of(supply), right = span_of(demand);
  return metrics::most_transport({left.begin(), left.end()}, {right.begin(), right.end()}, edges);
}

}  // namespace

void bind(nb::module_& metrics) {
  metrics.def(
      "tesla", &tesla, "hyp_ids"_a.noconvert(), "hyp_offsets"_a.noconvert(), "ref_ids"_a.noconvert(),
      "ref_offsets"_a.noconvert(), nb::kw_only(), "lemmas"_a.noconvert(), "tags"_a.noconvert(),
      "function_words"_a.noconvert(), "synsets"_a.noconvert(), "synset_offsets"_a.noconvert(), "n_threads"_a = 1,
      "TESLA's statistics of sentence pairs: float64 array (pairs, 12). Lemmas, tags, function words and rising ids\n"
      "of synsets are of each kind of token.");
  metrics.def("most_transport", &most_transport, "supply"_a.noconvert(), "demand"_a.noconvert(), "worth"_a.noconvert(),
              "The most that can be gained by sending whole units from left to right; worth[i, j] of each, 0 where "
              "none can go.");
}

}  // namespace dragoman::bindings::tesla_area
