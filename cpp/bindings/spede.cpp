#include "dragoman/metrics/spede.hpp"

#include <string>

#include "areas.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"
#include "runs.hpp"

namespace dragoman::bindings::spede_area {

using namespace nb::literals;

namespace {

/// Sentence pairs and all that is known of their words.
struct Pairs {
  Runs hyps, refs, sets;
  metrics::SpedeLexicon lexicon;
  std::span<const double> weights;

  Pairs(const Ids& hyp_ids, const Offsets& hyp_offsets, const Ids& ref_ids, const Offsets& ref_offsets,
        const Ids& lemmas, const Input<std::uint8_t, 1>& punctuation, const Ids& synsets, const Offsets& synset_offsets,
        const Input<std::int32_t, 2>& blocks, const Input<double, 1>& given)
      : hyps(hyp_ids, hyp_offsets),
        refs(ref_ids, ref_offsets),
        sets(synsets, synset_offsets),
        lexicon{span_of(lemmas), span_of(punctuation), sets.ids, sets.offsets, {}},
        weights(span_of(given)) {
    if (hyps.size() != refs.size()) throw data_error("There must be one reference per hypothesis.");
    if (punctuation.size() != lemmas.size() || sets.size() != lemmas.size()) {
      throw data_error("Lemmas, punctuation and synsets must be of one vocabulary.");
    }
    if (weights.size() != metrics::kSpedeWeights) throw data_error("SPEDE has 182 weights.");
    if (blocks.shape(1) != 4) throw data_error("A paraphrase is two words, or one and -1, of either side.");
    for (std::size_t i = 0; i < blocks.shape(0); ++i) {
      lexicon.paraphrases.insert({blocks(i, 0), blocks(i, 1), blocks(i, 2), blocks(i, 3)});
    }
    for (const auto* runs : {&hyps, &refs}) runs->check_ids(lemmas.size());
  }

  template <class Use>
  void for_each(unsigned n_threads, const Use& use) const {
    for_each_chunk(hyps.size(), n_threads, [&](Chunk chunk) {
      for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
        try {
          use(i);
        } catch (const segment_error& error) {
          throw data_error("Segment " + std::to_string(i + 1) + ": " + error.what());
        }
      }
    });
  }
};

auto spede(Ids hyp_ids, Offsets hyp_offsets, Ids ref_ids, Offsets ref_offsets, Ids lemmas,
           Input<std::uint8_t, 1> punctuation, Ids synsets, Offsets synset_offsets, Input<std::int32_t, 2> blocks,
           Input<double, 1> weights, unsigned jump, bool gradient, unsigned n_threads) {
  const Pairs pairs(hyp_ids, hyp_offsets, ref_ids, ref_offsets, lemmas, punctuation, synsets, synset_offsets, blocks,
                    weights);
  const std::size_t n = pairs.hyps.size(), width = gradient ? metrics::kSpedeWeights : 0;
  std::vector<double> sums(n), counts(n * width);
  {
    nb::gil_scoped_release unlocked;
    pairs.for_each(n_threads, [&](std::size_t i) {
      sums[i] = metrics::spede(pairs.hyps[i], pairs.refs[i], pairs.lexicon, pairs.weights, jump,
                               std::span(counts).subspan(i * width, width));
    });
  }
  return nb::make_tuple(to_array(std::move(sums), {n}), to_array(std::move(counts), {n, width}));
}

auto spede_scripts(Ids hyp_ids, Offsets hyp_offsets, Ids ref_ids, Offsets ref_offsets, Ids lemmas,
                   Input<std::uint8_t, 1> punctuation, Ids synsets, Offsets synset_offsets,
                   Input<std::int32_t, 2> blocks, Input<double, 1> weights, unsigned jump, unsigned n_threads) {
  const Pairs pairs(hyp_ids, hyp_offsets, ref_ids, ref_offsets, lemmas, punctuation, synsets, synset_offsets, blocks,
                    weights);
  const std::size_t n = pairs.hyps.size();
  std::vector<std::vector<metrics::SpedeStep>> scripts(n);
  std::vector<std::int32_t> steps;
  std::vector<std::int64_t> offsets{0};
  {
    nb::gil_scoped_release unlocked;
    pairs.for_each(n_threads, [&](std::size_t i) {
      scripts[i] = metrics::spede_script(pairs.hyps[i], pairs.refs[i], pairs.lexicon, pairs.weights, jump);
    });
    for (const auto& script : scripts) {
      for (const auto& step : script) {
        steps.insert(steps.end(),
                     {step.edit, step.ref_end - step.n_ref, step.ref_end, step.hyp_end - step.n_hyp, step.hyp_end});
      }
      offsets.push_back(static_cast<std::int64_t>(steps.size() / 5));
    }
  }
  const std::size_t n_steps = steps.size() / 5;
  return nb::make_tuple(to_array(std::move(steps), {n_steps, std::size_t{5}}), to_array(std::move(offsets), {n + 1}));
}

}  // namespace

void bind(nb::module_& metrics) {
  metrics.def(
      "spede", &spede, "hyp_ids"_a.noconvert(), "hyp_offsets"_a.noconvert(), "ref_ids"_a.noconvert(),
      "ref_offsets"_a.noconvert(), nb::kw_only(), "lemmas"_a.noconvert(), "punctuation"_a.noconvert(),
      "synsets"_a.noconvert(), "synset_offsets"_a.noconvert(), "blocks"_a.noconvert(), "weights"_a.noconvert(),
      "jump"_a = 0, "gradient"_a = false, "n_threads"_a = 1,
      nb::sig(
          "def spede(hyp_ids: NDArray[numpy.int32], hyp_offsets: NDArray[numpy.int64], ref_ids: NDArray[numpy.int32], "
          "ref_offsets: NDArray[numpy.int64], *, lemmas: NDArray[numpy.int32], punctuation: NDArray[numpy.uint8], "
          "synsets: NDArray[numpy.int32], synset_offsets: NDArray[numpy.int64], blocks: NDArray[numpy.int32], "
          "weights: NDArray[numpy.float64], jump: int = 0, gradient: bool = False, n_threads: int = 1) -> "
          "tuple[NDArray[numpy.float64], NDArray[numpy.float64]]"),
      "The log of the summed weights of all edit sequences of sentence pairs, and its derivatives: arrays (pairs),\n"
      "(pairs, 182 or 0).");
  metrics.def(
      "spede_scripts", &spede_scripts, "hyp_ids"_a.noconvert(), "hyp_offsets"_a.noconvert(), "ref_ids"_a.noconvert(),
      "ref_offsets"_a.noconvert(), nb::kw_only(), "lemmas"_a.noconvert(), "punctuation"_a.noconvert(),
      "synsets"_a.noconvert(), "synset_offsets"_a.noconvert(), "blocks"_a.noconvert(), "weights"_a.noconvert(),
      "jump"_a = 0, "n_threads"_a = 1,
      nb::sig("def spede_scripts(hyp_ids: NDArray[numpy.int32], hyp_offsets: NDArray[numpy.int64], ref_ids: "
              "NDArray[numpy.int32], "
              "ref_offsets: NDArray[numpy.int64], *, lemmas: NDArray[numpy.int32], punctuation: NDArray[numpy.uint8], "
              "synsets: NDArray[numpy.int32], synset_offsets: NDArray[numpy.int64], blocks: NDArray[numpy.int32], "
              "weights: NDArray[numpy.float64], jump: int = 0, n_threads: int = 1) -> tuple[NDArray[numpy.int32], "
              "NDArray[numpy.int64]]"),
      "The heaviest edit sequence of each pair: the edit, begin and end in the reference, begin and end in the "
      "hypothesis;\n"
      "and where each sequence begins.");
}

}  // namespace dragoman::bindings::spede_area
