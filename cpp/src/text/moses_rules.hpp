#pragma once

#include <vector>

#include "dragoman/text/moses.hpp"
#include "text/moses_kinds.hpp"

// The substitutions of tokenizer.perl at commas and apostrophes, in its order. Like `s///g` they go from left to right
// and do not use a character twice: `5,,5` and `rock'n'roll` come out as they do there. A run of several characters can
// serve on both sides, with its last one and its first.
namespace dragoman::text {

template <CodeUnit Code>
using UnitList = std::vector<MosesUnit<Code>>;

template <CodeUnit Code>
inline constexpr Code kSigns[] = {' ', '@', '-', '@'};
template <CodeUnit Code>
inline constexpr MosesUnit<Code> kBlankUnit{kSigns<Code>, 1, kIsSpace};
template <CodeUnit Code>
inline constexpr MosesUnit<Code> kSplitDash{kSigns<Code> + 1, 3, kIsInserted};

constexpr bool is(Kinds kinds, Kinds wanted) { return (kinds & wanted) != 0; }
template <CodeUnit Code>
constexpr bool is(const MosesUnit<Code>& unit, Kinds wanted) {
  return is(unit.kind, wanted);
}

/// A comma behind something that is no number.
template <CodeUnit Code>
void split_commas_behind(const UnitList<Code>& from, UnitList<Code>& to) {
  for (std::size_t i = 0; i < from.size(); ++i) {
    to.push_back(from[i]);
    if (i + 1 < from.size() && is(from[i + 1], kIsComma) && !is(from[i], kIsNumber)) {
      to.insert(to.end(), {kBlankUnit<Code>, from[++i], kBlankUnit<Code>});
    }
  }
}

/// A comma before something that is no number, or at the end behind a number.
template <CodeUnit Code>
void split_commas_before(const UnitList<Code>& from, UnitList<Code>& to) {
  for (std::size_t i = 0; i < from.size(); ++i) {
    const bool is_last = i + 1 == from.size();
    if (!is(from[i], kIsComma) || (is_last ? i == 0 || !is(from[i - 1], kIsNumber) : is(from[i + 1], kIsNumber))) {
      to.push_back(from[i]);
      continue;
    }
    to.insert(to.end(), {kBlankUnit<Code>, from[i], kBlankUnit<Code>});
    if (!is_last) to.push_back(from[++i]);
  }
}

template <CodeUnit Code>
void split_all_apostrophes(const UnitList<Code>& from, UnitList<Code>& to) {
  for (const MosesUnit<Code>& unit : from) {
    if (is(unit, kIsApostrophe)) {
      to.insert(to.end(), {kBlankUnit<Code>, unit, kBlankUnit<Code>});
    } else {
      to.push_back(unit);
    }
  }
}

/// An apostrophe between two neighbours: each must have one of the kinds, or none of them.
struct ApostropheRule {
  Kinds left;
  bool left_has;
  Kinds right;
  bool right_has;
  bool blank_before = true;
  bool blank_behind = true;

  template <CodeUnit Code>
  void operator()(const UnitList<Code>& from, UnitList<Code>& to) const {
    for (std::size_t i = 0; i < from.size(); ++i) {
      to.push_back(from[i]);
      if (i + 2 >= from.size() || !is(from[i + 1], kIsApostrophe) || is(from[i], left) != left_has ||
          is(from[i + 2], right) != right_has) {
        continue;
      }
      if (blank_before) to.push_back(kBlankUnit<Code>);
      to.push_back(from[++i]);
      if (blank_behind) to.push_back(kBlankUnit<Code>);
      if (!is(from[i + 1], kIsLong)) to.push_back(from[++i]);
    }
  }
};

template <CodeUnit Code, class Rule>
void apply(MosesTokeniser::Workspace<Code>& work, const Rule& rule) {
  work.next.clear();
  rule(work.units, work.next);
  work.units.swap(work.next);
}

}  // namespace dragoman::text
