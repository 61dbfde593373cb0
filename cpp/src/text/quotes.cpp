#include "dragoman/text/quotes.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <utility>

#include "characters.hpp"
#include "dragoman/text/unicode.hpp"
#include "text/clitics.hpp"

namespace dragoman::text {
namespace {

using View = std::u32string_view;
using Mark = QuoteNormaliser::Mark;
using Family = QuoteNormaliser::Family;
using Reading = QuoteNormaliser::Reading;

constexpr View kSingles = U"'‘’‚‛`´′‵ʼ＇";
constexpr View kDoubles = U"\"“”„‟″‶‴‷＂";
constexpr View kGuillemets = U"«»‹›";

/// Nearly all text is neither: the quick answer first.
bool may_be_mark(char32_t code) {
  return code < 0x80 ? code == U'"' || code == U'\'' || code == U'`'
                     : code < 0x100 || (code >= 0x2018 && code <= 0x203A) || code == U'ʼ' || code >= 0xFF00;
}
bool is_letter(char32_t code) { return has(code, kAlphabetic | kMark); }
bool is_any_digit(char32_t code) { return has(code, kDecimal); }
bool is_capital(char32_t code) { return has(code, kUpper | kTitle); }
bool is_stop(char32_t code) { return is_one_of(code, U".!?…。？！"); }
bool closes_clause(char32_t code) { return is_one_of(code, U".,;:!?)]}>…。，！？"); }
bool opens_clause(char32_t code) { return is_one_of(code, U"([{<¿¡—–-/:="); }

// Scores. A mark that leans on a word is as good as told; everything below says how a line with hints that are wrong or
// missing is to be read. Tuned on German, Czech and English text, see tests/text/test_quotes.py.
constexpr int kLeans = 8;
constexpr int kGlyph = 6;             // the mark's own shape, where it is reliable
constexpr int kGlyphHint = 1;         // where it is not
constexpr int kUnpaired = 6;          // a double mark whose partner is in another line
constexpr int kUnpairedSingle = 12;   // a single one: rather an apostrophe
constexpr int kNested = 2;            // directly in a quotation by the same marks
constexpr int kNestedAfterComma = 4;  // “So,” he said, “it is.”: the second opens nothing
constexpr int kMismatch = 8;          // a single mark closing a double one
constexpr int kSentence = 3;          // the quotation is a sentence, from its capital to its full stop
constexpr int kHalfSentence = -2;     // it ends as a sentence, but does not begin as one

/// One open quotation of a state: its family and whether it begins with a capital; up to three of them, the innermost
/// in the low bits, below a leading one. State 1 has none open.
constexpr std::size_t kStates = 128;
constexpr unsigned kNoneOpen = 1;
unsigned pushed(unsigned state, const Mark& mark) {
  return state << 2 | (mark.family == Family::kDouble ? 2u : 0u) | (is_capital(mark.behind) ? 1u : 0u);
}

struct Score {
  int value;
  unsigned state;
};

/// The best reading of marks that come one after the other (Viterbi). `start` is the state before the first.
unsigned read_marks(std::span<const Mark> marks, unsigned start, bool is_end, std::vector<std::uint8_t>& trace,
                    std::vector<Reading>& readings) {
  constexpr int kNever = std::numeric_limits<int>::min() / 2;
  std::array<int, kStates> now;
  std::array<int, kStates> next;
  now.fill(kNever);
  now[start] = 0;
  trace.assign(marks.size() * kStates, 0);
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const Mark& mark = marks[i];
    next.fill(kNever);
    std::uint8_t* const from = trace.data() + i * kStates;
    const auto reach = [&](unsigned state, unsigned previous, int value) {
      if (value > next[state]) {
        next[state] = value;
        from[state] = static_cast<std::uint8_t>(previous);
      }
    };
    const int unpaired = mark.family == Family::kDouble ? kUnpaired : kUnpairedSingle;
    for (unsigned state = 1; state < kStates; ++state) {
      if (now[state] == kNever) continue;
      const bool has_open = state != kNoneOpen;
      const bool is_same = has_open && ((state & 2) != 0) == (mark.family == Family::kDouble);
      if (has_open) {
        const int sentence = is_stop(mark.before) ? ((state & 1) != 0 ? kSentence : kHalfSentence) : 0;
        reach(state >> 2, state, now[state] + mark.close + sentence - (is_same ? 0 : kMismatch));
      } else {
        // The quotation was opened before this line; nothing opens or closes in the state, told apart by the trace.
        reach(state, state | 0x80, now[state] + mark.close - unpaired);
      }
      if (pushed(state, mark) < kStates) {
        const int nested = (is_same ? kNested : 0) + (has_open && mark.before == U',' ? kNestedAfterComma : 0);
        reach(pushed(state, mark), state, now[state] + mark.open - nested);
      }
      if (mark.family == Family::kSingle) reach(state, state, now[state] + mark.apostrophe);
    }
    now = next;
  }
  Score best{kNever, kNoneOpen};
  for (unsigned state = 1; state < kStates; ++state) {
    if (now[state] == kNever) continue;
    int value = now[state];
    for (unsigned open = state; is_end && open != kNoneOpen; open >>= 2) {
      value -= (open & 2) != 0 ? kUnpaired : kUnpairedSingle;
    }
    if (value > best.value) best = {value, state};
  }
  unsigned state = best.state;
  const std::size_t begin = readings.size();
  readings.resize(begin + marks.size());
  for (std::size_t i = marks.size(); i-- > 0;) {
    const unsigned previous = trace[i * kStates + state];
    readings[begin + i] = (previous & 0x80) != 0 || previous >> 2 == state ? Reading::kClose
                          : previous == state                              ? Reading::kApostrophe
                                                                           : Reading::kOpen;
    state = previous & 0x7F;
  }
  return best.state;
}

}  // namespace

QuoteNormaliser::QuoteNormaliser(const QuoteOptions& options)
    : lang_(options.lang), ascii_(options.ascii), guillemets_(options.guillemets) {}

void QuoteNormaliser::find_marks(std::u32string_view line, std::vector<Mark>& marks) const {
  marks.clear();
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char32_t code = line[i];
    if (!may_be_mark(code)) continue;
    const bool is_single = is_one_of(code, kSingles);
    if (is_single && i + 1 < line.size() && line[i + 1] == code) {
      marks.push_back({.begin = i, .end = i + 2, .family = Family::kDouble});  // `` and ''
      ++i;
    } else if (is_single) {
      marks.push_back({.begin = i, .end = i + 1, .family = Family::kSingle});
    } else if (is_one_of(code, kDoubles) || (guillemets_ && is_one_of(code, kGuillemets))) {
      marks.push_back({.begin = i, .end = i + 1, .family = Family::kDouble});
    }
  }
}

void QuoteNormaliser::score(std::u32string_view line, std::vector<Mark>& marks) const {
  const auto has_glyph = [&](char32_t glyph) { return line.find(glyph) != View::npos; };
  const bool has_low = has_glyph(U'„');
  const bool has_left = has_glyph(U'“');
  const bool has_right = has_glyph(U'”');
  const bool closes_with_left = has_low || (opens_low(lang_) && !has_right);
  const bool is_reversed = lang_ == "de" || lang_ == "da";  // »so«

  // The nearest characters beyond blanks and other marks.
  const auto is_skipped = [](char32_t c) { return is_space(c) || is_one_of(c, kSingles) || is_one_of(c, kDoubles); };
  char32_t nearest = U'\0';
  std::size_t place = 0;
  for (Mark& mark : marks) {
    for (; place < mark.begin; ++place) nearest = is_skipped(line[place]) ? nearest : line[place];
    mark.before = nearest;
  }
  nearest = U'\0';
  place = line.size();
  for (auto mark = marks.rbegin(); mark != marks.rend(); ++mark) {
    for (; place > mark->end; --place) nearest = is_skipped(line[place - 1]) ? nearest : line[place - 1];
    mark->behind = nearest;
  }

  for (std::size_t first = 0; first < marks.size();) {
    // Marks that touch each other have the same neighbours.
    std::size_t last = first;
    while (last + 1 < marks.size() && marks[last + 1].begin == marks[last].end) ++last;
    const char32_t touching_left = marks[first].begin > 0 ? line[marks[first].begin - 1] : U' ';
    const char32_t touching_right = marks[last].end < line.size() ? line[marks[last].end] : U' ';
    const char32_t before = marks[first].before;
    const char32_t behind = marks[first].behind;
    const bool is_free_left = is_space(touching_left);
    const bool is_free_right = is_space(touching_right);

    int lean = 0;  // positive: opens
    if (is_free_left && !is_free_right) {
      lean = closes_clause(touching_right) ? -2 : kLeans;
    } else if (!is_free_left && is_free_right) {
      lean = opens_clause(touching_left) ? 1 : -kLeans;
    } else if (!is_free_left) {
      lean = opens_clause(touching_left)     ? 5
             : closes_clause(touching_right) ? -5
             : closes_clause(touching_left)  ? -3
             : opens_clause(touching_right)  ? -5
                                             : 0;
    } else if (before == U'\0' || behind == U'\0') {
      lean = before == U'\0' ? kLeans : -kLeans;
    } else if (closes_clause(behind)) {
      lean = -6;
    } else if (opens_clause(before)) {
      lean = 4;
    } else if (before == U',') {
      lean = is_capital(behind) ? 2 : -2;
    } else if (is_stop(before)) {
      lean = is_capital(behind) ? -1 : -2;
    } else if (is_capital(behind)) {
      lean = 1;
    }
    for (std::size_t i = first; i <= last; ++i) {
      Mark& mark = marks[i];
      int glyph = 0;
      switch (line[mark.begin]) {
        case U'„':
        case U'‟':
        case U'‚':
          glyph = kGlyph;
          break;
        case U'“':
          glyph = closes_with_left ? -kGlyph : kGlyph;
          break;
        case U'”':
          glyph = has_left || has_low ? -kGlyph : 0;
          break;
        case U'«':
        case U'‹':
          glyph = is_reversed ? -kGlyph : kGlyph;
          break;
        case U'»':
        case U'›':
          glyph = is_reversed ? kGlyph : -kGlyph;
          break;
        case U'`':
        case U'‘':
        case U'‛':
        case U'‵':
        case U'‶':
          glyph = mark.family == Family::kDouble ? kGlyph : kGlyphHint;
          break;
        case U'´':
          glyph = -kGlyphHint;
          break;
        default:
          break;
      }
      mark.open = lean + glyph;
      mark.close = -lean - glyph;
      if (mark.family == Family::kSingle) mark.apostrophe = score_apostrophe(line, mark);
    }
    first = last + 1;
  }
}

/// How likely a single mark is an apostrophe.
int QuoteNormaliser::score_apostrophe(std::u32string_view line, const Mark& mark) const {
  constexpr int kSure = 24;
  constexpr int kKnown = 14;  // by the language's clitics
  const char32_t left = mark.begin > 0 ? line[mark.begin - 1] : U' ';
  const char32_t right = mark.end < line.size() ? line[mark.end] : U' ';
  const char32_t glyph = line[mark.begin];
  if (glyph == U'‚') return -kSure;
  const int hint = glyph == U'’' || glyph == U'ʼ' ? kGlyphHint : glyph == U'‘' || glyph == U'`' ? -kGlyphHint : 0;
  if (is_letter(left) && is_letter(right)) return kSure;
  if (is_any_digit(left) && right == U's') return kSure;
  if (is_any_digit(left) && is_any_digit(right)) return kLeans;

  const auto word_behind = [&] {
    std::size_t begin = mark.end;
    while (begin < line.size() && line[begin] == U' ') ++begin;
    std::size_t end = begin;
    while (end < line.size() && (is_letter(line[end]) || is_any_digit(line[end]))) ++end;
    return line.substr(begin, end - begin);
  };
  const auto word_before = [&] {
    std::size_t end = mark.begin;
    while (end > 0 && line[end - 1] == U' ') --end;
    std::size_t begin = end;
    while (begin > 0 && (is_letter(line[begin - 1]) || is_any_digit(line[begin - 1]))) --begin;
    return line.substr(begin, end - begin);
  };
  const View behind = word_behind();
  const View before = word_before();
  const bool leans_left = is_letter(left) || is_any_digit(left);
  const bool leans_right = is_letter(right) || is_any_digit(right);
  if (!leans_left && !before.empty() && is_clitic(lang_, behind)) return kKnown + hint;  // Men ' s, It 's
  if (!behind.empty() && is_elision(lang_, before)) return kKnown + hint;                // d ' accord, d' accord
  if (leans_right) {
    const bool is_year = behind.size() >= 2 && is_any_digit(behind[0]) && is_any_digit(behind[1]) &&
                         (behind.size() == 2 || (behind.size() == 3 && behind[2] == U's'));
    return is_year || is_clipped_in_front(lang_, behind) ? kKnown + hint : hint - 1;
  }
  if (leans_left) {
    if (is_clipped_behind(lang_, before)) return kKnown + hint;
    const bool may_be_genitive = (lang_ == "en" || lang_ == "de" || lang_ == "nl") && is_one_of(left, U"sSxXzZß");
    return hint + (may_be_genitive ? 6 : 3);
  }
  return -kLeans;
}

void QuoteNormaliser::pass(std::u32string_view line, Workspace& work, std::u32string& out) const {
  find_marks(line, work.marks);
  score(line, work.marks);
  // Blocks bound the memory that a line of nothing but quotes would take.
  constexpr std::size_t kBlock = 1024;
  work.readings.clear();
  unsigned state = kNoneOpen;
  for (std::size_t i = 0; i < work.marks.size(); i += kBlock) {
    const auto block = std::span<const Mark>(work.marks).subspan(i, std::min(kBlock, work.marks.size() - i));
    state = read_marks(block, state, i + kBlock >= work.marks.size(), work.trace, work.readings);
  }
  std::size_t copied = 0;
  for (std::size_t i = 0; i < work.marks.size(); ++i) {
    const Mark& mark = work.marks[i];
    out.append(line.substr(copied, mark.begin - copied));
    switch (work.readings[i]) {
      case Reading::kOpen:
        out += ascii_ ? U'"' : U'“';
        break;
      case Reading::kClose:
        out += ascii_ ? U'"' : U'”';
        break;
      case Reading::kApostrophe:
        out += ascii_ ? U'\'' : U'’';
        break;
    }
    copied = mark.end;
  }
  out.append(line.substr(copied));
}

void QuoteNormaliser::normalise(std::u32string_view line, Workspace& work, std::u32string& out) const {
  if (std::ranges::none_of(line, may_be_mark)) {
    out.append(line);
    return;
  }
  // What was read once has other shapes, which may be read differently; so on until nothing changes.
  constexpr int kMostPasses = 8;
  work.once.clear();
  pass(line, work, work.once);
  for (int i = 1; i < kMostPasses; ++i) {
    work.twice.clear();
    pass(work.once, work, work.twice);
    const bool is_stable = work.twice == work.once;
    work.once.swap(work.twice);
    if (is_stable) break;
  }
  out.append(work.once);
}

}  // namespace dragoman::text
