#include "dragoman/text/spelling.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "dragoman/text/unicode.hpp"
#include "spelling_check.hpp"

namespace dragoman::text {
namespace {

using Chars = std::u32string_view;

constexpr std::size_t kLongest = 100;  // characters; Hunspell, too, takes nothing longer for a word
constexpr char32_t kSharp = 0x00DF;
constexpr int kMostSharps = 5;   // ss of a word that are read as ß
constexpr int kMostBreaks = 10;  // places at which a word may be broken; one with more is unknown

std::u32string to_chars(std::string_view text) {
  std::u32string out;
  out.reserve(text.size());
  const char* p = text.data();
  const char* const end = p + text.size();
  while (p < end) out.push_back(decode(p));
  return out;
}

std::vector<std::pair<std::u32string, std::u32string>> to_chars(
    const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::vector<std::pair<std::u32string, std::u32string>> out;
  for (const auto& [from, to] : pairs) out.emplace_back(to_chars(from), to_chars(to));
  return out;
}

std::u32string lower_word(std::u32string word, CaseRules rules) {
  for (char32_t& code : word) code = simple_lower(code, rules);
  return word;
}

std::u32string with_capital(std::u32string word, CaseRules rules) {
  if (!word.empty()) word[0] = simple_upper(word[0], rules);
  return word;
}

enum class Capitals { kNone, kInitial, kAll, kMixed };

Capitals capitals(Chars word, CaseRules rules) {
  std::size_t n_upper = 0, n_caseless = 0;
  for (const char32_t code : word) {
    const char32_t low = simple_lower(code, rules);
    if (code != low) ++n_upper;
    if (simple_upper(code, rules) == low) ++n_caseless;
  }
  if (n_upper == 0) return Capitals::kNone;
  if (n_upper == 1 && simple_lower(word[0], rules) != word[0]) return Capitals::kInitial;
  return n_upper + n_caseless == word.size() ? Capitals::kAll : Capitals::kMixed;
}

/// Digits, with single separators between them: `1,000.5`.
bool is_number_word(Chars word) {
  bool digit = false;
  for (const char32_t code : word) {
    const bool was_digit = digit;
    digit = code >= U'0' && code <= U'9';
    if (!digit && (!was_digit || (code != U',' && code != U'.' && code != U'-'))) return false;
  }
  return digit;
}

/// The word with the longest entry of the table replaced at each place; `_` in an entry is the word's start or end.
std::u32string convert(const std::u32string& word,
                       const std::vector<std::pair<std::u32string, std::u32string>>& table) {
  if (table.empty()) return word;
  std::u32string out;
  for (std::size_t at = 0; at < word.size() && out.size() <= kLongest;) {
    std::size_t longest = 0;
    const std::u32string* by = nullptr;
    for (const auto& [pattern, replacement] : table) {
      Chars text = pattern;
      const bool at_start = text.size() > 1 && text.front() == U'_';
      if (at_start) text.remove_prefix(1);
      const bool at_end = text.size() > 1 && text.back() == U'_';
      if (at_end) text.remove_suffix(1);
      if (text.size() <= longest || Chars(word).substr(at, text.size()) != text) continue;
      if ((at_start && at != 0) || (at_end && at + text.size() != word.size())) continue;
      longest = text.size();
      by = &replacement;
    }
    if (by == nullptr) {
      out.push_back(word[at++]);
    } else {
      out.append(*by);
      at += longest;
    }
  }
  return out;
}

}  // namespace

FlagSets::FlagSets(std::span<const std::uint32_t> flags, std::span<const std::int64_t> offsets)
    : flags_(flags.begin(), flags.end()), offsets_(offsets.begin(), offsets.end()) {
  if (offsets_.size() < 2 || offsets_[1] != 0 || offsets_.back() != flags_.size() ||
      !std::ranges::is_sorted(offsets_)) {
    throw std::logic_error("sets of flags must cover the flags, the first without any");
  }
  for (std::size_t s = 0; s < size(); ++s) {
    std::sort(flags_.begin() + static_cast<std::ptrdiff_t>(offsets_[s]),
              flags_.begin() + static_cast<std::ptrdiff_t>(offsets_[s + 1]));
  }
}

bool FlagSets::has(std::uint32_t set, SpellingFlag flag) const noexcept {
  if (flag == 0) return false;
  const auto flags = of(set);
  return std::ranges::binary_search(flags, flag);
}

SpellingWords::SpellingWords(std::span<const std::string_view> words, std::span<const std::uint32_t> flags) {
  if (words.size() != flags.size()) throw std::logic_error("every word needs a set of flags");
  std::vector<std::size_t> ends;
  for (const std::string_view word : words) {
    text_.append(to_chars(word));
    ends.push_back(text_.size());
  }
  entries_.reserve(words.size());
  places_.reserve(words.size());
  std::vector<std::uint32_t> last(words.size());  // of the first entry of a word: its last one
  std::size_t begin = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto number = static_cast<std::uint32_t>(i);
    entries_.push_back({flags[i], 0, false});
    const auto [place, is_new] = places_.try_emplace(Chars(text_).substr(begin, ends[i] - begin), number);
    if (!is_new) entries_[last[place->second]].next = number + 1;
    last[place->second] = number;
    begin = ends[i];
  }
}

const SpellingWords::Entry* SpellingWords::find(Chars word) const noexcept {
  const auto place = places_.find(word);
  return place == places_.end() ? nullptr : &entries_[place->second];
}

const SpellingWords::Entry* SpellingWords::after(const Entry* entry) const noexcept {
  return entry->next == 0 ? nullptr : &entries_[entry->next - 1];
}

void SpellingWords::hide(std::vector<Hidden>&& words) {
  hidden_text_.reserve(words.size());  // views into it must stay good
  for (auto& [text, flags] : words) {
    if (places_.contains(text)) continue;
    hidden_text_.push_back(std::move(text));
    places_.emplace(hidden_text_.back(), static_cast<std::uint32_t>(entries_.size()));
    entries_.push_back({flags, 0, true});
  }
}

Speller::Speller(SpellingRules rules, FlagSets sets, std::vector<Affix> affixes,
                 std::span<const std::string_view> words, std::span<const std::uint32_t> word_flags)
    : rules_(std::move(rules)),
      sets_(std::move(sets)),
      affixes_(std::move(affixes)),
      words_(words, word_flags),
      ignored_(to_chars(rules_.ignored)),
      conversions_(to_chars(rules_.conversions)),
      mistakes_(to_chars(rules_.mistakes)) {
  for (const std::string& text : rules_.breaks) breaks_.push_back(to_chars(text));
  for (const Affix& affix : affixes_) {
    Ending& end = affix.is_suffix ? suffixes_ : prefixes_;
    end.by_text[affix.add].push_back(&affix);
    end.longest = std::max(end.longest, affix.add.size());
  }
  std::set<std::uint32_t> sets_of_suffixes;
  for (const Affix& affix : affixes_) {
    if (affix.is_suffix) sets_of_suffixes.insert(affix.flags);
  }
  for (const std::uint32_t set : sets_of_suffixes) {
    const auto flags = sets_.of(set);
    continued_.insert(continued_.end(), flags.begin(), flags.end());
  }
  std::ranges::sort(continued_);
  std::vector<SpellingWords::Hidden> hidden;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::u32string word = to_chars(words[i]);
    const Capitals kind = capitals(word, rules_.case_rules);
    const bool has_flags = !sets_.of(word_flags[i]).empty();
    if (kind != Capitals::kMixed && !(kind == Capitals::kAll && has_flags)) continue;
    if (sets_.has(word_flags[i], rules_.forbidden)) continue;
    hidden.push_back({with_capital(lower_word(std::move(word), rules_.case_rules), rules_.case_rules), word_flags[i]});
  }
  words_.hide(std::move(hidden));
}

bool Speller::knows(std::string_view word) const {
  std::u32string chars = to_chars(word);
  return SpellingCheck(*this).knows(std::move(chars));
}

bool SpellingCheck::knows(std::u32string word, int depth) {
  if (word.size() > kLongest || !go_on(1 + word.size() * is_.conversions_.size() / 16)) return false;
  word = convert(word, is_.conversions_);
  if (word.size() > kLongest) return false;
  const std::size_t n_chars = word.find_last_not_of(U'.') + 1;  // npos + 1 is 0
  const bool dotted = n_chars < word.size();
  word.resize(n_chars);
  if (word.empty() || is_number_word(word)) return true;
  forbidden_ = false;
  if (const Entry* const found = known_in_some_case(word, dotted)) return !has(found, is_.rules_.warn);
  if (forbidden_) return false;
  const CaseRules rules = is_.rules_.case_rules;
  // Hunspell breaks a word in capitals as it would be written at a sentence's start: NON-MUSLIM is Non and muslim.
  if (capitals(word, rules) == Capitals::kAll) word = with_capital(lower_word(std::move(word), rules), rules);
  return known_in_parts(word, depth);
}

/// The entry of the word, which stood before a full stop if it is `dotted`, as it is or with other capitals.
const SpellingCheck::Entry* SpellingCheck::known_in_some_case(const std::u32string& word, bool dotted) {
  const CaseRules rules = is_.rules_.case_rules;
  const Capitals kind = capitals(word, rules);
  if (kind == Capitals::kNone || kind == Capitals::kMixed) {
    if (const Entry* const found = known(word)) return found;
    return dotted ? known(word + U'.') : nullptr;
  }
  const bool all = kind == Capitals::kAll;
  if (all) {
    if (const Entry* const found = known_in_capitals(word, dotted)) return found;
  }
  const std::u32string small = lower_word(word, rules);
  const std::u32string capitalised = all ? with_capital(small, rules) : word;
  const auto kept = [&](const Entry* entry) { return has(entry, is_.rules_.keep_case); };
  const Entry* found = known(capitalised, !all);
  if (forbidden_) return nullptr;
  if (found != nullptr && !(all && kept(found))) return found;
  found = known(small);
  if (found == nullptr && dotted) {
    found = known(small + U'.');
    if (found == nullptr) {
      found = known(capitalised + U'.', !all);
      return found != nullptr && all && kept(found) ? nullptr : found;
    }
  }
  // A word with ß that keeps its case may still begin a sentence: German ß has no capital that all write.
  const bool may_begin = !all && is_.rules_.sharp_s && small.find(kSharp) != Chars::npos;
  return found != nullptr && kept(found) && !may_begin ? nullptr : found;
}

const SpellingCheck::Entry* SpellingCheck::known_in_capitals(const std::u32string& word, bool dotted) {
  const CaseRules rules = is_.rules_.case_rules;
  if (const Entry* const found = known(word)) return found;
  if (dotted) {
    if (const Entry* const found = known(word + U'.')) return found;
  }
  const std::u32string small = lower_word(word, rules);
  // SANT'ELIA is Sant'Elia, L'ITALIA l'Italia.
  if (const std::size_t mark = small.find(U'\''); mark != Chars::npos && mark + 1 < small.size()) {
    const std::u32string name = small.substr(0, mark + 1) + with_capital(small.substr(mark + 1), rules);
    if (const Entry* const found = known(name)) return found;
    if (const Entry* const found = known(with_capital(name, rules))) return found;
  }
  if (!is_.rules_.sharp_s || small.find(U"ss") == Chars::npos) return nullptr;
  for (const std::u32string& form : {small, with_capital(small, rules)}) {
    if (const Entry* const found = known_with_sharp_s(form, 0, 0, kMostSharps)) return found;
    if (dotted) {
      if (const Entry* const found = known_with_sharp_s(form + U'.', 0, 0, kMostSharps)) return found;
    }
  }
  return nullptr;
}

/// The entry of the word with some of its ss as ß.
const SpellingCheck::Entry* SpellingCheck::known_with_sharp_s(std::u32string word, std::size_t from, int replaced,
                                                              int left) {
  const std::size_t at = word.find(U"ss", from);
  if (at == Chars::npos || left == 0) return replaced > 0 ? known(word) : nullptr;
  std::u32string sharp = word;
  sharp.replace(at, 2, 1, kSharp);
  if (const Entry* const found = known_with_sharp_s(std::move(sharp), at + 1, replaced + 1, left - 1)) return found;
  return known_with_sharp_s(std::move(word), at + 2, replaced, left - 1);
}

/// Whether the word falls into known ones at a hyphen, or wherever the dictionary lets it be broken.
bool SpellingCheck::known_in_parts(const std::u32string& word, int depth) {
  if (depth > kMostBreaks) return false;
  int n_breaks = 0;
  for (const std::u32string& text : is_.breaks_) {
    for (std::size_t at = word.find(text); at != Chars::npos; at = word.find(text, at + text.size())) ++n_breaks;
  }
  if (n_breaks >= kMostBreaks) return false;
  for (const std::u32string& text : is_.breaks_) {
    const std::size_t n = text.size() - 1;
    if (n == 0 || n >= word.size()) continue;
    if (text.front() == U'^' && word.starts_with(Chars(text).substr(1)) && knows(word.substr(n), depth + 1))
      return true;
    if (text.back() == U'$' && word.ends_with(Chars(text).substr(0, n)) &&
        knows(word.substr(0, word.size() - n), depth + 1)) {
      return true;
    }
  }
  // First behind the second such place, which finds entries that have the first in them; then behind the first.
  for (const bool second : {true, false}) {
    for (const std::u32string& text : is_.breaks_) {
      const std::size_t n = text.size();
      const auto inside = [&](std::size_t at) { return at != Chars::npos && at > 0 && at + n < word.size(); };
      std::size_t at = word.find(text);
      if (!inside(at)) continue;
      if (const std::size_t next = word.find(text, at + 1); second && inside(next)) at = next;
      if (knows(word.substr(at + n), depth + 1) && knows(word.substr(0, at), depth + 1)) return true;
    }
  }
  return false;
}

/// The entry of the word, of its root if it has affixes, of its first root if it is a compound.
const SpellingCheck::Entry* SpellingCheck::known(Chars given, bool initial_capital) {
  const SpellingRules& rules = is_.rules_;
  std::u32string word(given);
  if (!is_.ignored_.empty()) {
    std::erase_if(word, [&](char32_t code) { return is_.ignored_.find(code) != Chars::npos; });
  }
  const auto barred = [&](const Entry* entry) {
    return has(entry, rules.only_in_compound) || (initial_capital && entry->hidden);
  };
  const Entry* entry = is_.words_.find(word);
  if (entry != nullptr && has(entry, rules.forbidden)) {
    forbidden_ = true;
    return nullptr;
  }
  while (entry != nullptr && (has(entry, rules.need_affix) || barred(entry))) entry = is_.words_.after(entry);
  if (entry != nullptr) return entry;
  const Analysis found = affixed(word, 0, Place::kAlone);
  if (found && !barred(found.root)) {
    forbidden_ = forbidden_ || has(found.root, rules.forbidden);
    return has(found.root, rules.forbidden) ? nullptr : found.root;
  }
  if (const Entry* const first = compound(word, 0)) return first;
  return by_rule(word) ? &kPlain : nullptr;
}

}  // namespace dragoman::text
