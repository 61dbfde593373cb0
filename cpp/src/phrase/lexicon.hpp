#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/phrase/extract.hpp"

namespace dragoman::phrase {

/// How often words were aligned, and hence p(target | source) and p(source | target), with the empty word kNull on
/// either side (Koehn, Och & Marcu, NAACL 2003).
class Lexicon {
 public:
  static constexpr TokenId kNull = -1;

  void add(const AlignedBitext& bitext);
  double target_given_source(TokenId target, TokenId source) const noexcept {
    return probability(source, target, source_totals_, source);
  }
  double source_given_target(TokenId source, TokenId target) const noexcept {
    return probability(source, target, target_totals_, target);
  }

  /// log of Π over target words of the mean p(target | source word) over the words they are linked to.
  double log_target_weight(std::span<const TokenId> source, std::span<const TokenId> target,
                           std::span<const Link> links) const;
  double log_source_weight(std::span<const TokenId> source, std::span<const TokenId> target,
                           std::span<const Link> links) const;

 private:
  struct Slot {
    std::uint64_t key = 0;  // 0: free
    std::uint32_t count = 0;
  };

  static std::uint64_t key(TokenId source, TokenId target) noexcept {
    return (static_cast<std::uint64_t>(source + 2) << 32) | static_cast<std::uint32_t>(target + 2);
  }
  std::uint32_t& count(TokenId source, TokenId target);
  double probability(TokenId source, TokenId target, const std::vector<std::uint64_t>& totals, TokenId given) const noexcept;
  std::size_t place(std::uint64_t key) const noexcept;

  std::vector<Slot> slots_;
  std::size_t n_used_ = 0;
  std::vector<std::uint64_t> source_totals_, target_totals_;  // by word + 1
};

}  // namespace dragoman::phrase
