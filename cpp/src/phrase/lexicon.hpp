#pragma once

#include <cstdint>
#include <vector>

#include "sentence_phrases.hpp"

namespace dragoman::phrase {

/// How often words were aligned, and hence p(target | source) and p(source | target), with the empty word on either side
/// (Koehn, Och & Marcu, NAACL 2003). The probabilities of every point of the bitext are kept, so that weighting a
/// phrase pair reads memory in its order.
class Lexicon {
 public:
  Lexicon(const AlignedBitext& bitext, const SortedPoints& points);

  struct Weights {
    double log_source;  // log of Π over source words of the mean p(source | target word) over those they are linked to
    double log_target;  // the same the other way round
  };
  Weights weights(std::size_t sentence, const PhraseSpan& span) const;

 private:
  struct Slot {
    std::uint64_t key = 0;  // 0: free
    std::uint32_t count = 0;
  };

  static constexpr TokenId kNull = -1;
  static std::uint64_t key(TokenId source, TokenId target) noexcept {
    return (static_cast<std::uint64_t>(source + 2) << 32) | static_cast<std::uint32_t>(target + 2);
  }
  void add(TokenId source, TokenId target);
  std::size_t place(std::uint64_t key) const noexcept;

  const AlignedBitext& bitext_;
  const SortedPoints& points_;
  std::vector<Slot> slots_;
  std::size_t n_used_ = 0;
  std::vector<std::uint64_t> source_totals_, target_totals_;  // by word + 1
  std::vector<float> source_given_target_, target_given_source_;  // by point
  std::vector<float> source_given_null_, target_given_null_;      // by word
};

}  // namespace dragoman::phrase
