#include "dragoman/corpus/profile.hpp"

#include <algorithm>
#include <optional>

#include "dragoman/text/unicode.hpp"

namespace dragoman::corpus {
namespace {

using text::Script;

/// The byte that Windows-1252 has for a code point (Latin-1 where 1252 leaves a hole), if it has one.
std::optional<unsigned char> windows_byte(char32_t code) noexcept {
  if (code < 0x100) return static_cast<unsigned char>(code);
  constexpr std::array<char32_t, 32> kHigh = {0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                              0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0,      0x017D, 0,
                                              0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                              0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};
  const auto place = std::ranges::find(kHigh, code);
  if (place == kHigh.end()) return std::nullopt;
  return static_cast<unsigned char>(0x80 + (place - kHigh.begin()));
}

/// Watches for UTF-8 that went through Windows-1252: "Ã¼" for "ü", "â€œ" for an opening quotation mark, "Ð´" for "д".
/// Only lead bytes of Latin, Greek, Cyrillic and general punctuation are taken: "É»" at the end of a French quotation
/// in capitals is a lead and a continuation byte too. Inside a word in capitals nothing counts ("AMANHÃ”"), and the
/// leads that are letters of living alphabets (Ä Å Î Ï Ð Ñ) count only when they come twice.
class MojibakeWatch {
 public:
  void see(char32_t code, bool is_capital) noexcept {
    lead_ = code < 0x80 ? 0 : next_lead(windows_byte(code));
    capitals_ = is_capital ? capitals_ + 1 : 0;
  }

  int count() const noexcept { return strong_ + (weak_ > 1 ? weak_ : 0); }

 private:
  static constexpr unsigned kTwoOfThree = 0xE280;  // "â€" or "â‚" has been seen

  unsigned next_lead(std::optional<unsigned char> byte) noexcept {
    if (!byte) return 0;
    const bool continuation = *byte >= 0x80 && *byte <= 0xBF;
    if (lead_ == 0xE2) {
      if (*byte == 0x80 || *byte == 0x82) return kTwoOfThree;
    } else if (lead_ != 0 && continuation) {
      ++(lead_ == 0xC2 || lead_ == 0xC3 || lead_ == kTwoOfThree ? strong_ : weak_);
      return 0;
    }
    const bool is_lead = (*byte >= 0xC2 && *byte <= 0xC5) || (*byte >= 0xCE && *byte <= 0xD1) || *byte == 0xE2;
    return is_lead && capitals_ < 2 ? *byte : 0;
  }

  unsigned lead_ = 0;
  int capitals_ = 0;  // how many capitals stand right before
  int strong_ = 0;
  int weak_ = 0;
};

/// Counts runs of letters in which Latin stands beside Cyrillic or Greek.
class MixedWordWatch {
 public:
  void see(char32_t code, unsigned properties) noexcept {
    if ((properties & (text::kAlphabetic | text::kMark)) == 0) {
      finish();
      return;
    }
    switch (text::script(code)) {
      case Script::kLatin:
        seen_ |= 1;
        break;
      case Script::kCyrillic:
        seen_ |= 2;
        break;
      case Script::kGreek:
        if (code != U'\u03BC' && code != U'\u03A9') seen_ |= 4;  // μs and kΩ are units
        break;
      default:
        break;
    }
  }

  int finish() noexcept {
    if ((seen_ & 1) != 0 && seen_ != 1) ++count_;
    seen_ = 0;
    return count_;
  }

 private:
  unsigned seen_ = 0;
  int count_ = 0;
};

/// Counts brackets and double quotation marks. A closing bracket behind one letter or digit that begins a word numbers
/// an item ("a) first"), one behind a colon or a semicolon is a face; neither counts.
class PairWatch {
 public:
  void see(char32_t code, char32_t before, std::size_t token_characters) noexcept {
    switch (code) {
      case U'(':
        open(0);
        break;
      case U'[':
        open(1);
        break;
      case U'{':
        open(2);
        break;
      case U')':
        if (depth_[0] > 0 || !(token_characters == 1 || before == U':' || before == U';' || before == U'-')) close(0);
        break;
      case U']':
        close(1);
        break;
      case U'}':
        close(2);
        break;
      case U'"':
      case U'\u201C':
      case U'\u201D':
      case U'\u201E':
      case U'\u00AB':
      case U'\u00BB':
        ++quotes_;
        break;
      default:
        break;
    }
  }

  int mask() const noexcept {
    int mask = quotes_ % 2 == 1 ? 8 : 0;
    for (int kind = 0; kind < 3; ++kind) {
      if (depth_[kind] != 0 || crossed_[kind]) mask |= 1 << kind;
    }
    return mask;
  }

 private:
  void open(int kind) noexcept { ++depth_[kind]; }
  void close(int kind) noexcept {
    if (--depth_[kind] < 0) crossed_[kind] = true;
  }

  std::array<int, 3> depth_{};
  std::array<bool, 3> crossed_{};
  int quotes_ = 0;
};

bool is_noncharacter(char32_t code) noexcept { return (code & 0xFFFE) == 0xFFFE || (code >= 0xFDD0 && code <= 0xFDEF); }

}  // namespace

Profile profile_line(std::string_view line) noexcept {
  Profile profile{};
  const auto at = [&](Field field) -> std::int32_t& { return profile[static_cast<std::size_t>(field)]; };
  MojibakeWatch mojibake;
  MixedWordWatch mixed;
  PairWatch pairs;
  std::size_t token = 0;     // code points of the token so far
  char32_t before = U' ';    // the character before
  char32_t before_mark = 0;  // what stood before the comma or full stop that was the last character
  bool mark = false;         // the last character is a comma or a full stop
  const char* p = line.data();
  const char* const end = p + line.size();
  const auto end_token = [&] {
    if (mark) {
      // U+0020 before the mark: the mark is a token of its own.
      if (token == 1) {
        ++at(Field::kDetachedMarks);
      } else if (text::has(before_mark, text::kAlphabetic)) {
        ++at(Field::kAttachedMarks);
      }
    }
    if (token > 0) ++at(Field::kTokens);
    at(Field::kLongestToken) = std::max(at(Field::kLongestToken), static_cast<std::int32_t>(token));
    token = 0;
  };
  while (p < end) {
    const bool first = p == line.data();
    const char32_t code = text::decode(p);
    const auto properties = text::properties(code);
    ++at(Field::kCharacters);
    if (properties & text::kAlphabetic) ++at(Field::kLetters);
    if (properties & text::kDecimal) ++at(Field::kDigits);
    if (properties & text::kPunctuation) ++at(Field::kPunctuation);
    if ((properties & text::kControl) && code != U'\t') ++at(Field::kControls);
    if (code == 0xFFFD || (code == 0xFEFF && !first) || is_noncharacter(code)) ++at(Field::kInvalid);
    mojibake.see(code, (properties & text::kUpper) != 0);
    mixed.see(code, properties);
    if (properties & text::kPythonSpace) {
      if (first) at(Field::kOuterSpace) |= 1;
      if (p == end) at(Field::kOuterSpace) |= 2;
      end_token();
      mark = false;
    } else {
      pairs.see(code, before, token);
      ++token;
      mark = code == U',' || code == U'.';
      if (mark) before_mark = before;
    }
    before = code;
  }
  end_token();
  at(Field::kMojibake) = mojibake.count();
  at(Field::kMixedWords) = mixed.finish();
  at(Field::kUnbalanced) = pairs.mask();
  return profile;
}

}  // namespace dragoman::corpus
