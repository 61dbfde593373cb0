#include "dragoman/text/sentences.hpp"

#include <algorithm>
#include <utility>

#include "characters.hpp"
#include "dragoman/text/unicode.hpp"

namespace dragoman::text {
namespace {

using View = std::u32string_view;

/// Marks that end a sentence wherever one may begin behind them.
bool is_end_mark(char32_t code) {
  return code < 0x80 ? code == U'?' || code == U'!' : is_one_of(code, U"؟।॥۔։።፧။។‼⁇⁈⁉？！\u037E");
}

bool is_in_word(char32_t code) { return has(code, kAlphabetic | kDecimal | kMark) || code == U'.' || code == U'-'; }

bool writes_without_capitals(std::string_view lang) {
  constexpr std::string_view kLanguages[] = {"am", "ar", "as", "bn", "ckb", "dv",  "dz", "fa", "gu", "he",
                                             "hi", "ja", "ka", "km", "kn",  "ko",  "lo", "ml", "mr", "mni",
                                             "my", "ne", "or", "pa", "ps",  "sa",  "sd", "si", "ta", "te",
                                             "th", "ti", "ug", "ur", "yi",  "yue", "zh"};
  return std::ranges::find(kLanguages, lang) != std::end(kLanguages);
}

/// Languages that write „so“ and »so«, where others write “so” and «so».
bool quotes_reversed(std::string_view lang) {
  constexpr std::string_view kLanguages[] = {"bg", "cs", "da", "de", "et", "hr", "hu", "is",
                                             "lt", "lv", "mk", "pl", "sk", "sl", "sr"};
  return std::ranges::find(kLanguages, lang) != std::end(kLanguages);
}

bool is_caseless_script(char32_t code) {
  switch (script(code)) {
    case Script::kOther:
    case Script::kLatin:
    case Script::kGreek:
    case Script::kCyrillic:
    case Script::kArmenian:
      return false;
    default:
      return true;
  }
}

/// `1.`, `(12).`, `b.`, `iv.`
bool is_list_item(View word) {
  word.remove_suffix(1);
  if (word.starts_with(U'(')) word.remove_prefix(1);
  if (word.ends_with(U')')) word.remove_suffix(1);
  if (word.empty()) return false;
  const auto is_letter = [](char32_t c) { return (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z'); };
  return std::ranges::all_of(word, is_ascii_digit) || (word.size() == 1 && is_letter(word[0])) ||
         std::ranges::all_of(word, [](char32_t c) { return is_one_of(c, U"ivx"); });
}

/// An acronym: `U.S.`, `C.-A.`
bool is_acronym(View word) {
  while (word.ends_with(U'.')) word.remove_suffix(1);
  const std::size_t dot = word.rfind(U'.');
  return dot != View::npos && dot + 1 < word.size() &&
         std::ranges::all_of(word.substr(dot + 1), [](char32_t c) { return has(c, kUpper) || c == U'-'; });
}

}  // namespace

SentenceSplitter::SentenceSplitter(const SplitterOptions& options, Prefixes prefixes)
    : prefixes_(std::move(prefixes)),
      is_caseless_(writes_without_capitals(options.lang)),
      has_reversed_quotes_(quotes_reversed(options.lang)),
      is_east_asian_(options.lang == "zh" || options.lang == "ja" || options.lang == "yue"),
      list_items_(options.list_items) {}

bool SentenceSplitter::may_begin(char32_t code) const {
  return has(code, kUpper | kTitle | kDecimal) || (is_caseless_ && is_caseless_script(code));
}

bool SentenceSplitter::is_opener(char32_t code) const {
  return is_one_of(code, U"'\"([¿¡„‚「『") || has(code, kInitialQuote) ||
         (has_reversed_quotes_ && is_one_of(code, U"»›"));
}

bool SentenceSplitter::is_closer(char32_t code) const {
  return is_one_of(code, U"'\")]」』") || has(code, kFinalQuote) || (has_reversed_quotes_ && is_one_of(code, U"“‘«‹"));
}

std::size_t SentenceSplitter::skip_openers(std::u32string_view text, std::size_t i) const {
  while (i < text.size() && is_opener(text[i])) ++i;
  return i;
}

/// Whether opening marks, if any, and then a character that may begin a sentence stand at `i`.
bool SentenceSplitter::begins_sentence(std::u32string_view text, std::size_t i) const {
  i = skip_openers(text, i);
  return i < text.size() && may_begin(text[i]);
}

/// What the list of abbreviations says of the word that begins at `word` and whose full stop is at `stop`.
Breaks SentenceSplitter::breaks_behind(Workspace& work, std::size_t word, std::size_t stop) const {
  std::size_t begin = stop;
  while (begin > word && is_in_word(work.text[begin - 1])) --begin;
  work.word.clear();
  for (std::size_t i = begin; i < stop; ++i) append(work.word, work.text[i]);
  return prefixes_.find(work.word);
}

/// Whether the full stop of the word from `word` to `blank` ends a sentence, if what follows may begin one.
bool SentenceSplitter::ends_at_full_stop(Workspace& work, std::size_t word, std::size_t blank) const {
  const View text = work.text;
  const View whole = text.substr(word, blank - word);
  const Breaks breaks = breaks_behind(work, word, blank - 1);
  if (breaks == Breaks::kNever || is_acronym(whole)) return false;
  if (list_items_ && work.begins[word] != 0 && is_list_item(whole)) return false;
  return !(breaks == Breaks::kUnlessNumber && is_ascii_digit(text[blank + 1]));
}

/// Find where sentences begin in one paragraph without empty lines.
void SentenceSplitter::mark(Workspace& work) const {
  const View text = work.text;
  auto& begins = work.begins;
  begins.assign(text.size() + 1, 0);
  begins[0] = 1;
  const auto is_final = [](char32_t code) { return code == U'.' || code == U'…' || is_end_mark(code); };

  if (is_east_asian_) mark_east_asian(work);
  std::size_t counted = 0;
  std::size_t n_straight = 0;  // quotes " so far: the second, fourth and so on close
  for (std::size_t blank = text.find(U' '); blank != View::npos; blank = text.find(U' ', blank + 1)) {
    const char32_t last = text[blank - 1];
    for (; counted < blank; ++counted) n_straight += text[counted] == U'"' ? 1 : 0;
    const bool is_ellipsis = last == U'…' || (last == U'.' && blank > 1 && text[blank - 2] == U'.');
    if (is_end_mark(last) || is_ellipsis) {
      begins[blank + 1] |= begins_sentence(text, blank + 1) ? 1 : 0;
    } else if (is_closer(last)) {
      // The mark stands before closing quotes or brackets, possibly with a blank between.
      std::size_t i = blank;
      while (i > 0 && is_closer(text[i - 1])) --i;
      if (i > 0 && text[i - 1] == U' ') {
        if (last == U'"' && n_straight % 2 != 0) continue;
        --i;
      }
      std::size_t behind = skip_openers(text, blank + 1);
      if (behind < text.size() && text[behind] == U' ') ++behind;
      if (i > 0 && is_final(text[i - 1]) && behind < text.size() && may_begin(text[behind])) begins[blank + 1] = 1;
    }
  }
  // Only now: a quote between blanks, `. " Next`, has been given to the sentence it closes.
  std::size_t word = 0;
  for (std::size_t blank = text.find(U' '); blank != View::npos; blank = text.find(U' ', blank + 1)) {
    const char32_t last = text[blank - 1];
    if (begins[blank + 1] == 0 && is_final(last)) {
      std::size_t behind = skip_openers(text, blank + 1);
      const bool has_openers = behind > blank + 1;
      if (has_openers && behind + 1 < text.size() && text[behind] == U' ' && begins[behind + 1] == 0) ++behind;
      const bool may_follow = behind < text.size() && may_begin(text[behind]);
      const bool ends = may_follow && (last == U'.' ? ends_at_full_stop(work, word, blank) : has_openers);
      begins[blank + 1] = ends ? 1 : 0;
    }
    word = blank + 1;
  }
}

/// Chinese and Japanese put no blank behind a sentence.
void SentenceSplitter::mark_east_asian(Workspace& work) const {
  const View text = work.text;
  const auto is_mark = [](char32_t code) { return is_one_of(code, U"。．？！｡"); };
  const auto is_ideograph = [](char32_t code) {
    const Script of = script(code);
    return of == Script::kHan || of == Script::kHiragana || of == Script::kKatakana;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_decimal =
        text[i] == U'．' && i > 0 && has(text[i - 1], kDecimal) && i + 1 < text.size() && has(text[i + 1], kDecimal);
    std::size_t behind = i + 1;
    if (is_mark(text[i]) && !is_decimal) {
      while (behind < text.size() && is_mark(text[behind])) ++behind;
      while (behind < text.size() && is_one_of(text[behind], U"\"”’」』）)】》〉")) ++behind;
      while (behind < text.size() && text[behind] == U' ') ++behind;
      work.begins[behind] = 1;
      i = behind - 1;
    } else if (is_one_of(text[i], U".?!") && !(i > 0 && has(text[i - 1], kDecimal))) {
      if (behind < text.size() && text[behind] == U' ') ++behind;
      if (behind < text.size() && is_ideograph(text[behind])) work.begins[behind] = 1;
    }
  }
}

void SentenceSplitter::split(std::u32string_view paragraph, Workspace& work, std::u32string& out,
                             std::vector<std::size_t>& ends) const {
  std::u32string& text = work.text;
  const auto flush = [&] {
    while (!text.empty() && text.back() == U' ') text.pop_back();
    if (text.empty()) return;
    mark(work);
    std::size_t begin = 0;
    for (std::size_t i = 1; i <= text.size(); ++i) {
      if (i < text.size() && work.begins[i] == 0) continue;
      std::size_t end = i;
      while (end > begin && text[end - 1] == U' ') --end;
      if (end > begin) {
        out.append(text, begin, end - begin);
        ends.push_back(out.size());
      }
      begin = i;
    }
    text.clear();
  };
  text.clear();
  std::size_t n_newlines = 0;
  for (const char32_t code : paragraph) {
    if (!is_space(code)) {
      if (n_newlines > 1) flush();
      n_newlines = 0;
      text += code;
      continue;
    }
    if (code == U'\n') ++n_newlines;
    if (!text.empty() && text.back() != U' ') text += U' ';
  }
  flush();
}

}  // namespace dragoman::text
