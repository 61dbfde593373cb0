#include "dragoman/text/casing.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

#include "dragoman/text/unicode.hpp"

namespace dragoman::text {
namespace {

struct Simple {
  char32_t code, lower, title, upper;
};

using Codes = std::array<char32_t, 3>;  // zeros behind the last

struct Expanding {
  char32_t code;
  Codes lower, title, upper;
};

struct ClassRun {
  char32_t first;
  std::uint8_t value;
};

#include "text/case_tables.inc"

constexpr char32_t kDotAbove = 0x0307, kDottedCapitalI = 0x0130, kDotlessI = 0x0131;
constexpr char32_t kCapitalSigma = 0x03A3, kSigma = 0x03C3, kFinalSigma = 0x03C2, kSharpS = 0x00DF;

enum class To { kLower, kTitle, kUpper };
enum SigmaClass : std::uint8_t { kNeither, kCased, kIgnorable };

/// Latin, Greek, Cyrillic and Armenian are looked up directly, the rest by bisection.
constexpr std::size_t kDirect = 0x590;

const Simple* find_simple(char32_t code) noexcept {
  static const auto direct = [] {
    std::array<const Simple*, kDirect> table{};
    for (const Simple& row : kSimple) {
      if (row.code < kDirect) table[row.code] = &row;
    }
    return table;
  }();
  if (code < kDirect) return direct[code];
  const auto place = std::ranges::lower_bound(kSimple, code, {}, &Simple::code);
  return place != std::end(kSimple) && place->code == code ? place : nullptr;
}

const Expanding* find_expanding(char32_t code) noexcept {
  const auto place = std::ranges::lower_bound(kExpanding, code, {}, &Expanding::code);
  return place != std::end(kExpanding) && place->code == code ? place : nullptr;
}

SigmaClass sigma_class(char32_t code) noexcept {
  const auto next = std::ranges::upper_bound(kClassRuns, code, {}, &ClassRun::first);
  return static_cast<SigmaClass>(std::prev(next)->value);
}

void append_all(std::string& out, const Codes& codes) {
  for (const char32_t code : codes) {
    if (code != 0) append(out, code);
  }
}

/// One character in another case, without regard to its neighbours.
void append_cased(std::string& out, char32_t code, To to, CaseRules rules) {
  if (rules == CaseRules::kTurkic) {
    if (to == To::kLower && code == kDottedCapitalI) return append(out, U'i');
    if (to == To::kLower && code == U'I') return append(out, kDotlessI);
    if (to != To::kLower && code == U'i') return append(out, kDottedCapitalI);
  }
  if (rules == CaseRules::kGerman && code == kSharpS) return append(out, code);
  if (const Simple* const row = find_simple(code)) {
    return append(out, to == To::kLower ? row->lower : to == To::kTitle ? row->title : row->upper);
  }
  if (code >= kSharpS) {
    if (const Expanding* const row = find_expanding(code)) {
      return append_all(out, to == To::kLower ? row->lower : to == To::kTitle ? row->title : row->upper);
    }
  }
  append(out, code);
}

/// Moves `p` back over one character.
char32_t decode_back(const char*& p) noexcept {
  do {
    --p;
  } while ((static_cast<unsigned char>(*p) & 0xC0) == 0x80);
  const char* from = p;
  return decode(from);
}

/// Unicode 3.13, Final_Sigma: a cased letter before, none behind, case-ignorable characters not counted.
bool is_final_sigma(std::string_view text, const char* sigma, const char* behind) noexcept {
  SigmaClass found = kNeither;
  for (const char* p = sigma; p > text.data();) {
    found = sigma_class(decode_back(p));
    if (found != kIgnorable) break;
  }
  if (found != kCased) return false;
  const char* const end = text.data() + text.size();
  for (const char* p = behind; p < end;) {
    found = sigma_class(decode(p));
    if (found != kIgnorable) return found != kCased;
  }
  return true;
}

/// Appends the first character of [p, end) in title case and returns where the rest begins.
const char* append_capital(std::string& out, const char* p, const char* end, CaseRules rules) {
  if (rules == CaseRules::kDutch && end - p >= 2 && p[0] == 'i' && p[1] == 'j') {
    out += "IJ";
    return p + 2;
  }
  const char32_t code = decode(p);
  // No word begins with ß; "Ss" at the head of a token would be damage, not case.
  if (code == kSharpS) {
    append(out, code);
  } else {
    append_cased(out, code, To::kTitle, rules);
  }
  return p;
}

bool is_cased_capital(char32_t code, CaseRules rules) noexcept { return !is_lower_or_caseless(code, rules); }

}  // namespace

const char* case_unicode_version() noexcept { return kUnicodeVersion; }

std::string lower(std::string_view text, CaseRules rules) {
  std::string out;
  out.reserve(text.size());
  const char* p = text.data();
  const char* const end = p + text.size();
  while (p < end) {
    const char* const here = p;
    const auto byte = static_cast<unsigned char>(*p);
    if (byte < 0x80 && (byte != 'I' || rules != CaseRules::kTurkic)) {
      out.push_back(static_cast<char>(byte >= 'A' && byte <= 'Z' ? byte + 32 : byte));
      ++p;
      continue;
    }
    const char32_t code = decode(p);
    if (code == kCapitalSigma) {
      append(out, is_final_sigma(text, here, p) ? kFinalSigma : kSigma);
    } else if (code == U'I' && p < end) {  // Turkic: the decomposed İ is one letter
      const char* behind = p;
      if (decode(behind) == kDotAbove) {
        out.push_back('i');
        p = behind;
      } else {
        append_cased(out, code, To::kLower, rules);
      }
    } else {
      append_cased(out, code, To::kLower, rules);
    }
  }
  return out;
}

std::string upper(std::string_view text, CaseRules rules) {
  std::string out;
  out.reserve(text.size());
  const char* p = text.data();
  const char* const end = p + text.size();
  while (p < end) {
    const auto byte = static_cast<unsigned char>(*p);
    if (byte < 0x80 && (byte != 'i' || rules != CaseRules::kTurkic)) {
      out.push_back(static_cast<char>(byte >= 'a' && byte <= 'z' ? byte - 32 : byte));
      ++p;
    } else {
      append_cased(out, decode(p), To::kUpper, rules);
    }
  }
  return out;
}

std::string capitalised(std::string_view text, CaseRules rules) {
  std::string out;
  if (text.empty()) return out;
  out.reserve(text.size() + 2);
  const char* const end = text.data() + text.size();
  const char* const rest = append_capital(out, text.data(), end, rules);
  out.append(rest, end);
  return out;
}

std::string sentence_cased(std::string_view text, CaseRules rules) {
  const char* p = text.data();
  const char* const end = p + text.size();
  while (p < end) {
    const char* const here = p;
    const char32_t code = decode(p);
    if (has(code, kLetter | kNumber)) {
      std::string out(text.data(), here);
      const char* const rest = append_capital(out, here, end, rules);
      out.append(rest, end);
      return out;
    }
  }
  return std::string(text);
}

bool has_case(std::string_view text) noexcept {
  const char* p = text.data();
  const char* const end = p + text.size();
  while (p < end) {
    const char32_t code = decode(p);
    if (find_simple(code) != nullptr || (code >= kSharpS && find_expanding(code) != nullptr)) return true;
  }
  return false;
}

char32_t simple_lower(char32_t code, CaseRules rules) noexcept {
  if (code == kDottedCapitalI) return U'i';
  if (rules == CaseRules::kTurkic && code == U'I') return kDotlessI;
  const Simple* const row = find_simple(code);
  return row == nullptr ? code : row->lower;
}

char32_t simple_upper(char32_t code, CaseRules rules) noexcept {
  if (rules == CaseRules::kTurkic && code == U'i') return kDottedCapitalI;
  const Simple* const row = find_simple(code);
  return row == nullptr ? code : row->upper;
}

bool is_lower_or_caseless(char32_t code, CaseRules rules) noexcept {
  if (code == kDottedCapitalI || (rules == CaseRules::kTurkic && code == U'I')) return false;
  const Simple* const row = find_simple(code);
  return row == nullptr || row->lower == code;
}

std::string cast_case(std::string_view form, std::string_view lemma, CaseRules rules) {
  if (!has_case(lemma) || form.empty()) return std::string(form);
  const std::string low_form = lower(form, rules);
  const char* f = low_form.data();
  const char* const form_end = f + low_form.size();
  const char* l = lemma.data();
  const char* const lemma_end = l + lemma.size();

  std::string out;
  out.reserve(form.size() + 2);
  std::string of_lemma, of_form;
  bool first = true;
  while (f < form_end && l < lemma_end) {
    const char* next_form = f;
    const char* next_lemma = l;
    const char32_t code = decode(next_form);
    const char32_t lemma_code = decode(next_lemma);
    of_lemma.clear();
    of_form.clear();
    append_cased(of_lemma, lemma_code, To::kLower, rules);
    append_cased(of_form, code, To::kLower, rules);
    const bool alike = of_lemma == of_form;
    if (!alike && (!first || next_lemma == lemma_end)) break;
    if (is_cased_capital(lemma_code, rules)) {
      append_cased(out, code, To::kTitle, rules);
    } else {
      append(out, code);
    }
    f = next_form;
    l = next_lemma;
    first = false;
    if (!alike) break;
  }
  out.append(f, form_end);
  return out;
}

}  // namespace dragoman::text
