#include "dragoman/metrics/meteor.hpp"

#include <algorithm>

#include "areas.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"
#include "runs.hpp"

namespace dragoman::bindings::meteor_area {

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

/// Sentence pairs and what is known of their words, checked.
struct Texts {
  Runs hyps, refs, synsets, phrases;
  metrics::MeteorLexicon lexicon;

  Texts(const Ids& hyp_ids, const Offsets& hyp_offsets, const Ids& ref_ids, const Offsets& ref_offsets,
        const Ids& stems, const Input<std::uint8_t, 1>& function_words, const Ids& synset_ids,
        const Offsets& synset_offsets, const Ids& phrase_ids, const Offsets& phrase_offsets)
      : hyps(hyp_ids, hyp_offsets),
        refs(ref_ids, ref_offsets),
        synsets(synset_ids, synset_offsets),
        phrases(phrase_ids, phrase_offsets),
        lexicon{span_of(stems), span_of(function_words), synsets.ids, synsets.offsets} {
    if (hyps.size() != refs.size()) throw data_error("There must be one reference per hypothesis.");
    if (function_words.size() != stems.size() || synsets.size() != stems.size()) {
      throw data_error("Stems, function words and synsets must be of one vocabulary.");
    }
    for (const auto* runs : {&hyps, &refs, &phrases}) runs->check_ids(stems.size());
  }
};

auto meteor(Ids hyp_ids, Offsets hyp_offsets, Ids ref_ids, Offsets ref_offsets, Ids stems,
            Input<std::uint8_t, 1> function_words, Ids synsets, Offsets synset_offsets, Ids phrases,
            Offsets phrase_offsets, unsigned n_threads) {
  const Texts texts(hyp_ids, hyp_offsets, ref_ids, ref_offsets, stems, function_words, synsets, synset_offsets, phrases,
                    phrase_offsets);
  const std::size_t n = texts.hyps.size();
  std::vector<double> rows(n * metrics::kMeteorStatistics);
  {
    nb::gil_scoped_release unlocked;
    const auto table = table_of(texts.phrases);
    for_each_chunk(n, n_threads, [&](Chunk chunk) {
      for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
        const auto row = metrics::meteor_row(texts.hyps[i], texts.refs[i], texts.lexicon, table);
        std::ranges::copy(row, rows.begin() + static_cast<std::ptrdiff_t>(i * row.size()));
      }
    });
  }
  return to_array(std::move(rows), {n, metrics::kMeteorStatistics});
}

auto meteor_matches(Ids hyp_ids, Offsets hyp_offsets, Ids ref_ids, Offsets ref_offsets, Ids stems,
                    Input<std::uint8_t, 1> function_words, Ids synsets, Offsets synset_offsets, Ids phrases,
                    Offsets phrase_offsets) {
  const Texts texts(hyp_ids, hyp_offsets, ref_ids, ref_offsets, stems, function_words, synsets, synset_offsets, phrases,
                    phrase_offsets);
  std::vector<std::int32_t> rows;
  const auto table = table_of(texts.phrases);
  for (std::size_t i = 0; i < texts.hyps.size(); ++i) {
    for (const auto& match : metrics::meteor_alignment(texts.hyps[i], texts.refs[i], texts.lexicon, table)) {
      for (const auto number :
           {i, static_cast<std::size_t>(match.module), match.hyp_start, match.hyp_length, match.start, match.length}) {
        rows.push_back(static_cast<std::int32_t>(number));
      }
    }
  }
  const std::size_t n = rows.size() / 6;
  return to_array(std::move(rows), {n, 6});
}

}  // namespace

void bind(nb::module_& metrics) {
  metrics.def(
      "meteor", &meteor, "hyp_ids"_a.noconvert(), "hyp_offsets"_a.noconvert(), "ref_ids"_a.noconvert(),
      "ref_offsets"_a.noconvert(), nb::kw_only(), "stems"_a.noconvert(), "function_words"_a.noconvert(),
      "synsets"_a.noconvert(), "synset_offsets"_a.noconvert(), "phrases"_a.noconvert(), "phrase_offsets"_a.noconvert(),
      "n_threads"_a = 1,
      "METEOR's statistics of sentence pairs: float64 array (pairs, 21). Stems, function words and rising ids of\n"
      "synsets are of each word of the vocabulary; phrases are followed by a paraphrase each.");
  metrics.def("meteor_matches", &meteor_matches, "hyp_ids"_a.noconvert(), "hyp_offsets"_a.noconvert(),
              "ref_ids"_a.noconvert(), "ref_offsets"_a.noconvert(), nb::kw_only(), "stems"_a.noconvert(),
              "function_words"_a.noconvert(), "synsets"_a.noconvert(), "synset_offsets"_a.noconvert(),
              "phrases"_a.noconvert(), "phrase_offsets"_a.noconvert(),
              "METEOR's alignments of sentence pairs: int32 array (matches, 6) of pair, module (exact, stem, synonym,\n"
              "paraphrase), first word and number of words in the hypothesis, and in the reference, by which they are "
              "in order.");
}

}  // namespace dragoman::bindings::meteor_area
