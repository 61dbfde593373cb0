#include "dragoman/memory/words.hpp"

#include "dragoman/text/casing.hpp"
#include "dragoman/text/unicode.hpp"

namespace dragoman::memory {

namespace {

constexpr std::string_view kCode = "\xEE\x80\x80";  // U+E000

bool is_code(char32_t code) noexcept { return code >= 0xE000 && code <= 0xF8FF; }

bool stands_alone(char32_t code) noexcept {
  switch (code < 0x80 ? text::Script::kLatin : text::script(code)) {
    case text::Script::kHan:
    case text::Script::kHiragana:
    case text::Script::kKatakana:
    case text::Script::kKhmer:
    case text::Script::kLao:
    case text::Script::kMyanmar:
    case text::Script::kThai:
    case text::Script::kTibetan:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool next_word(std::string_view text, std::size_t at, Word& word) noexcept {
  const char* p = text.data() + at;
  const char* const end = text.data() + text.size();
  const auto offset = [&](const char* q) { return static_cast<std::size_t>(q - text.data()); };
  constexpr unsigned kInWord = text::kLetter | text::kMark | text::kNumber;
  while (p < end) {
    const char* const begin = p;
    const char32_t first = text::decode(p);
    if (text::is_space(first)) continue;
    const bool in_word = text::has(first, kInWord);
    word = {offset(begin), offset(p), in_word ? WordKind::kWord : is_code(first) ? WordKind::kCode : WordKind::kMark};
    if (!in_word) return true;
    const unsigned goes_on = stands_alone(first) ? static_cast<unsigned>(text::kMark) : kInWord;
    while (p < end) {
      const char32_t code = text::decode(p);
      if (!text::has(code, goes_on) || (!text::has(code, text::kMark) && stands_alone(code))) break;
      word.end = offset(p);
    }
    return true;
  }
  return false;
}

void fold(std::string_view text, const Word& word, std::string& out) {
  if (word.kind == WordKind::kCode) {
    out = kCode;
    return;
  }
  out = text.substr(word.begin, word.end - word.begin);
  bool ascii = true;
  for (char& c : out) {
    ascii = ascii && static_cast<unsigned char>(c) < 0x80;
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  }
  if (!ascii) out = text::lower(text.substr(word.begin, word.end - word.begin), text::CaseRules::kStandard);
}

}  // namespace dragoman::memory
