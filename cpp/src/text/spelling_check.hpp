#pragma once

#include <string>
#include <string_view>

#include "dragoman/text/spelling.hpp"

namespace dragoman::text {

/// One word on its way through a dictionary: what is asked of it, and how much work is left.
///
/// The rules are those of Hunspell 1.7, taken from hunspell(5) and from what libhunspell answers; its suggestions are
/// not here. A dictionary can be made so that a word has endless analyses: work is counted, and a word that takes too
/// much of it is unknown.
class SpellingCheck {
 public:
  explicit SpellingCheck(const Speller& speller) : is_(speller) {}

  bool knows(std::u32string word, int depth = 0);

 private:
  using Chars = std::u32string_view;
  using Entry = SpellingWords::Entry;

  enum class Place { kAlone, kBegin, kEnd };  // of a word in a compound

  /// A root and what stands around it.
  struct Analysis {
    const Entry* root = nullptr;
    const Affix* prefix = nullptr;
    const Affix* suffix = nullptr;
    explicit operator bool() const noexcept { return root != nullptr; }
  };

  /// What a suffix stands with: a prefix, and a suffix behind it.
  struct Company {
    const Affix* prefix = nullptr;
    const Affix* outer = nullptr;
  };

  // spelling.cpp: letter case, dots, breaks
  const Entry* known_in_some_case(const std::u32string& word, bool dotted);
  const Entry* known_in_capitals(const std::u32string& word, bool dotted);
  const Entry* known_with_sharp_s(std::u32string word, std::size_t from, int replaced, int left);
  bool known_in_parts(const std::u32string& word, int depth);
  const Entry* known(Chars word, bool initial_capital = false);

  // spelling_affixes.cpp
  Analysis affixed(Chars word, SpellingFlag need, Place place);
  Analysis with_prefix(Chars word, SpellingFlag need, Place place, bool two_suffixes);
  Analysis with_suffix(Chars word, Company company, SpellingFlag need, Place place);
  Analysis with_two_suffixes(Chars word, const Affix* prefix, SpellingFlag need, Place place);
  bool fits(const Affix& suffix, Company company, Place place) const noexcept;
  bool stem(const Affix& affix, Chars word, std::u32string& out) const;

  // spelling_compounds.cpp
  const Entry* compound(Chars word, std::uint32_t n_before);
  Analysis first_part(Chars part, bool is_first);
  Analysis last_part(Chars part);
  bool may_meet(Chars word, std::size_t at) const;
  bool is_mistake(Chars word);
  bool by_rule(Chars word);
  bool by_rule(Chars word, std::size_t rule, std::size_t item, std::size_t n_parts);

  bool has(const Entry* entry, SpellingFlag flag) const noexcept { return is_.sets_.has(entry->flags, flag); }
  bool has(const Affix& affix, SpellingFlag flag) const noexcept { return is_.sets_.has(affix.flags, flag); }
  /// Count steps of work; false if there was too much of it.
  bool go_on(std::size_t n = 1) noexcept { return (steps_ += n) < kMostSteps; }

  // German compounds of forty letters take some thousand steps.
  static constexpr std::size_t kMostSteps = 200'000;

  static constexpr Entry kPlain{0, 0, false};  // of a word that follows a rule: it has no flags of its own

  const Speller& is_;
  std::size_t steps_ = 0;
  bool forbidden_ = false;
};

}  // namespace dragoman::text
