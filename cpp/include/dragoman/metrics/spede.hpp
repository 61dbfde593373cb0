#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dragoman::metrics {

/// What SPEDE knows of the words of a vocabulary, by their ids.
struct SpedeLexicon {
  std::span<const std::int32_t> lemmas;
  std::span<const std::uint8_t> is_punctuation;
  std::span<const std::int32_t> synsets;  // of word w: [synset_offsets[w], synset_offsets[w + 1]), rising
  std::span<const std::int64_t> synset_offsets;

  std::span<const std::int32_t> synsets_of(std::int32_t word) const;
};

/// The edits that turn a reference into a hypothesis. A word is only replaced by one that matches it.
enum SpedeEdit : std::uint8_t { kSpedeInsert, kSpedeDelete, kSpedeWord, kSpedeLemma, kSpedePunctuation, kSpedeSynonym };
constexpr std::size_t kSpedeEdits = 6;
/// Weights of the edits, then of an edit behind another one, `kSpedeEdits + before * kSpedeEdits + edit`.
constexpr std::size_t kSpedeWeights = kSpedeEdits * (kSpedeEdits + 1);

/// The log of the summed weights of all edit sequences (Wang & Manning, WMT 2012, equation 2). If there is room in
/// `gradient`, it gets the derivative by each weight: how often an edit, or one behind another, is expected.
double spede(std::span<const std::int32_t> hyp, std::span<const std::int32_t> ref, const SpedeLexicon& lexicon,
             std::span<const double> weights, std::span<double> gradient = {});

/// The heaviest edit sequence.
std::vector<std::uint8_t> spede_script(std::span<const std::int32_t> hyp, std::span<const std::int32_t> ref,
                                       const SpedeLexicon& lexicon, std::span<const double> weights);

}  // namespace dragoman::metrics
