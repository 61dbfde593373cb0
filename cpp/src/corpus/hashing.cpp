#include "dragoman/corpus/hashing.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "dragoman/text/unicode.hpp"

namespace dragoman::corpus {
namespace {

constexpr std::uint64_t kFirst = 0x9E3779B97F4A7C15;   // 2^64 / golden ratio
constexpr std::uint64_t kSecond = 0xD6E8FEB86659FD93;  // odd, bits well spread

/// Both halves of the 128-bit product, folded: every bit of the input reaches every bit of the result.
std::uint64_t fold(std::uint64_t a, std::uint64_t b) noexcept {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

}  // namespace

std::uint64_t hash_bytes(std::string_view bytes) noexcept {
  std::uint64_t state = kFirst ^ bytes.size();
  const char* p = bytes.data();
  std::size_t left = bytes.size();
  while (left > 0) {
    const std::size_t step = std::min<std::size_t>(left, 8);
    std::uint64_t word = 0;
    std::memcpy(&word, p, step);
    state = fold(state ^ word, kSecond) + kFirst;
    p += step;
    left -= step;
  }
  return fold(state, kFirst);
}

std::uint64_t hash_skeleton(std::string_view line) {
  std::string kept;
  kept.reserve(line.size());
  const char* p = line.data();
  const char* const end = p + line.size();
  while (p < end) {
    const char32_t code = text::decode(p);
    if (text::has(code, text::kDecimal)) {
      kept.push_back('0');
    } else if (text::has(code, text::kAlphabetic | text::kMark)) {
      text::append(kept, code);
    }
  }
  return hash_bytes(kept);
}

std::uint64_t hash_pair(std::uint64_t first, std::uint64_t second) noexcept {
  return fold(first + kFirst, fold(second, kSecond) ^ kSecond);
}

}  // namespace dragoman::corpus
