#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "dragoman/phrase/extract.hpp"

namespace dragoman::phrase {

/// How often a phrase pair was met, and what that counts: as much, unless sentence pairs have weights. How much of it
/// is taken off goes by the first and is taken off the second in proportion, so that only the ratio of weights matters.
struct Evidence {
  std::uint32_t count = 0;
  double mass = 0;

  double each() const noexcept { return mass / count; }
};

/// What is known of one phrase from all pairs it stands in.
struct Marginal {
  double total = 0;                  // the mass of its pairs
  std::uint32_t n_pairs = 0;         // with how many different phrases
  std::array<double, 3> by_count{};  // of these, met once, twice, more often, each for what one of its instances counts
  double discounted = 0;             // sum of its pairs' counts by Good–Turing

  void add(const Evidence& met, double discounted_count) noexcept {
    total += met.mass;
    ++n_pairs;
    by_count[met.count < 3 ? met.count - 1 : 2] += met.each();
    discounted += discounted_count;
  }
};

/// Phrase probabilities from counts (Foster, Kuhn & Johnson, EMNLP 2006).
class PhraseSmoothing {
 public:
  /// `counts_of_counts[c]` pairs were met c times, for all c that any pair was met.
  PhraseSmoothing(Smoothing kind, const std::vector<std::uint64_t>& counts_of_counts, std::uint64_t n_pairs,
                  std::uint64_t n_instances);

  /// The count of a pair by Good–Turing; 0 with another smoothing.
  double discounted(const Evidence& met) const noexcept;

  /// p(phrase | given phrase) of a pair, whose phrase stands in so many pairs.
  double probability(const Evidence& met, const Marginal& given, std::uint32_t n_pairs_of_phrase) const noexcept;

 private:
  Smoothing kind_;
  double n_pairs_, n_instances_;
  double slope_ = -1;                         // of log n(c) over log c
  double once_ = 0;                           // pairs met once
  std::array<double, 3> discounts_{0, 0, 0};  // Kneser–Ney's, of pairs met once, twice, more often
};

}  // namespace dragoman::phrase
