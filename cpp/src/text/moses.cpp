#include "dragoman/text/moses.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "dragoman/text/code_units.hpp"
#include "dragoman/text/unicode.hpp"
#include "text/moses_kinds.hpp"
#include "text/moses_rules.hpp"

namespace dragoman::text {
namespace {

constexpr std::ptrdiff_t kLongestUnit = 1 << 30;  // its size must fit
constexpr std::ptrdiff_t kStride = 16;

Apostrophe apostrophe_of(std::string_view lang) {
  if (lang == "en") return Apostrophe::kKeepRight;
  if (lang == "fr" || lang == "it" || lang == "ga" || lang == "ca") return Apostrophe::kKeepLeft;
  if (lang == "so" || lang == "tdt") return Apostrophe::kKeepInside;
  return Apostrophe::kSplit;
}

InnerMark inner_mark_of(std::string_view lang) {
  if (lang == "fi" || lang == "sv") return InnerMark::kColon;
  if (lang == "tdt") return InnerMark::kApostrophe;
  if (lang == "ca") return InnerMark::kMiddleDot;
  return InnerMark::kNone;
}

/// The line without its control characters; the spans move with it.
template <CodeUnit Code>
std::span<const Code> without_junk(std::span<const Code> line, MosesTokeniser::Workspace<Code>& work) {
  bool has_junk = false;
  for (const Code code : line) has_junk |= is_junk(code);
  if (!has_junk) return line;
  work.cleaned.clear();
  auto span = work.spans.begin();
  bool is_inside = false;
  for (std::size_t i = 0; i <= line.size(); ++i) {
    if (is_inside && i == span->end) {
      (span++)->end = work.cleaned.size();
      is_inside = false;
    }
    if (!is_inside && span != work.spans.end() && i == span->begin) {
      span->begin = work.cleaned.size();
      is_inside = true;
    }
    if (i < line.size() && !is_junk(line[i])) work.cleaned.push_back(line[i]);
  }
  std::erase_if(work.spans, [](const Span& each) { return each.begin == each.end; });
  return work.cleaned;
}

/// One bit for each character that goes on with a run of letters. The ends of words are then found by counting bits,
/// which no branch predictor could guess as well.
template <CodeUnit Code>
void mark_letters(std::span<const Code> line, std::vector<std::uint64_t>& letters) {
  static_assert(kIsLetter == 1 << 15);
  const NearKinds& near = near_kinds();
  letters.clear();
  for (std::size_t begin = 0; begin < line.size(); begin += 64) {
    const std::size_t size = std::min<std::size_t>(64, line.size() - begin);
    std::uint64_t bits = 0;
    for (std::size_t k = 0; k < size; ++k) {
      const char32_t code = line[begin + k];
      const Kinds kinds = near[code & 0xFFFF];
      bits |= static_cast<std::uint64_t>(code <= 0xFFFF ? kinds >> 15 : 0) << k;
    }
    letters.push_back(bits);
  }
}

/// The first position from `i` on that is not marked.
std::size_t end_of_letters(const std::vector<std::uint64_t>& letters, std::size_t i) {
  std::size_t block = i / 64;
  if (block >= letters.size()) return i;
  const auto n_here = static_cast<std::size_t>(std::countr_one(letters[block] >> i % 64));
  if (n_here < 64 - i % 64) return i + n_here;
  for (++block; block < letters.size(); ++block) {
    if (~letters[block] != 0) return 64 * block + static_cast<std::size_t>(std::countr_one(letters[block]));
  }
  return 64 * block;
}

constexpr std::size_t kLongestEscape = 6;  // &quot; and &apos;

constexpr std::string_view entity_of(char32_t sign) {
  switch (sign) {
    case U'&':
      return "&amp;";
    case U'|':
      return "&#124;";
    case U'<':
      return "&lt;";
    case U'>':
      return "&gt;";
    case U'\'':
      return "&apos;";
    case U'"':
      return "&quot;";
    case U'[':
      return "&#91;";
    case U']':
      return "&#93;";
    default:
      return {};
  }
}

/// A protected run as it stands, but on one line: the contract is one line out for each line in.
template <CodeUnit Code>
Code* write_run(const MosesUnit<Code>& run, bool escape, Code* to) {
  Code* const begin = to;
  for (const Code* p = run.begin; p < run.begin + run.size; ++p) {
    if (has(*p, kPythonSpace)) {
      if (to > begin && to[-1] != ' ') *to++ = ' ';
    } else if (escape && !entity_of(*p).empty()) {
      to = std::ranges::copy(entity_of(*p), to).out;
    } else if (*p >= 0x20) {
      *to++ = *p;
    }
  }
  return to > begin && to[-1] == ' ' ? to - 1 : to;
}

}  // namespace

MosesTokeniser::MosesTokeniser(const MosesOptions& options, Prefixes prefixes)
    : prefixes_(std::move(prefixes)),
      apostrophe_(apostrophe_of(options.lang)),
      inner_mark_(inner_mark_of(options.lang)),
      aggressive_dash_splits_(options.aggressive_dash_splits),
      escape_(options.escape),
      split_last_(options.split_last),
      protect_(options.protect) {}

template <CodeUnit Code>
void MosesTokeniser::tokenise(std::span<const Code> line, std::span<const Span> spans, Workspace<Code>& work,
                              std::vector<Code>& out) const {
  work.spans.assign(spans.begin(), spans.end());
  if (protect_ != 0) find_patterns(line, protect_, work.spans);
  if (!work.spans.empty()) settle_overlaps(work.spans);

  line = without_junk(line, work);
  mark_letters(line, work.letters);
  const Signs signs = read(line, work);
  if (signs.crowded_commas) {
    apply(work, split_commas_behind<Code>);
    apply(work, split_commas_before<Code>);
  }
  if (signs.apostrophe) split_apostrophes(work);
  write(line.data() + line.size(), work, out);
}

/// The units of a line: white space as blanks, none at the ends; control characters dropped; blanks around everything
/// that is neither letter, digit nor word sign, around rows of dots and around protected runs.
template <CodeUnit Code>
MosesTokeniser::Signs MosesTokeniser::read(std::span<const Code> line, Workspace<Code>& work) const {
  const NearKinds& near = near_kinds();
  const auto inner_mark = static_cast<char32_t>(inner_mark_);
  const Code* const start = line.data();
  const Code* const end = start + line.size();
  auto span = work.spans.begin();
  const Code* stop = span == work.spans.end() ? end : start + span->begin;  // the next protected run
  UnitList<Code>& units = work.units;
  units.clear();
  Signs signs;
  Kinds last = kIsSpace;  // the kinds of the character before, whatever blanks were written since
  char32_t last_code = 0;
  bool has_half_flag = false;

  const auto add_blank = [&] {
    if (!units.empty() && !is(units.back(), kIsSpace)) units.push_back(kBlankUnit<Code>);
  };
  const auto add = [&](const Code* begin, const Code* behind, Kinds kinds) {
    units.push_back({begin, static_cast<std::uint32_t>(behind - begin), kinds});
    signs.apostrophe |= is(kinds, kIsApostrophe);
    last = kinds;
  };
  const auto add_apart = [&](const Code* begin, const Code* behind, Kinds kinds) {
    add_blank();
    add(begin, behind, kinds);
    units.push_back(kBlankUnit<Code>);
  };
  const auto next_kinds = [&](const Code* p) { return p < stop ? kinds_of(*p, near) : Kinds{kIsSpace}; };
  const auto is_digit = [](Kinds kinds) { return is(kinds, kIsWord) && is(kinds, kIsNumber); };

  for (const Code* p = start; p < end;) {
    const Code* const here = p;
    if (p == stop) {
      p = start + span->end;
      stop = ++span == work.spans.end() ? end : start + span->begin;
      add_apart(here, p, kIsProtected);
      last_code = 0;
      continue;
    }
    const char32_t code = *p++;
    Kinds kinds = kinds_of(code, near);
    if (is(kinds, kIsWord)) {
      // On to the end of the run: marks, and characters that are letters or numbers as its first is.
      const Kinds sort = kinds & (kIsWord | kIsAlpha | kIsNumber);
      const Code* const last_stop = stop - here > kLongestUnit ? here + kLongestUnit : stop;
      for (;;) {
        if (is(kinds, kIsLetter)) {
          p = std::min(start + end_of_letters(work.letters, static_cast<std::size_t>(p - start)), last_stop);
        }
        if (p == last_stop) break;
        const Kinds next = kinds_of(*p, near);
        if ((next & (kIsWord | kIsAlpha | kIsNumber)) != sort && !is(next, kExtends)) break;
        ++p;
      }
      if (p - here > 1) kinds |= kIsLong;
      add(here, p, kinds);
    } else if (is(kinds, kIsSpace)) {
      add_blank();
      last = kinds;
    } else if (code == inner_mark && is(next_kinds(p), kIsLower)) {
      add(here, p, kinds & ~Kinds{kIsOther});
    } else if (is(kinds, kIsOther) || code == inner_mark) {
      const bool closes_flag = has_half_flag && is_half_flag(code) && is_half_flag(last_code);
      has_half_flag = is_half_flag(code) && !closes_flag;
      const bool is_joined = closes_flag || (last_code == kZeroWidthJoiner && code >= 0x80 && has(code, kSymbol));
      if (is(last, kIsOther) && (is_joined || is(kinds, kExtends))) {
        ++units[units.size() - 2].size;
      } else {
        add_apart(here, p, kinds);
      }
    } else if (is(kinds, kIsComma)) {
      // A comma that has no comma beside it stays only inside a number, and the rules need not be asked.
      const Kinds next = next_kinds(p);
      const bool is_crowded = is(next | last, kIsComma);
      signs.crowded_commas |= is_crowded;
      if (is_crowded || (is_digit(next) && (is_digit(last) || units.empty()))) {
        add(here, p, kinds);
      } else {
        add_apart(here, p, kinds);
      }
    } else if (is(kinds, kIsDot) && p < stop && *p == '.') {
      while (p < stop && *p == '.') ++p;
      add_apart(here, p, 0);
    } else if (aggressive_dash_splits_ && code == U'-' && is(last, kIsWord) && is(next_kinds(p), kIsWord)) {
      units.insert(units.end(), {kBlankUnit<Code>, kSplitDash<Code>, kBlankUnit<Code>});
      last = kinds;
    } else {
      add(here, p, kinds);
    }
    last_code = code;
  }
  while (!units.empty() && is(units.back(), kIsSpace)) units.pop_back();
  return signs;
}

template <CodeUnit Code>
void MosesTokeniser::split_apostrophes(Workspace<Code>& work) const {
  if (apostrophe_ == Apostrophe::kSplit) return apply(work, split_all_apostrophes<Code>);
  const bool is_english = apostrophe_ == Apostrophe::kKeepRight;
  const Kinds no_opener = is_english ? kIsAlpha | kIsNumber : Kinds{kIsAlpha};
  using Rule = ApostropheRule;
  apply(work, Rule{.left = kIsAlpha, .left_has = false, .right = kIsAlpha, .right_has = false});
  apply(work, Rule{.left = no_opener, .left_has = false, .right = kIsAlpha, .right_has = true});
  apply(work, Rule{.left = kIsAlpha, .left_has = true, .right = kIsAlpha, .right_has = false});
  if (is_english) {
    apply(work, Rule{.left = kIsAlpha, .left_has = true, .right = kIsAlpha, .right_has = true, .blank_behind = false});
    // 1990's
    apply(work, Rule{.left = kIsNumber, .left_has = true, .right = kIsS, .right_has = true, .blank_behind = false});
  } else if (apostrophe_ == Apostrophe::kKeepLeft) {
    apply(work, Rule{.left = kIsAlpha, .left_has = true, .right = kIsAlpha, .right_has = true, .blank_before = false});
  }
}

/// Whether the full stop behind `prefix` belongs to it. `rest` is what follows on the line.
template <CodeUnit Code>
bool MosesTokeniser::keeps_full_stop(std::span<const MosesUnit<Code>> prefix, std::span<const MosesUnit<Code>> rest,
                                     std::string& word) const {
  const auto next = std::ranges::find_if(rest, [](const auto& unit) { return !is(unit, kIsSpace); });
  const bool is_last = next == rest.end();
  if (is_last && split_last_) return false;
  const auto any = [&](Kinds kinds) {
    return std::ranges::any_of(prefix, [&](const auto& unit) { return is(unit, kinds); });
  };
  if (any(kIsDot) && any(kIsAlpha)) return true;
  word.clear();
  for (const auto& unit : prefix) append_utf8(word, unit.begin, unit.begin + unit.size);
  const Breaks breaks = prefixes_.find(word);
  if (breaks == Breaks::kNever) return true;
  return !is_last && (is(*next, kIsLower) || (breaks == Breaks::kUnlessNumber && is(*next, kIsAsciiDigit)));
}

template <CodeUnit Code>
void MosesTokeniser::write(const Code* line_end, Workspace<Code>& work, std::vector<Code>& out) const {
  using Unit = MosesUnit<Code>;
  const std::span<const Unit> units(work.units);
  std::size_t most = kStride + 1;
  for (const Unit& unit : units) {
    most += is(unit, kIsEscaped | kIsProtected) ? kLongestEscape * unit.size : unit.size + 1;
  }
  const std::size_t begun = out.size();
  out.resize(begun + most);
  Code* const base = out.data() + begun;
  Code* to = base;
  const auto put = [&](const Unit& unit) {
    const Code* p = unit.begin;
    const Code* const end = p + unit.size;
    // Behind an escaped sign there may be marks that extend it.
    if (escape_ && is(unit, kIsEscaped)) to = std::ranges::copy(entity_of(*p++), to).out;
    // Most words are shorter than a stride, and a copy of fixed length needs no branch.
    if (end - p <= kStride && line_end - p >= kStride && !is(unit, kIsInserted)) {
      std::memcpy(to, p, kStride * sizeof(Code));
      to += end - p;
    } else {
      to = std::copy(p, end, to);
    }
  };

  for (std::size_t i = 0; i < units.size();) {
    if (is(units[i], kIsSpace)) {
      ++i;
      continue;
    }
    if (to != base) *to++ = ' ';
    if (is(units[i], kIsProtected)) {
      to = write_run(units[i++], escape_, to);
      continue;
    }
    std::size_t end = i + 1;
    while (end < units.size() && !is(units[end], kIsSpace)) ++end;
    const auto word = units.subspan(i, end - i);
    const auto rest = units.subspan(end);
    i = end;

    // Two signs that the rules have left on a word are cut off here: its full stop, and `.'` at the end of the line.
    std::size_t n_cut = 0;
    if (word.size() > 1 && is(word.back(), kIsDot)) {
      n_cut = keeps_full_stop(word.first(word.size() - 1), rest, work.word) ? 0 : 1;
    } else if (word.size() > 1 && is(word.back(), kIsApostrophe) && is(word[word.size() - 2], kIsDot)) {
      n_cut = std::ranges::all_of(rest, [](const Unit& unit) { return is(unit, kIsSpace); }) ? 2 : 0;
    }
    for (std::size_t k = 0; k < word.size(); ++k) {
      if (k + n_cut >= word.size() && k > 0) *to++ = ' ';
      put(word[k]);
    }
  }
  out.resize(static_cast<std::size_t>(to - out.data()));
}

template void MosesTokeniser::tokenise(std::span<const std::uint8_t>, std::span<const Span>, Workspace<std::uint8_t>&,
                                       std::vector<std::uint8_t>&) const;
template void MosesTokeniser::tokenise(std::span<const std::uint16_t>, std::span<const Span>, Workspace<std::uint16_t>&,
                                       std::vector<std::uint16_t>&) const;
template void MosesTokeniser::tokenise(std::span<const std::uint32_t>, std::span<const Span>, Workspace<std::uint32_t>&,
                                       std::vector<std::uint32_t>&) const;

void MosesTokeniser::tokenise(std::string_view line, Bytes& out) const {
  struct Scratch {
    Workspace<std::uint8_t> narrow;
    Workspace<std::uint32_t> wide;
    std::vector<std::uint8_t> bytes;
    std::vector<std::uint32_t> codes;
    std::vector<std::uint32_t> tokens;
  };
  // The contract of tokenisers knows no workspace; a thread keeps its own.
  thread_local Scratch scratch;
  if (std::ranges::all_of(line, [](char c) { return static_cast<unsigned char>(c) < 0x80; })) {
    scratch.bytes.clear();
    const std::span codes(reinterpret_cast<const std::uint8_t*>(line.data()), line.size());
    tokenise<std::uint8_t>(codes, {}, scratch.narrow, scratch.bytes);
    out.append({reinterpret_cast<const char*>(scratch.bytes.data()), scratch.bytes.size()});
    return;
  }
  decode_utf8(line, scratch.codes);
  scratch.tokens.clear();
  tokenise<std::uint32_t>(scratch.codes, {}, scratch.wide, scratch.tokens);
  append_utf8(scratch.tokens, out);
}

}  // namespace dragoman::text
