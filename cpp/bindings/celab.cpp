#include "dragoman/metrics/celab.hpp"

#include <string>

#include "areas.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"
#include "runs.hpp"

namespace dragoman::bindings::celab_area {

using namespace nb::literals;

namespace {

auto celab(Ids hyp_ids, Offsets hyp_offsets, Ids ref_ids, Offsets ref_offsets, Ids phrases, Offsets phrase_offsets,
           Ids classes, Offsets class_offsets, unsigned n_threads) {
  const Runs hyps(hyp_ids, hyp_offsets), refs(ref_ids, ref_offsets), words(phrases, phrase_offsets),
      sets(classes, class_offsets);
  if (hyps.size() != refs.size()) throw data_error("There must be one reference per hypothesis.");
  if (words.size() != sets.size()) throw data_error("There must be classes for each phrase.");
  std::vector<double> scores(hyps.size());
  {
    nb::gil_scoped_release unlocked;
    metrics::SynonymClasses synonyms;
    for (std::size_t i = 0; i < words.size(); ++i) synonyms.add(words[i], sets[i]);
    for_each_chunk(hyps.size(), n_threads, [&](Chunk chunk) {
      for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
        try {
          scores[i] = metrics::celab(refs[i], hyps[i], synonyms);
        } catch (const segment_error& error) {
          throw data_error("Segment " + std::to_string(i + 1) + ": " + error.what());
        }
      }
    });
  }
  const std::size_t n = hyps.size();
  return to_array(std::move(scores), {n});
}

}  // namespace

void bind(nb::module_& metrics) {
  metrics.def(
      "celab", &celab, "hyp_ids"_a.noconvert(), "hyp_offsets"_a.noconvert(), "ref_ids"_a.noconvert(),
      "ref_offsets"_a.noconvert(), nb::kw_only(), "phrases"_a.noconvert(), "phrase_offsets"_a.noconvert(),
      "classes"_a.noconvert(), "class_offsets"_a.noconvert(), "n_threads"_a = 1,
      "TESLA-CELAB of sentence pairs: float64 array (pairs). Phrases of the dictionary are token ids, each with the\n"
      "rising ids of its classes.");
}

}  // namespace dragoman::bindings::celab_area
