#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "dragoman/core/bytes.hpp"

namespace dragoman::text {

/// Between UTF-8 and the fixed-width forms in which Python keeps its strings: one, two or four bytes a character.

/// Append characters to `out` as UTF-8. False at a lone surrogate; `out` is then as it was.
bool append_utf8(std::span<const std::uint8_t> characters, Bytes& out);
bool append_utf8(std::span<const std::uint16_t> characters, Bytes& out);
bool append_utf8(std::span<const std::uint32_t> characters, Bytes& out);

/// Characters of one width.
struct Units {
  std::uint32_t max_char;  // 0x7F, 0xFF, 0xFFFF or 0x10FFFF, the least that none of the characters exceeds
  std::size_t length;      // in characters

  std::size_t width() const noexcept { return max_char < 0x100 ? 1 : max_char < 0x10000 ? 2 : 4; }
};

/// Append valid UTF-8 to `out` as characters of the smallest width that fits them all. They may stand unaligned.
Units append_units(std::string_view utf8, Bytes& out);

/// What characters are that are one byte wide already.
Units latin1_units(std::string_view characters) noexcept;

}  // namespace dragoman::text
