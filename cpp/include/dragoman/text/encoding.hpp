#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dragoman/text/unicode.hpp"

namespace dragoman::text {

/// Text with one code point in each element, up to U+00FF, U+FFFF or U+10FFFF. These are the three shapes of Python's
/// strings, so a kernel that takes them all needs no copy in UTF-8.
template <class Code>
concept CodeUnit =
    std::same_as<Code, std::uint8_t> || std::same_as<Code, std::uint16_t> || std::same_as<Code, std::uint32_t>;

/// Append text as UTF-8.
template <CodeUnit Code>
void append_utf8(std::string& out, const Code* begin, const Code* end) {
  for (; begin < end; ++begin) append(out, *begin);
}

/// The code points of UTF-8, in place of what `out` held.
inline void decode_utf8(std::string_view utf8, std::vector<std::uint32_t>& out) {
  out.clear();
  for (const char* p = utf8.data(); p < utf8.data() + utf8.size();) out.push_back(decode(p));
}

}  // namespace dragoman::text
