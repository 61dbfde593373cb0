#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/metrics/batch.hpp"

namespace dragoman::metrics {

/// Numbers 0, 1, 2 … for the different words of one text. `clear` is O(1).
class TokenIndex {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  TokenIndex() { clear(0); }

  /// Forget everything; `length` is how many words are about to come at most.
  void clear(std::size_t length);
  std::uint32_t add(TokenId token) noexcept;
  std::uint32_t find(TokenId token) const noexcept;
  std::size_t size() const noexcept { return size_; }

 private:
  struct Place {
    TokenId token = 0;
    std::uint32_t number = 0;
    std::uint32_t generation = 0;
  };
  std::size_t home(TokenId token) const noexcept {
    return static_cast<std::uint32_t>(token) * 0x9E3779B1u >> (32 - bits_);
  }
  std::size_t behind(std::size_t place) const noexcept { return (place + 1) & ((std::size_t{1} << bits_) - 1); }

  std::vector<Place> places_;  // open addressing in the first 2^bits_ places, at most half full
  int bits_ = 1;
  std::uint32_t generation_ = 0;
  std::uint32_t size_ = 0;
};

/// For each word of a text the places where it stands, as bits. In a long text only frequent words have a row of bits
/// of their own; those of the others are set when they are asked for, so that memory stays linear.
class TokenMasks {
 public:
  /// `backwards` counts places from the end of the text.
  void digest(Tokens text, bool backwards = false);
  std::size_t length() const noexcept { return numbers_.size(); }
  std::size_t n_blocks() const noexcept { return n_blocks_; }
  /// Blocks of 64 places where `token` stands, good until the next call; all zero for a word that the text lacks.
  const std::uint64_t* positions(TokenId token) noexcept {
    const std::uint32_t number = index_.find(token);
    const std::uint32_t row = number == TokenIndex::kNone ? kEmptyRow : rows_[number];
    return row == kSharedRow ? shared_row(number) : &masks_[row * n_blocks_];
  }

 private:
  static constexpr std::size_t kShort = 16;  // blocks of a text whose words all have their rows
  static constexpr std::uint32_t kEmptyRow = 0, kSharedRow = 1;

  const std::uint64_t* shared_row(std::uint32_t number) noexcept;

  TokenIndex index_;
  std::vector<std::uint32_t> numbers_;  // of the words at all places
  std::vector<std::uint32_t> rows_;     // of the words
  std::vector<std::uint64_t> masks_;
  std::size_t n_blocks_ = 0;
  std::vector<std::size_t> starts_, places_;  // the places of all words, one list behind the other
  std::uint32_t shown_ = TokenIndex::kNone;   // the word whose bits stand in the shared row
};

}  // namespace dragoman::metrics
