#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace dragoman {

/// A 64-bit hash of a run of bytes. Files hold it (see text/vocabulary.hpp): to change it is to change their version.
/// Eight bytes a step, mixed by the 64×64→128 bit product folded onto itself.
inline std::uint64_t hash_bytes(std::string_view bytes, std::uint64_t seed = 0) noexcept {
  const auto fold = [](std::uint64_t a, std::uint64_t b) {
    const auto product = static_cast<unsigned __int128>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  };
  // Odd constants with balanced bits: the fractions of pi, as in Blowfish.
  constexpr std::uint64_t k0 = 0x243F6A8885A308D3, k1 = 0x13198A2E03707345;
  std::uint64_t state = seed ^ k0;
  const char* p = bytes.data();
  std::size_t left = bytes.size();
  while (left >= 8) {
    std::uint64_t word;
    std::memcpy(&word, p, 8);
    state = fold(state ^ word, k1);
    p += 8;
    left -= 8;
  }
  std::uint64_t tail = 0;
  if (left >= 4) {
    std::uint32_t low, high;
    std::memcpy(&low, p, 4);
    std::memcpy(&high, p + left - 4, 4);
    tail = low | static_cast<std::uint64_t>(high) << 32;
  } else if (left > 0) {
    const auto at = [&](std::size_t i) { return static_cast<std::uint64_t>(static_cast<unsigned char>(p[i])); };
    tail = at(0) | at(left / 2) << 8 | at(left - 1) << 16;
  }
  return fold(state ^ tail, k1 ^ bytes.size());
}

/// True if two runs of bytes, short ones as a rule, are the same.
inline bool same_bytes(std::string_view a, std::string_view b) noexcept {
  if (a.size() != b.size()) return false;
  const auto differ = [&]<class T>(T, std::size_t at) {
    T x, y;
    std::memcpy(&x, a.data() + at, sizeof(T));
    std::memcpy(&y, b.data() + at, sizeof(T));
    return x ^ y;
  };
  const std::size_t n = a.size();
  if (n > 16) return std::memcmp(a.data(), b.data(), n) == 0;
  // The last step may overlap the one before: no loop, no branch for the rest.
  if (n >= 8) return (differ(std::uint64_t{}, 0) | differ(std::uint64_t{}, n - 8)) == 0;
  if (n >= 4) return (differ(std::uint32_t{}, 0) | differ(std::uint32_t{}, n - 4)) == 0;
  if (n >= 2) return (differ(std::uint16_t{}, 0) | differ(std::uint16_t{}, n - 2)) == 0;
  return n == 0 || a[0] == b[0];
}

}  // namespace dragoman
