#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "dragoman/phrase/extract.hpp"
#include "dragoman/phrase/options.hpp"

namespace dragoman::phrase {

/// Training pairs translated again, by the phrases of the table that was extracted from them (Wuebker, Hwang & Quirk,
/// WMT 2012).
struct ForcedOptions {
  unsigned n_best = 100;      // derivations of each pair that are looked at
  double margin = 0;          // if above 0, all that are at most so much worse than the best count, however many
  bool leave_one_out = true;  // take each pair's own counts out of the phrase probabilities while it is translated
  bool artificial = true;     // insert target words and leave source words out where no phrase helps
  float floor = -20;          // log p of a phrase pair that only this sentence pair has
  double scale = 1;           // ϑ: of the scores of derivations when they share a count; 0: all alike
  double power = 1;           // ρ: of a pair's count in one sentence pair; 0: 1 for all that was used
  unsigned longest = 7;       // words of the phrases of the table's extraction
  unsigned n_threads = 1;
};

struct ForcedUse {
  std::vector<std::uint8_t> used;  // by translation of the table: 1 if a derivation has it
  std::vector<double> counts;      // by translation: how often, derivations sharing the count of their sentence pair
  std::uint64_t n_pairs = 0;       // sentence pairs
  std::uint64_t n_reached = 0;     // with a derivation
  std::uint64_t n_whole = 0;       // whose best has nothing artificial
};

/// p'(t|s) = (p(t|s) c(s) − c₁(s,t)) / (c(s) − c₁(s)), its logarithm: what a phrase pair's probability would be without
/// a sentence pair that has c₁ of its counts (their equation 3); `floor` if nothing would be left.
float left_out(float log_p, double count, double total, double own_count, double own_total, float floor);

/// What share of one count each derivation's counts get: [Σ c exp(ϑφ) / Σ exp(ϑφ)]^ρ, 0 where nothing was counted.
double shared_count(std::span<const double> counts, std::span<const double> scores, double scale, double power);

/// Translate every sentence pair again. The table has the counts of its pairs as its last three scores; there is no
/// language model. `weights` are those of an engine with the table alone, `copies` has for each source word the target
/// word that is spelt like it, or kNoToken.
ForcedUse forced_use(std::shared_ptr<const PhraseTable> table, unsigned n_features, Orientation orientation,
                     const AlignedBitext& bitext, std::span<const TokenId> copies, std::span<const float> weights,
                     const DecodeOptions& limits, const ForcedOptions& options);

/// The translations that are used, and for a single source word that would be left without one its first `restore`.
std::unique_ptr<PhraseTable> prune_unused(const PhraseTable& table, std::span<const std::uint8_t> used,
                                          unsigned restore);

/// The used translations with phrase probabilities from the counts of derivations: p(t|s) = c / Σ c, and
/// p(s|t) = c / (d + Σ c). What is kept unused has the probability of the smallest count that was seen.
std::unique_ptr<PhraseTable> reestimate(const PhraseTable& table, const ForcedUse& use, unsigned restore,
                                        double discount);

}  // namespace dragoman::phrase
