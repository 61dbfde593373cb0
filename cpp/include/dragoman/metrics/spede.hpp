#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

namespace dragoman::metrics {

/// One or two words of a reference and of a hypothesis, -1 for none: a paraphrase.
using SpedeBlock = std::array<std::int32_t, 4>;

struct SpedeBlockHash {
  std::size_t operator()(const SpedeBlock& block) const;
};

/// What SPEDE knows of the words of a vocabulary, by their ids.
struct SpedeLexicon {
  std::span<const std::int32_t> lemmas;
  std::span<const std::uint8_t> is_punctuation;
  std::span<const std::int32_t> synsets;  // of word w: [synset_offsets[w], synset_offsets[w + 1]), rising
  std::span<const std::int64_t> synset_offsets;
  std::unordered_set<SpedeBlock, SpedeBlockHash> paraphrases;

  std::span<const std::int32_t> synsets_of(std::int32_t word) const;
};

/// The edits that turn a reference into a hypothesis. Words are only replaced by such that match them. A jump goes
/// ahead on one side, back to the words that it left out, and on to where it was: so two parts swap their places.
enum SpedeEdit : std::uint8_t {
  kSpedeInsert,
  kSpedeDelete,
  kSpedeWord,
  kSpedeLemma,
  kSpedePunctuation,
  kSpedeSynonym,
  kSpedeParaphrase,
  kSpedeHypJump,  // then back, then on
  kSpedeRefJump = kSpedeHypJump + 3,
};
constexpr std::size_t kSpedeEdits = kSpedeRefJump + 3;
/// Weights of the edits, then of an edit behind another one, `kSpedeEdits + before * kSpedeEdits + edit`.
constexpr std::size_t kSpedeWeights = kSpedeEdits * (kSpedeEdits + 1);

/// An edit, where it ends on both sides and how many words it takes there.
struct SpedeStep {
  std::uint8_t edit;
  std::uint8_t n_ref, n_hyp;
  std::int32_t ref_end, hyp_end;
};

/// The log of the summed weights of all edit sequences (Wang & Manning, WMT 2012, equation 2). If there is room in
/// `gradient`, it gets the derivative by each weight: how often an edit, or one behind another, is expected. `jump` is
/// how many words a jump, and each part of what it swaps, may have; 0 for none (the paper's pFSM).
double spede(std::span<const std::int32_t> hyp, std::span<const std::int32_t> ref, const SpedeLexicon& lexicon,
             std::span<const double> weights, std::size_t jump, std::span<double> gradient = {});

/// The heaviest edit sequence.
std::vector<SpedeStep> spede_script(std::span<const std::int32_t> hyp, std::span<const std::int32_t> ref,
                                    const SpedeLexicon& lexicon, std::span<const double> weights, std::size_t jump);

}  // namespace dragoman::metrics
