#pragma once

#include <cstdint>

namespace dragoman {

/// The draw of `dragoman.rng.Stream` at a counter: SplitMix64 (Steele, Lea & Flood, OOPSLA 2014) as a pure function,
/// so that any thread can make any draw. Both sides must stay equal to the bit; a test compares them.
struct CounterStream {
  std::uint64_t key;

  std::uint64_t bits(std::uint64_t counter) const noexcept {
    std::uint64_t z = (counter + 1) * 0x9E3779B97F4A7C15ULL + key;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }

  /// A whole number below `n` (which must fit 32 bits): the high half of a product; its bias is below n / 2^64.
  std::uint32_t below(std::uint64_t counter, std::uint32_t n) const noexcept {
    return static_cast<std::uint32_t>((static_cast<unsigned __int128>(bits(counter)) * n) >> 64);
  }
};

}  // namespace dragoman
