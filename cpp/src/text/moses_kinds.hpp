#pragma once

#include <array>
#include <cstdint>

// What the Moses rules ask of a character. Shared by the tokeniser's files only.
namespace dragoman::text {

enum Kind : std::uint32_t {
  kIsSpace = 1 << 0,
  kIsWord = 1 << 1,        // Perl's IsAlnum: Alphabetic or decimal digit
  kIsAlpha = 1 << 2,       // Perl's IsAlpha: Alphabetic
  kIsNumber = 1 << 3,      // Perl's IsN: any number
  kIsLower = 1 << 4,       // Perl's IsLower: Lowercase; of a run, its first character
  kIsAsciiDigit = 1 << 5,  // likewise
  kIsS = 1 << 6,           // the letter s; likewise
  kIsOther = 1 << 7,       // what is set apart by blanks
  kIsDot = 1 << 8,         // a full stop that stands alone
  kIsComma = 1 << 9,
  kIsApostrophe = 1 << 10,
  kIsEscaped = 1 << 11,    // what Moses writes as an entity
  kIsProtected = 1 << 12,  // a protected run
  kIsLong = 1 << 13,       // a run of several characters
  kExtends = 1 << 14,      // a mark, joiner, skin tone or flag tag: part of the character before it
  kIsLetter = 1 << 15,     // goes on with a run of letters: alphabetic and no number, or extending
  kIsInserted = 1 << 16,   // not in the line
};

using Kinds = std::uint32_t;

/// The kinds of the Basic Multilingual Plane.
using NearKinds = std::array<std::uint16_t, 0x10000>;
const NearKinds& near_kinds() noexcept;
Kinds far_kinds(char32_t code) noexcept;

/// The kinds of a code point seen alone; 0 for the signs that Moses leaves where they are, ` and -.
inline Kinds kinds_of(char32_t code, const NearKinds& near) noexcept {
  return code < near.size() ? near[code] : far_kinds(code);
}

/// Control characters that are no white space. Moses drops them.
constexpr bool is_junk(char32_t code) { return code < 0x09 || (code > 0x0D && code < 0x1C); }

inline constexpr char32_t kZeroWidthJoiner = 0x200D;
constexpr bool is_half_flag(char32_t code) { return code >= 0x1F1E6 && code <= 0x1F1FF; }

}  // namespace dragoman::text
