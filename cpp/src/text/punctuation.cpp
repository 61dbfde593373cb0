#include "dragoman/text/punctuation.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

#include "dragoman/text/unicode.hpp"

namespace dragoman::text {
namespace {

using Text = std::u32string;
using View = std::u32string_view;

struct Rule {
  View from;
  View to;
};

// Applied in this order, each to the whole line: what one writes the next may take up.
constexpr Rule kBrackets[] = {{U"\r", U""}, {U"(", U" ("}, {U")", U") "}};
constexpr Rule kBehindBrackets[] = {{U") .", U")."}, {U") !", U")!"}, {U") :", U"):"},
                                    {U") ?", U")?"}, {U") ;", U");"}, {U") ,", U"),"}};
constexpr Rule kInsideBrackets[] = {{U"( ", U"("}, {U" )", U")"}};
constexpr Rule kColons[] = {{U" :", U":"}, {U" ;", U";"}};
constexpr Rule kPennQuotes[] = {{U"`", U"'"}, {U"''", U" \" "}};
constexpr Rule kQuotesAndDashes[] = {{U"„", U"\""}, {U"“", U"\""}, {U"”", U"\""}, {U"–", U"-"}, {U"—", U" - "}};
constexpr Rule kApostrophes[] = {{U"´", U"'"}, {U"‘", U"'"},   {U"‚", U"'"},
                                 {U"’", U"'"}, {U"''", U"\""}, {U"…", U"..."}};
constexpr Rule kGuillemetRules[] = {{U"\u00A0«\u00A0", U" \""}, {U"«\u00A0", U"\""}, {U"«", U"\""},
                                    {U"\u00A0»\u00A0", U"\" "}, {U"\u00A0»", U"\""}, {U"»", U"\""}};
constexpr Rule kNoBreakSpaces[] = {{U"\u00A0%", U"%"},    {U"nº\u00A0", U"nº "}, {U"\u00A0:", U":"},
                                   {U"\u00A0ºC", U" ºC"}, {U"\u00A0cm", U" cm"}, {U"\u00A0?", U"?"},
                                   {U"\u00A0!", U"!"},    {U"\u00A0;", U";"},    {U",\u00A0", U", "}};
constexpr Rule kEastAsian[] = {
    {U"，", U","},  {U"、", U","},  {U"”", U"\""}, {U"“", U"\""}, {U"∶", U":"},  {U"：", U":"}, {U"？", U"?"},
    {U"《", U"\""}, {U"》", U"\""}, {U"）", U")"}, {U"！", U"!"}, {U"（", U"("}, {U"；", U";"}, {U"」", U"\""},
    {U"「", U"\""}, {U"０", U"0"},  {U"１", U"1"}, {U"２", U"2"}, {U"３", U"3"}, {U"４", U"4"}, {U"５", U"5"},
    {U"６", U"6"},  {U"７", U"7"},  {U"８", U"8"}, {U"９", U"9"}, {U"～", U"~"}, {U"’", U"'"},  {U"…", U"..."},
    {U"━", U"-"},   {U"〈", U"<"},  {U"〉", U">"}, {U"【", U"["}, {U"】", U"]"}, {U"％", U"%"},
};

/// One bit for each code point, shared by those 64 apart: what a text may hold.
constexpr std::uint64_t bits_of(View text) {
  std::uint64_t bits = 0;
  for (const char32_t code : text) bits |= std::uint64_t{1} << code % 64;
  return bits;
}

/// A text that is being rewritten, and what it may hold: most rules can be left out unread.
class Rewriter {
 public:
  Rewriter(Text& text, Text& buffer) : text_(text), buffer_(buffer), bits_(bits_of(text)) {}

  bool may_hold(View part) const { return (bits_of(part) & ~bits_) == 0; }

  /// Replace every match, from left to right, as `s///g` does.
  void replace(const Rule& rule) {
    if (!may_hold(rule.from)) return;
    std::size_t found = text_.find(rule.from);
    if (found == Text::npos) return;
    buffer_.clear();
    std::size_t copied = 0;
    for (; found != Text::npos; found = text_.find(rule.from, copied)) {
      buffer_.append(text_, copied, found - copied).append(rule.to);
      copied = found + rule.from.size();
    }
    buffer_.append(text_, copied);
    text_.swap(buffer_);
    bits_ |= bits_of(rule.to);
  }

  void replace(std::span<const Rule> rules) {
    for (const Rule& rule : rules) replace(rule);
  }

  /// `s/STOP\s*/. /g`
  void replace_full_stops(char32_t stop) {
    if (!may_hold(View(&stop, 1))) return;
    buffer_.clear();
    for (std::size_t i = 0; i < text_.size(); ++i) {
      if (text_[i] != stop) {
        buffer_ += text_[i];
        continue;
      }
      buffer_ += U". ";
      while (i + 1 < text_.size() && is_space(text_[i + 1])) ++i;
    }
    text_.swap(buffer_);
    bits_ |= bits_of(U". ");
  }

  void join_spaces() {
    const auto both_blank = [](char32_t a, char32_t b) { return a == U' ' && b == U' '; };
    text_.erase(std::unique(text_.begin(), text_.end(), both_blank), text_.end());
  }

 private:
  Text& text_;
  Text& buffer_;
  std::uint64_t bits_;
};

bool is_digit(char32_t code) { return has(code, kDecimal); }

/// `3 %` becomes `3%`.
void join_percent(Text& text) {
  std::size_t to = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == U' ' && i > 0 && i + 1 < text.size() && text[i + 1] == U'%' && is_digit(text[i - 1])) continue;
    text[to++] = text[i];
  }
  text.resize(to);
}

/// A no-break space between digits becomes the separator. A digit serves one match only: 1_2_3 becomes 1.2_3.
void join_numbers(Text& text, char32_t separator) {
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    if (text[i] == U'\u00A0' && is_digit(text[i - 1]) && is_digit(text[i + 1])) {
      text[i] = separator;
      i += 2;
    }
  }
}

/// `".` and `",` with the quote behind.
void move_into_quotes(Text& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != U'"') continue;
    for (; i + 1 < text.size() && (text[i + 1] == U',' || text[i + 1] == U'.'); ++i) std::swap(text[i], text[i + 1]);
  }
}

/// `."` with the quote before the full stops, unless the line or an element ends behind it.
void move_out_of_quotes(Text& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != U'.') continue;
    const std::size_t first = i;
    while (i < text.size() && text[i] == U'.') ++i;
    if (i == text.size() || text[i] != U'"') {
      --i;
      continue;
    }
    std::size_t behind = i + 1;
    while (behind < text.size() && is_space(text[behind])) ++behind;
    // White space before the end or before a `<` is itself what follows the quote.
    if (behind == text.size() || text[behind] == U'<') {
      if (behind == i + 1) continue;
      --behind;
    }
    std::rotate(text.begin() + static_cast<std::ptrdiff_t>(first), text.begin() + static_cast<std::ptrdiff_t>(i),
                text.begin() + static_cast<std::ptrdiff_t>(i + 1));
    i = behind;
  }
}

/// Format characters go; the joiners stay, which are part of how words are written; all else is a space.
void remove_control(Text& text) {
  constexpr char32_t kJoiners[] = {0x200C, 0x200D};
  std::size_t to = 0;
  for (const char32_t code : text) {
    const bool is_format = has(code, kFormat) && std::ranges::find(kJoiners, code) == std::end(kJoiners);
    const bool is_control = has(code, kControl | kUnassigned) || (code >= 0xE000 && code <= 0xF8FF) || code >= 0xF0000;
    if (is_format && !is_control) continue;
    text[to++] = is_control ? U' ' : code;
  }
  text.resize(to);
}

}  // namespace

PunctuationNormaliser::PunctuationNormaliser(const PunctuationOptions& options)
    : quote_commas_(QuoteCommas::kLeave),
      separator_(0),
      penn_(options.penn),
      replace_unicode_(options.replace_unicode),
      remove_control_(options.remove_control) {
  const auto& lang = options.lang;
  const bool is_czech = lang == "cs" || lang == "cz";
  if (options.quote_commas && !is_czech) {
    quote_commas_ = lang == "en" ? QuoteCommas::kIntoQuotes : QuoteCommas::kOutOfQuotes;
  }
  if (options.numbers) {
    separator_ = is_czech || lang == "de" || lang == "es" || lang == "fr" ? U',' : U'.';
  }
}

void PunctuationNormaliser::normalise(std::u32string_view line, Workspace& work, std::u32string& out) const {
  Text& text = work.text;
  text = line;
  Rewriter rewriter(text, work.buffer);
  if (replace_unicode_) {
    rewriter.replace_full_stops(U'。');
    rewriter.replace(kEastAsian);
    rewriter.replace_full_stops(U'．');
  }
  rewriter.replace(kBrackets);
  rewriter.join_spaces();
  rewriter.replace(kBehindBrackets);
  rewriter.replace(kInsideBrackets);
  if (rewriter.may_hold(U" %")) join_percent(text);
  rewriter.replace(kColons);
  if (!penn_) rewriter.replace(kPennQuotes);
  rewriter.replace(kQuotesAndDashes);
  rewriter.join_spaces();
  rewriter.replace(kApostrophes);
  rewriter.replace(kGuillemetRules);
  rewriter.replace(kNoBreakSpaces);
  rewriter.join_spaces();
  if (quote_commas_ != QuoteCommas::kLeave && rewriter.may_hold(U"\"")) {
    if (quote_commas_ == QuoteCommas::kIntoQuotes) {
      move_into_quotes(text);
    } else {
      rewriter.replace(Rule{U",\"", U"\","});
      move_out_of_quotes(text);
    }
  }
  if (separator_ != 0 && rewriter.may_hold(U"\u00A0")) join_numbers(text, separator_);
  if (remove_control_) {
    remove_control(text);
    rewriter.join_spaces();
  }
  const auto first = std::ranges::find_if_not(text, is_space);
  const auto last = std::find_if_not(text.rbegin(), std::make_reverse_iterator(first), is_space).base();
  out.append(first, last);
}

}  // namespace dragoman::text
