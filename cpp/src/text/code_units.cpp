#include "dragoman/text/code_units.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "dragoman/text/unicode.hpp"

namespace dragoman::text {
namespace {

// ASCII stretches, the bulk of most texts, are moved in steps of eight characters: all eight are written, then both
// sides move on by as many as were ASCII.
constexpr std::size_t kUnitStep = 8;

/// How many of eight characters are ASCII before the first that is not.
template <class Unit>
std::size_t leading_ascii(const Unit* units) noexcept {
  if constexpr (sizeof(Unit) == 1) {
    std::uint64_t word;
    std::memcpy(&word, units, sizeof word);
    word &= 0x8080808080808080;
    constexpr bool kLittle = std::endian::native == std::endian::little;
    return static_cast<std::size_t>(kLittle ? std::countr_zero(word) : std::countl_zero(word)) / 8;
  } else {
    Unit all = 0;
    for (std::size_t i = 0; i < kUnitStep; ++i) all |= units[i];
    if (all < 0x80) return kUnitStep;
    std::size_t n = 0;
    while (units[n] < 0x80) ++n;
    return n;
  }
}

unsigned char highest_byte(std::string_view bytes) noexcept {
  unsigned char highest = 0;
  for (const char byte : bytes) highest = std::max(highest, static_cast<unsigned char>(byte));
  return highest;
}

template <class From, class To>
std::size_t move_ascii(const From* from, To* to) noexcept {
  From step[kUnitStep];
  std::memcpy(step, from, sizeof step);
  To moved[kUnitStep];
  std::copy(step, step + kUnitStep, moved);
  std::memcpy(to, moved, sizeof moved);
  return leading_ascii(step);
}

template <class Unit>
bool encode(std::span<const Unit> characters, Bytes& out) {
  constexpr std::size_t kMost = sizeof(Unit) == 1 ? 2 : sizeof(Unit) == 2 ? 3 : 4;  // bytes that a unit can need
  char* place = out.room(kMost * characters.size());
  const Unit* unit = characters.data();
  const Unit* const end = unit + characters.size();
  while (unit < end) {
    if (static_cast<std::size_t>(end - unit) >= kUnitStep && *unit < 0x80) {
      const std::size_t n = move_ascii(unit, reinterpret_cast<unsigned char*>(place));
      place += n;
      unit += n;
      continue;
    }
    const std::uint32_t code = *unit++;
    const auto tail = [&](int shift) { *place++ = static_cast<char>(0x80 | (code >> shift & 0x3F)); };
    if (code < 0x80) {
      *place++ = static_cast<char>(code);
    } else if (code < 0x800) {
      *place++ = static_cast<char>(0xC0 | code >> 6);
      tail(0);
    } else if (code < 0x10000) {
      if (code >= 0xD800 && code < 0xE000) return false;
      *place++ = static_cast<char>(0xE0 | code >> 12);
      tail(6);
      tail(0);
    } else {
      *place++ = static_cast<char>(0xF0 | code >> 18);
      tail(12);
      tail(6);
      tail(0);
    }
  }
  out.end_at(place);
  return true;
}

template <class Unit>
std::size_t decode_all(std::string_view utf8, Bytes& out) {
  char* const start = out.room(utf8.size() * sizeof(Unit));
  char* place = start;
  const char* p = utf8.data();
  const char* const end = p + utf8.size();
  while (p < end) {
    if (static_cast<std::size_t>(end - p) >= kUnitStep && static_cast<signed char>(*p) >= 0) {
      // Unaligned: the units go through bytes.
      Unit moved[kUnitStep];
      const std::size_t n = move_ascii(reinterpret_cast<const unsigned char*>(p), moved);
      std::memcpy(place, moved, sizeof moved);
      place += n * sizeof(Unit);
      p += n;
      continue;
    }
    const auto unit = static_cast<Unit>(decode(p));
    std::memcpy(place, &unit, sizeof(Unit));
    place += sizeof(Unit);
  }
  out.end_at(place);
  return static_cast<std::size_t>(place - start) / sizeof(Unit);
}

}  // namespace

bool append_utf8(std::span<const std::uint8_t> characters, Bytes& out) { return encode(characters, out); }
bool append_utf8(std::span<const std::uint16_t> characters, Bytes& out) { return encode(characters, out); }
bool append_utf8(std::span<const std::uint32_t> characters, Bytes& out) { return encode(characters, out); }

Units latin1_units(std::string_view characters) noexcept {
  return {highest_byte(characters) < 0x80 ? 0x7Fu : 0xFFu, characters.size()};
}

Units append_units(std::string_view utf8, Bytes& out) {
  const unsigned char highest = highest_byte(utf8);
  if (highest < 0x80) {
    out.append(utf8);
    return {0x7F, utf8.size()};
  }
  if (highest < 0xC4) return {0xFF, decode_all<std::uint8_t>(utf8, out)};  // C2 and C3 begin U+0080 to U+00FF
  if (highest < 0xF0) return {0xFFFF, decode_all<std::uint16_t>(utf8, out)};
  return {0x10FFFF, decode_all<std::uint32_t>(utf8, out)};
}

}  // namespace dragoman::text
