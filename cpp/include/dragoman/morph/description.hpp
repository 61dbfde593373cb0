#pragma once

#include <cstdint>

namespace dragoman::morph {

/// What the description length of a segmented word list is made of: numbers, and sums of x ln x.
struct Sums {
  std::int64_t words = 0;     // word tokens; each ends with a boundary
  std::int64_t tokens = 0;    // morphs in them
  std::int64_t types = 0;     // different morphs, the lexicon's entries; each ends with a boundary
  std::int64_t letters = 0;   // in the entries
  std::int64_t alphabet = 0;  // different letters
  double token_logs = 0;      // Σ c ln c over the morphs' counts in the words
  double letter_logs = 0;     // Σ c ln c over the letters' counts in the entries
};

/// x ln x, 0 at 0.
double x_log_x(std::int64_t x) noexcept;

/// Description length in nats of Morfessor Baseline (Creutz & Lagus 2005, §3; Virpioja et al. 2013, §2):
///   weight · the words as morphs and boundaries under their own frequencies, and the lexicon, that is
///   how its entries' frequencies were chosen, ln C(tokens − 1, types − 1);
///   its entries spelt as letters and boundaries under their own frequencies;
///   how those frequencies were chosen, ln C(letters + types − 1, alphabet);
///   less ln types!, since a lexicon has no order.
double description_length(const Sums& sums, double corpus_weight) noexcept;

}  // namespace dragoman::morph
