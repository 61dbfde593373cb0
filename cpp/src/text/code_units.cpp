#include "dragoman/text/code_units.hpp"

#include <algorithm>
#include <cstring>

#include "dragoman/text/unicode.hpp"

namespace dragoman::text {
namespace {

// ASCII stretches, the bulk of most texts, are moved in steps of eight characters.
constexpr std::size_t kStep = 8;

template <class Unit>
bool is_ascii_step(const Unit* units) noexcept {
  Unit all = 0;
  for (std::size_t i = 0; i < kStep; ++i) all |= units[i];
  return all < 0x80;
}

template <class Unit>
bool encode(std::span<const Unit> characters, Bytes& out) {
  constexpr std::size_t kMost = sizeof(Unit) == 1 ? 2 : sizeof(Unit) == 2 ? 3 : 4;  // bytes that a unit can need
  char* place = out.room(kMost * characters.size());
  const Unit* unit = characters.data();
  const Unit* const end = unit + characters.size();
  while (unit < end) {
    while (end - unit >= static_cast<std::ptrdiff_t>(kStep) && is_ascii_step(unit)) {
      for (std::size_t i = 0; i < kStep; ++i) place[i] = static_cast<char>(unit[i]);
      place += kStep;
      unit += kStep;
    }
    // What stopped the steps, and the characters around it.
    const Unit* const stop = unit + std::min<std::ptrdiff_t>(kStep, end - unit);
    for (; unit < stop; ++unit) {
      const std::uint32_t code = *unit;
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
  const auto put = [&](char32_t code) {
    const auto unit = static_cast<Unit>(code);
    std::memcpy(place, &unit, sizeof(Unit));
    place += sizeof(Unit);
  };
  while (p < end) {
    while (end - p >= static_cast<std::ptrdiff_t>(kStep)) {
      unsigned char step[kStep];
      std::memcpy(step, p, kStep);
      if (!is_ascii_step(step)) break;
      Unit units[kStep];
      std::copy(step, step + kStep, units);
      std::memcpy(place, units, sizeof units);
      place += sizeof units;
      p += kStep;
    }
    const char* const stop = p + std::min<std::ptrdiff_t>(kStep, end - p);
    while (p < stop) put(decode(p));
  }
  out.end_at(place);
  return static_cast<std::size_t>(place - start) / sizeof(Unit);
}

}  // namespace

bool append_utf8(std::span<const std::uint8_t> characters, Bytes& out) { return encode(characters, out); }
bool append_utf8(std::span<const std::uint16_t> characters, Bytes& out) { return encode(characters, out); }
bool append_utf8(std::span<const std::uint32_t> characters, Bytes& out) { return encode(characters, out); }

Units append_units(std::string_view utf8, Bytes& out) {
  unsigned char highest = 0;
  for (const char byte : utf8) highest = std::max(highest, static_cast<unsigned char>(byte));
  if (highest < 0x80) {
    out.append(utf8);
    return {0x7F, utf8.size()};
  }
  if (highest < 0xC4) return {0xFF, decode_all<std::uint8_t>(utf8, out)};  // C2 and C3 begin U+0080 to U+00FF
  if (highest < 0xF0) return {0xFFFF, decode_all<std::uint16_t>(utf8, out)};
  return {0x10FFFF, decode_all<std::uint32_t>(utf8, out)};
}

}  // namespace dragoman::text
