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

/// For each word of a text the positions where it stands, as bits.
class TokenMasks {
 public:
  void digest(Tokens text);
  std::size_t length() const noexcept { return length_; }
  std::size_t n_blocks() const noexcept { return n_blocks_; }
  /// Blocks of 64 positions where `token` stands; all zero for a word that the text does not have.
  const std::uint64_t* positions(TokenId token) const noexcept {
    const std::uint32_t number = index_.find(token);
    return &masks_[(number == TokenIndex::kNone ? 0 : number + 1) * n_blocks_];
  }

 private:
  TokenIndex index_;
  std::vector<std::uint64_t> masks_;  // row 0 stays empty
  std::size_t length_ = 0;
  std::size_t n_blocks_ = 0;
};

}  // namespace dragoman::metrics
