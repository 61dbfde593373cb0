#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace dragoman::text {

/// Unicode properties, one bit each; the order is that of tools/unicode_tables.py.
enum Property : std::uint32_t {
  kPunctuation = 1 << 0,    // P*
  kSymbol = 1 << 1,         // S*
  kNumber = 1 << 2,         // N*
  kDecimal = 1 << 3,        // Nd
  kLetter = 1 << 4,         // L*
  kMark = 1 << 5,           // M*
  kUpper = 1 << 6,          // Uppercase
  kLower = 1 << 7,          // Lowercase
  kTitle = 1 << 8,          // Lt
  kAlphabetic = 1 << 9,     // Alphabetic
  kWhiteSpace = 1 << 10,    // White_Space
  kControl = 1 << 11,       // Cc
  kFormat = 1 << 12,        // Cf
  kUnassigned = 1 << 13,    // Cn
  kPythonSpace = 1 << 14,   // what Python's str.split() splits at: White_Space and U+001C to U+001F
  kCurrency = 1 << 15,      // Sc
  kInitialQuote = 1 << 16,  // Pi
  kFinalQuote = 1 << 17,    // Pf
};

/// Scripts told apart; kOther holds common, inherited and all remaining ones. Order as in tools/unicode_tables.py.
enum class Script : std::uint8_t {
  kOther,
  kArabic,
  kArmenian,
  kBengali,
  kCyrillic,
  kDevanagari,
  kEthiopic,
  kGeorgian,
  kGreek,
  kGujarati,
  kGurmukhi,
  kHan,
  kHangul,
  kHebrew,
  kHiragana,
  kKannada,
  kKatakana,
  kKhmer,
  kLao,
  kLatin,
  kMalayalam,
  kMyanmar,
  kOriya,
  kSinhala,
  kTamil,
  kTelugu,
  kThai,
  kTibetan,
};
inline constexpr std::size_t kScripts = 28;

/// What a code point is to grapheme clusters (UAX #29, Table 2). CR, LF and other controls are one kind, syllables of
/// Hangul with and without a final consonant another. Order as in tools/unicode_tables.py.
enum class ClusterKind : std::uint8_t {
  kOther,
  kControl,
  kExtend,
  kJoiner,
  kRegional,
  kPrepend,
  kSpacing,
  kLead,
  kVowel,
  kTail,
  kSyllable,
  kPictograph,
};

/// All properties of a code point, as a mask.
std::uint32_t properties(char32_t code) noexcept;

/// True if the code point has any of the properties in `mask`.
inline bool has(char32_t code, unsigned mask) noexcept { return (properties(code) & mask) != 0; }

/// What Python's str.isspace() says, without a look-up for ASCII: most text asks this of every character.
inline bool is_space(char32_t code) noexcept {
  return code < 0x80 ? code == U' ' || (code >= 0x09 && code <= 0x0D) || (code >= 0x1C && code <= 0x1F)
                     : has(code, kPythonSpace);
}

Script script(char32_t code) noexcept;
ClusterKind cluster_kind(char32_t code) noexcept;

/// The code point at `p`, which moves behind it. The text must be valid UTF-8 (Python's strings are).
inline char32_t decode(const char*& p) noexcept {
  const auto byte = [&] { return static_cast<unsigned char>(*p++); };
  const char32_t lead = byte();
  if (lead < 0x80) return lead;
  if (lead < 0xE0) return (lead & 0x1F) << 6 | (byte() & 0x3F);
  if (lead < 0xF0) {
    const char32_t second = byte() & 0x3F;
    return (lead & 0x0F) << 12 | second << 6 | (byte() & 0x3F);
  }
  const char32_t second = byte() & 0x3F;
  const char32_t third = byte() & 0x3F;
  return (lead & 0x07) << 18 | second << 12 | third << 6 | (byte() & 0x3F);
}

/// How many bytes a character of UTF-8 has that begins with this one.
inline std::size_t utf8_length(char first) noexcept {
  const auto lead = static_cast<unsigned char>(first);
  return lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

/// True if the bytes are UTF-8 (RFC 3629: shortest forms, no surrogates, nothing beyond U+10FFFF).
bool is_utf8(std::string_view bytes) noexcept;

/// Append a code point as UTF-8.
void append(std::string& out, char32_t code);

/// The bytes that can begin white space: 1 = one of ASCII's, 2 = only some characters that begin so (see space_length).
inline constexpr auto kSpaceBytes = [] {
  std::array<std::uint8_t, 256> table{};
  for (const int byte : {0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x1C, 0x1D, 0x1E, 0x1F, 0x20}) table[byte] = 1;
  for (const int byte : {0xC2, 0xE1, 0xE2, 0xE3}) table[byte] = 2;
  return table;
}();

/// The length in bytes of the white space at `p`, as Python's str.split() sees it; 0 if other text stands there.
inline std::size_t space_length(const char* p) noexcept {
  const std::uint8_t kind = kSpaceBytes[static_cast<unsigned char>(*p)];
  if (kind < 2) return kind;
  const char* next = p;
  return has(decode(next), kPythonSpace) ? static_cast<std::size_t>(next - p) : 0;
}

/// Call `use(p)` at every byte that can begin white space, in order; some that do not may be among them.
template <class Use>
void for_each_space_byte(const char* p, const char* end, const Use& use) {
#if defined(__SSE2__)
  // Sixteen bytes a step; which of them to visit comes as a bit mask, so that no branch depends on the length of words.
  for (; end - p >= 16; p += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const auto up_to = [](__m128i x, int most) {
      return _mm_cmpeq_epi8(_mm_min_epu8(x, _mm_set1_epi8(static_cast<char>(most))), x);
    };
    const __m128i ascii = up_to(bytes, 0x20);
    const __m128i two = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(static_cast<char>(0xC2)));
    const __m128i three = up_to(_mm_sub_epi8(bytes, _mm_set1_epi8(static_cast<char>(0xE1))), 2);
    auto found = static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(ascii, two), three)));
    for (; found != 0; found &= found - 1) use(p + std::countr_zero(found));
  }
#endif
  for (; p < end; ++p) {
    if (kSpaceBytes[static_cast<unsigned char>(*p)] != 0) use(p);
  }
}

/// Call `use(token)` for each run of non-space characters, as Python's str.split() finds them.
template <class Use>
void split(std::string_view line, const Use& use) {
  const char* start = line.data();
  const char* const end = start + line.size();
  for_each_space_byte(start, end, [&](const char* p) {
    const std::size_t length = space_length(p);
    if (length == 0) return;
    if (p > start) use(std::string_view(start, static_cast<std::size_t>(p - start)));
    start = p + length;
  });
  if (end > start) use(std::string_view(start, static_cast<std::size_t>(end - start)));
}

}  // namespace dragoman::text
