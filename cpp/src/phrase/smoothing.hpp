#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "dragoman/phrase/extract.hpp"

namespace dragoman::phrase {

/// What is known of one phrase from all pairs it stands in.
struct Marginal {
  std::uint64_t total = 0;                  // how often it was met
  std::uint32_t n_pairs = 0;                // with how many different phrases
  std::array<std::uint32_t, 3> by_count{};  // of these, met once, twice, more often
  double discounted = 0;                    // sum of its pairs' counts by Good–Turing

  void add(std::uint32_t count, double discounted_count) noexcept {
    total += count;
    ++n_pairs;
    ++by_count[count < 3 ? count - 1 : 2];
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
  double discounted(std::uint32_t count) const noexcept;

  /// p(phrase | given phrase) of a pair met `count` times, whose phrase stands in so many pairs.
  double probability(std::uint32_t count, const Marginal& given, std::uint32_t n_pairs_of_phrase) const noexcept;

 private:
  Smoothing kind_;
  double n_pairs_, n_instances_;
  double slope_ = -1;                          // of log n(c) over log c
  double once_ = 0;                            // pairs met once
  std::array<double, 3> discounts_{0, 0, 0};  // Kneser–Ney's, of pairs met once, twice, more often
};

}  // namespace dragoman::phrase
