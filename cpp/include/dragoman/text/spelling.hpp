#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "dragoman/text/casing.hpp"

namespace dragoman::text {

/// A flag of a Hunspell dictionary; 0 is none.
using SpellingFlag = std::uint32_t;

/// One prefix or suffix, as hunspell(5) describes it.
struct Affix {
  bool is_suffix;
  bool crosses;  // may stand together with an affix at the other end
  SpellingFlag flag;
  std::u32string strip;      // of the stem
  std::u32string add;        // in its place
  std::u32string condition;  // of the stem: characters, `.`, `[abc]`, `[^abc]`
  std::uint32_t flags;       // the set of flags that a word with this affix has
};

/// What an affix file says beyond its affixes. Each field is named for what it does; the option is given beside it.
struct SpellingRules {
  SpellingFlag forbidden = 0;         // FORBIDDENWORD
  SpellingFlag need_affix = 0;        // NEEDAFFIX
  SpellingFlag keep_case = 0;         // KEEPCASE
  SpellingFlag circumfix = 0;         // CIRCUMFIX
  SpellingFlag warn = 0;              // WARN, where FORBIDWARN is said too
  SpellingFlag compound = 0;          // COMPOUNDFLAG
  SpellingFlag compound_begin = 0;    // COMPOUNDBEGIN
  SpellingFlag compound_middle = 0;   // COMPOUNDMIDDLE
  SpellingFlag compound_end = 0;      // COMPOUNDEND
  SpellingFlag compound_permit = 0;   // COMPOUNDPERMITFLAG
  SpellingFlag compound_forbid = 0;   // COMPOUNDFORBIDFLAG
  SpellingFlag compound_root = 0;     // COMPOUNDROOT
  SpellingFlag only_in_compound = 0;  // ONLYINCOMPOUND
  std::uint32_t compound_min = 3;     // COMPOUNDMIN, in characters
  std::uint32_t compound_max = 0;     // COMPOUNDWORDMAX; 0 is any number
  bool full_strip = false;            // FULLSTRIP
  bool sharp_s = false;               // CHECKSHARPS
  bool more_suffixes = false;         // COMPOUNDMORESUFFIXES
  bool no_twice = false;              // CHECKCOMPOUNDDUP
  bool no_capitals = false;           // CHECKCOMPOUNDCASE
  bool no_triples = false;            // CHECKCOMPOUNDTRIPLE
  bool no_mistakes = false;           // CHECKCOMPOUNDREP
  CaseRules case_rules = CaseRules::kStandard;
  std::string ignored;                                                     // IGNORE: characters
  std::vector<std::string> breaks;                                         // BREAK
  std::vector<std::pair<std::string, std::string>> conversions;            // ICONV
  std::vector<std::pair<std::string, std::string>> mistakes;               // REP, asked by CHECKCOMPOUNDREP
  std::vector<std::vector<std::pair<SpellingFlag, char>>> compound_rules;  // COMPOUNDRULE: flag, and `*`, `?` or ` `
};

/// Sets of flags, numbered; set 0 is the empty one.
class FlagSets {
 public:
  /// Set s has the flags [offsets[s], offsets[s + 1]).
  FlagSets(std::span<const std::uint32_t> flags, std::span<const std::int64_t> offsets);

  bool has(std::uint32_t set, SpellingFlag flag) const noexcept;
  std::span<const SpellingFlag> of(std::uint32_t set) const noexcept {
    return std::span(flags_).subspan(offsets_[set], offsets_[set + 1] - offsets_[set]);
  }
  std::size_t size() const noexcept { return offsets_.size() - 1; }

 private:
  std::vector<SpellingFlag> flags_;  // sorted within a set
  std::vector<std::size_t> offsets_;
};

/// Words of a dictionary by their characters. A word may be there several times, with other flags.
class SpellingWords {
 public:
  struct Entry {
    std::uint32_t flags;  // their set
    std::uint32_t next;   // the word's next entry, plus one; 0 is none
    bool hidden;          // `Openoffice`, from `OpenOffice`: good for OPENOFFICE and nothing else
  };

  SpellingWords(std::span<const std::string_view> words, std::span<const std::uint32_t> flags);
  SpellingWords(const SpellingWords&) = delete;  // places_ points into text_
  SpellingWords& operator=(const SpellingWords&) = delete;

  /// The first entry of the word, or nullptr.
  const Entry* find(std::u32string_view word) const noexcept;
  const Entry* after(const Entry* entry) const noexcept;

  struct Hidden {
    std::u32string text;
    std::uint32_t flags;
  };
  /// Give each word that has no entry a hidden one.
  void hide(std::vector<Hidden>&& words);

 private:
  std::vector<Entry> entries_;
  std::u32string text_;
  std::vector<std::u32string> hidden_text_;
  std::unordered_map<std::u32string_view, std::uint32_t> places_;
};

/// Says which words a Hunspell dictionary knows. Immutable, hence shared freely between threads.
class Speller {
 public:
  Speller(SpellingRules rules, FlagSets sets, std::vector<Affix> affixes, std::span<const std::string_view> words,
          std::span<const std::uint32_t> word_flags);

  /// Whether the dictionary knows the word, valid UTF-8.
  bool knows(std::string_view word) const;

 private:
  friend class SpellingCheck;

  struct Ending {  // affixes by what they add
    std::unordered_map<std::u32string_view, std::vector<const Affix*>> by_text;
    std::size_t longest = 0;
  };

  SpellingRules rules_;
  FlagSets sets_;
  std::vector<Affix> affixes_;
  Ending prefixes_, suffixes_;
  std::vector<SpellingFlag> continued_;  // suffixes that may stand behind another, sorted
  SpellingWords words_;
  std::u32string ignored_;
  std::vector<std::u32string> breaks_;
  std::vector<std::pair<std::u32string, std::u32string>> conversions_, mistakes_;
};

}  // namespace dragoman::text
