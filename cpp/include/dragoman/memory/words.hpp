#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace dragoman::memory {

/// What a token of a segment is to a memory. Inline codes are characters of the private use area U+E000 to U+F8FF.
enum class WordKind : std::uint8_t { kWord, kMark, kCode };

/// The bytes [begin, end) of a text.
struct Word {
  std::size_t begin;
  std::size_t end;
  WordKind kind;
};

/// The next token at or behind `at`: a run of letters, their marks and digits; one character where a script has no
/// spaces between words (Han, Kana, Thai …); one other character; one code. False at the end of the text.
bool next_word(std::string_view text, std::size_t at, Word& word) noexcept;

/// Call `use(word)` for each token of the text, in order.
template <class Use>
void for_each_word(std::string_view text, const Use& use) {
  Word word{};
  for (std::size_t at = 0; next_word(text, at, word); at = word.end) use(word);
}

/// The form in which a token is compared, put in place of `out`: in lower case; all codes alike.
void fold(std::string_view text, const Word& word, std::string& out);

}  // namespace dragoman::memory
