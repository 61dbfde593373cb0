#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/align/bitext.hpp"

namespace dragoman::align {

/// p(target word | source word) for all pairs of words that meet in a sentence pair, row by row, with a first row for
/// the empty word. Training asks for the same pairs again and again, so their places are found once.
class LexicalTable {
 public:
  /// The pairs of a bitext. The places of its token pairs are kept: four bytes for each, target by target.
  LexicalTable(const Side& source, const Side& target);

  std::size_t n_pairs() const noexcept { return targets_.size(); }
  /// The row of a source word, or of the empty word (kNull): its pairs are [rows[r], rows[r + 1]).
  std::size_t row(TokenId source) const noexcept { return static_cast<std::size_t>(source + 1); }
  std::span<const std::uint64_t> rows() const noexcept { return rows_; }
  std::span<const TokenId> targets() const noexcept { return targets_; }

  /// The places of the pairs of sentence i: for target word j and source word s (counted from 1; 0 is the empty word)
  /// at [j * (n_source + 1) + s].
  std::span<const std::uint32_t> places(std::size_t sentence) const noexcept {
    return std::span(places_).subspan(place_offsets_[sentence], place_offsets_[sentence + 1] - place_offsets_[sentence]);
  }

  std::span<float> p() noexcept { return p_; }
  std::span<const float> p() const noexcept { return p_; }
  /// p(target | source), 0 for a pair that never met.
  float find(TokenId source, TokenId target) const noexcept;

 private:
  std::vector<std::uint64_t> rows_;
  std::vector<TokenId> targets_;
  std::vector<std::size_t> place_offsets_;
  std::vector<std::uint32_t> places_;
  std::vector<float> p_;
};

}  // namespace dragoman::align
