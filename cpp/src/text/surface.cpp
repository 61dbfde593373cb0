#include "dragoman/text/surface.hpp"

#include <algorithm>
#include <bit>
#include <string>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "dragoman/text/unicode.hpp"

namespace dragoman::text {
namespace {

using enum CharKind;

constexpr std::size_t kBmp = 0x10000;

bool is_symbol_of_13a(char32_t code) {
  return (code > 0x20 && code <= 0x26) || (code >= 0x28 && code <= 0x2B) || code == '/' ||
         (code >= 0x3A && code <= 0x40) || (code >= 0x5B && code <= 0x60) || (code >= 0x7B && code <= 0x7E);
}

CharKind kind_13a(char32_t code) {
  if (code == ' ') return kBlank;
  if (has(code, kPythonSpace)) return kSpace;
  if (code >= '0' && code <= '9') return kDigit;
  if (code == '.' || code == ',') return kPoint;
  if (code == '-') return kDash;
  return is_symbol_of_13a(code) ? kSingle : kPlain;
}

CharKind kind_international(char32_t code) {
  if (code == ' ') return kBlank;
  const unsigned mask = properties(code);
  if (mask & kPythonSpace) return kSpace;
  if (mask & kNumber) return kDigit;
  if (mask & kPunctuation) return kPoint;
  return mask & kSymbol ? kSingle : kPlain;
}

/// What sacreBLEU 2.6 takes for a Chinese character. Its table means to name two ranges beyond U+FFFF but spells them
/// "\u20000"–"\u2a6d6" and "\u2f800"–"\u2fa1d", two characters each; compared as strings they say U+2001–U+2A6D and
/// U+2F81–U+2FA1. Scores are published with it, so it stays.
bool is_chinese(char32_t code) {
  constexpr struct {
    char32_t first, last;
  } kRanges[] = {
      {0x2001, 0x2A6D}, {0x2E80, 0x2FDF}, {0x2FF0, 0x303F}, {0x3100, 0x312F}, {0x31A0, 0x31BF},
      {0x31C0, 0x31EF}, {0x3200, 0x33FF}, {0x3400, 0x4DB5}, {0x4E00, 0x9FBB}, {0xF900, 0xFA2D},
      {0xFA30, 0xFA6A}, {0xFA70, 0xFAD9}, {0xFE10, 0xFE1F}, {0xFE30, 0xFE4F}, {0xFF00, 0xFFEF},
  };
  return std::ranges::any_of(kRanges, [&](auto range) { return code >= range.first && code <= range.last; });
}

CharKind kind_chinese(char32_t code) {
  const CharKind kind = kind_13a(code);
  return kind == kPlain && is_chinese(code) ? kSingle : kind;
}

constexpr std::string_view kSkipped = "<skipped>";

/// True if what 13a rewrites begins at `p`, a character of kind kMarkup.
bool markup_at(const char* p, const char* begin, const char* end) noexcept {
  if (*p == '\n') return p > begin && p[-1] == '-';
  const std::string_view rest(p, static_cast<std::size_t>(end - p));
  if (*p == '<') return rest.starts_with(kSkipped);
  return rest.starts_with("&quot;") || rest.starts_with("&amp;") || rest.starts_with("&lt;") ||
         rest.starts_with("&gt;");
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  std::size_t found = text.find(from);
  if (found == std::string::npos) return;
  std::string result;
  std::size_t done = 0;
  for (; found != std::string::npos; found = text.find(from, done)) {
    result.append(text, done, found - done).append(to);
    done = found + from.size();
  }
  text = result.append(text, done);
}

/// The language-independent part of mteval-v13a. The order matters: "&amp;lt;" ends as "<", "&amp;quot;" as "&quot;".
std::string resolve_markup(std::string_view line) {
  std::string text(line);
  replace_all(text, kSkipped, "");
  replace_all(text, "-\n", "");
  replace_all(text, "&quot;", "\"");
  replace_all(text, "&amp;", "&");
  replace_all(text, "&lt;", "<");
  replace_all(text, "&gt;", ">");
  return text;
}

/// The line without the white space at its ends, as Python's str.strip() sees it.
std::string_view strip(std::string_view line) noexcept {
  while (!line.empty()) {
    const std::size_t space = space_length(line.data());
    if (space == 0) break;
    line.remove_prefix(space);
  }
  while (!line.empty()) {
    std::size_t last = line.size() - 1;
    while ((static_cast<unsigned char>(line[last]) & 0xC0) == 0x80) --last;
    if (space_length(line.data() + last) == 0) break;
    line.remove_suffix(line.size() - last);
  }
  return line;
}

/// Where the next byte goes, and whether a space is wanted before a token: not at the start nor behind another space.
/// It travels by value: a pen whose address is taken would live in memory, and the loop over characters with it.
struct Pen {
  char* out;
  bool gap;
};

Pen copy(const char* p, std::size_t length, Pen pen) noexcept {
  for (std::size_t i = 0; i < length; ++i) *pen.out++ = p[i];
  return {pen.out, false};
}

Pen space(Pen pen) noexcept {
  *pen.out = ' ';
  return {pen.out + !pen.gap, true};
}

/// Write a character as a token of its own.
Pen alone(const char* p, std::size_t length, Pen pen) noexcept { return space(copy(p, length, space(pen))); }

constexpr std::size_t kStep = 16;

/// Copy letters and digits of ASCII and single blanks, which no rule touches, sixteen at a time; stop at anything else.
/// What it leaves the caller takes byte by byte, so that without the instructions it may as well do nothing.
inline const char* copy_steps(const char* p, [[maybe_unused]] const char* end, [[maybe_unused]] Pen& pen) noexcept {
#if defined(__SSE2__)
  while (end - p >= static_cast<std::ptrdiff_t>(kStep)) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const auto between = [](__m128i x, char low, char high) {  // signed: bytes beyond ASCII are below all others
      return _mm_and_si128(_mm_cmpgt_epi8(x, _mm_set1_epi8(static_cast<char>(low - 1))),
                           _mm_cmpgt_epi8(_mm_set1_epi8(static_cast<char>(high + 1)), x));
    };
    const __m128i letters = between(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), 'a', 'z');
    const __m128i is_blank = _mm_cmpeq_epi8(bytes, _mm_set1_epi8(' '));
    const __m128i taken = _mm_or_si128(_mm_or_si128(letters, between(bytes, '0', '9')), is_blank);
    const auto blanks = static_cast<unsigned>(_mm_movemask_epi8(is_blank));
    const unsigned doubled = blanks & (blanks << 1 | static_cast<unsigned>(pen.gap));
    const unsigned stops = (~static_cast<unsigned>(_mm_movemask_epi8(taken)) | doubled) & 0xFFFF;
    _mm_storeu_si128(reinterpret_cast<__m128i*>(pen.out), bytes);  // there is room, and what is too much is overwritten
    const int n = std::countr_zero(stops | 1u << kStep);
    pen.gap = (blanks << 1 | static_cast<unsigned>(pen.gap)) >> n & 1;
    pen.out += n;
    p += n;
    if (stops != 0) break;
  }
#endif
  return p;
}

}  // namespace

SurfaceTokeniser::SurfaceTokeniser(KindOf kind_of, bool padded, bool stripped, bool markup)
    : wide_(kBmp), kind_of_(kind_of), padded_(padded), stripped_(stripped), markup_(markup) {
  for (std::size_t code = 0; code < kBmp; ++code) wide_[code] = kind_of(static_cast<char32_t>(code));
  for (std::size_t byte = 0; byte < 0x80; ++byte) bytes_[byte] = wide_[byte];
  for (std::size_t byte = 0x80; byte < 0x100; ++byte) bytes_[byte] = kPlain;
  // A first byte is wide only if some character that it begins is not plain; all others are copied byte by byte.
  for (char32_t code = 0x80; code < 0x110000; ++code) {
    if (code >= 0xD800 && code < 0xE000) continue;
    if (kind_of(code) == kPlain) continue;
    std::string utf8;
    append(utf8, code);
    bytes_[static_cast<unsigned char>(utf8[0])] = kWide;
  }
  std::copy_n(wide_.begin(), latin1_.size(), latin1_.begin());
  if (markup) {
    for (const unsigned char byte : {'&', '<', '\n'}) bytes_[byte] = latin1_[byte] = kMarkup;
  }
}

const SurfaceTokeniser& SurfaceTokeniser::v13a() {
  static const SurfaceTokeniser tokeniser(kind_13a, true, false, true);
  return tokeniser;
}

const SurfaceTokeniser& SurfaceTokeniser::international() {
  static const SurfaceTokeniser tokeniser(kind_international, false, false, false);
  return tokeniser;
}

const SurfaceTokeniser& SurfaceTokeniser::chinese() {
  static const SurfaceTokeniser tokeniser(kind_chinese, false, true, false);
  return tokeniser;
}

void SurfaceTokeniser::tokenise(std::string_view line, Bytes& out) const {
  if (stripped_) line = strip(line);
  // 2n for n tokens of one byte, and what a step may write too much.
  char* stop = cut<Form::kUtf8>(line, out.room(2 * line.size() + kStep), markup_);
  if (stop == nullptr) {
    const std::string resolved = resolve_markup(line);
    stop = cut<Form::kUtf8>(resolved, out.room(2 * resolved.size() + kStep), false);
  }
  out.end_at(stop);
}

bool SurfaceTokeniser::tokenise_latin1(std::string_view line, Bytes& out) const {
  if (stripped_) line = stripped_latin1(line);
  char* const stop = cut<Form::kLatin1>(line, out.room(2 * line.size() + kStep), markup_);
  if (stop != nullptr) out.end_at(stop);
  return stop != nullptr;
}

std::string_view SurfaceTokeniser::stripped_latin1(std::string_view line) const noexcept {
  const auto is_space = [&](char byte) {
    const CharKind kind = latin1_[static_cast<unsigned char>(byte)];
    return kind == kBlank || kind == kSpace;
  };
  while (!line.empty() && is_space(line.front())) line.remove_prefix(1);
  while (!line.empty() && is_space(line.back())) line.remove_suffix(1);
  return line;
}

template <SurfaceTokeniser::Form form>
CharKind SurfaceTokeniser::kind_at(const char* p, std::size_t& length) const noexcept {
  length = 1;
  if constexpr (form == Form::kLatin1) {
    return latin1_[static_cast<unsigned char>(*p)];
  } else {
    const CharKind kind = bytes_[static_cast<unsigned char>(*p)];
    if (kind != kWide) return kind;
    const char* next = p;
    const char32_t code = decode(next);
    length = static_cast<std::size_t>(next - p);
    return code < kBmp ? wide_[code] : kind_of_(code);
  }
}

template <SurfaceTokeniser::Form form>
bool SurfaceTokeniser::digit_at(const char* p) const noexcept {
  std::size_t length;
  return kind_at<form>(p, length) == kDigit;
}

template <SurfaceTokeniser::Form form>
bool SurfaceTokeniser::digit_before(const char* p, const char* begin) const noexcept {
  if (p == begin) return false;
  --p;
  if constexpr (form == Form::kUtf8) {
    while (p > begin && (static_cast<unsigned char>(*p) & 0xC0) == 0x80) --p;
  }
  return digit_at<form>(p);
}

template <SurfaceTokeniser::Form form>
SurfaceTokeniser::Run SurfaceTokeniser::run_at(const char* p, const char* begin, const char* end) const noexcept {
  const bool anchored = p == begin ? padded_ : !digit_before<form>(p, begin);
  Run run{p, p};
  std::size_t marks = 0;
  std::size_t length = 0;
  while (run.end < end && kind_at<form>(run.end, length) == kPoint) {
    run.joint = run.end;
    run.end += length;
    ++marks;
  }
  const bool left_over = (marks % 2 == 0) == anchored;
  if (!left_over || !(run.end == end ? !padded_ : digit_at<form>(run.end))) run.joint = run.end;
  return run;
}

/// Write the tokens of the line to `out` and return the end of what was written; a null pointer if there is markup to
/// resolve first and `markup` asks for it.
template <SurfaceTokeniser::Form form>
char* SurfaceTokeniser::cut(std::string_view line, char* out, bool markup) const noexcept {
  const auto& kinds = form == Form::kUtf8 ? bytes_ : latin1_;
  const char* const begin = line.data();
  const char* const end = begin + line.size();
  const char* p = begin;
  Pen pen{out, true};
  while (p < end) {
    p = copy_steps(p, end, pen);
    if (p == end) break;
    CharKind kind = kinds[static_cast<unsigned char>(*p)];
    if (kind < kSpace) {
      do {
        // Blanks take the same path as letters, without a branch: one behind another is overwritten.
        const bool blank = kind == kBlank;
        *pen.out = *p++;
        pen.out += !(blank & pen.gap);
        pen.gap = blank;
      } while (p < end && static_cast<signed char>(*p) < 0 && (kind = kinds[static_cast<unsigned char>(*p)]) < kSpace);
      continue;
    }
    std::size_t length = 1;
    if (kind == kMarkup) {
      if (markup && markup_at(p, begin, end)) return nullptr;
      kind = *p == '\n' ? kSpace : kSingle;
    } else if (kind == kWide) {
      kind = kind_at<form>(p, length);
    }
    switch (kind) {
      case kSpace:
        pen = space(pen);
        break;
      case kSingle:
        pen = alone(p, length, pen);
        break;
      case kPoint:
        for (const Run run = run_at<form>(p, begin, end); p < run.end; p += length) {
          length = form == Form::kUtf8 ? utf8_length(*p) : 1;
          // A joint needs no space before it: it stands behind a digit, a mark written alone, or nothing.
          pen = p == run.joint ? copy(p, length, pen) : alone(p, length, pen);
        }
        continue;
      case kDash:
        pen = digit_before<form>(p, begin) ? alone(p, length, pen) : copy(p, length, pen);
        break;
      default:
        pen = copy(p, length, pen);
    }
    p += length;
  }
  return pen.gap && pen.out > out ? pen.out - 1 : pen.out;
}

void CharTokeniser::tokenise(std::string_view line, Bytes& out) const {
  Pen pen{out.room(2 * line.size() + 1), true};
  const char* p = line.data();
  const char* const end = p + line.size();
  for (std::size_t length; p < end; p += length) {
    length = utf8_length(*p);
    pen = copy(p, length, space(pen));
  }
  out.end_at(pen.out);
}

}  // namespace dragoman::text
