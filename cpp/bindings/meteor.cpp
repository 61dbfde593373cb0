#include "dragoman/metrics/meteor.hpp"

#include <algorithm>

#include "areas.hpp"
#include "runs.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"

namespace dragoman::bindings {

using namespace nb::literals;

namespace {

/// Phrases two by two, each with the paraphrase behind it.
metrics::MeteorParaphrases table_of(const Runs& phrases) {
  metrics::MeteorParaphrases table;
  for (std::size_t i = 0; i + 1 < phrases.size(); i += 2) {
    if (!phrases[i].empty() && !phrases[i + 1].empty()) table.add(phrases[i], phrases[i + 1]);
  }
  return table;
}

auto meteor(Ids hyp_ids, Offsets hyp_offsets, Ids ref_ids, Offsets ref_offsets, Ids stems,
            Input<std::uint8_t, 1> function_words, Ids synsets, Offsets synset_offsets, Ids phrases,
            Offsets phrase_offsets, unsigned n_threads) {
  const Runs hyps(hyp_ids, hyp_offsets), refs(ref_ids, ref_offsets), sets(synsets, synset_offsets),
      pairs(phrases, phrase_offsets);
  if (hyps.size() != refs.size()) throw data_error("There must be one reference per hypothesis.");
  if (function_words.size() != stems.size() || sets.size() != stems.size()) {
    throw data_error("Stems, function words and synsets must be of one vocabulary.");
  }
  for (const auto* runs : {&hyps, &refs, &pairs}) runs->check_ids(stems.size());
  std::vector<double> rows(hyps.size() * metrics::kMeteorStatistics);
  {
    nb::gil_scoped_release unlocked;
    const metrics::MeteorLexicon lexicon{span_of(stems), span_of(function_words), sets.ids, sets.offsets};
    const auto table = table_of(pairs);
    for_each_chunk(hyps.size(), n_threads, [&](Chunk chunk) {
      for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
        const auto row = metrics::meteor_row(hyps[i], refs[i], lexicon, table);
        std::ranges::copy(row, rows.begin() + static_cast<std::ptrdiff_t>(i * row.size()));
      }
    });
  }
  const std::size_t n = hyps.size();
  return to_array(std::move(rows), {n, metrics::kMeteorStatistics});
}

}  // namespace

void bind_meteor(nb::module_& metrics) {
  metrics.def("meteor", &meteor, "hyp_ids"_a.noconvert(), "hyp_offsets"_a.noconvert(), "ref_ids"_a.noconvert(),
              "ref_offsets"_a.noconvert(), nb::kw_only(), "stems"_a.noconvert(), "function_words"_a.noconvert(),
              "synsets"_a.noconvert(), "synset_offsets"_a.noconvert(), "phrases"_a.noconvert(),
              "phrase_offsets"_a.noconvert(), "n_threads"_a = 1,
              "METEOR's statistics of sentence pairs: float64 array (pairs, 21). Stems, function words and rising ids of\n"
              "synsets are of each word of the vocabulary; phrases are followed by a paraphrase each.");
}

}  // namespace dragoman::bindings
