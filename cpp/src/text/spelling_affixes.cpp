#include <algorithm>

#include "spelling_check.hpp"

namespace dragoman::text {
namespace {

using Chars = std::u32string_view;

/// The end of the condition's first element: a character or a class in brackets.
std::size_t element_end(Chars condition, std::size_t at) {
  if (condition[at] != U'[') return at + 1;
  const std::size_t close = condition.find(U']', at);
  return close == Chars::npos ? condition.size() : close + 1;
}

bool element_matches(Chars element, char32_t code) {
  if (element.front() != U'[') return element.front() == U'.' || element.front() == code;
  const bool negated = element.size() > 1 && element[1] == U'^';
  const Chars members = element.substr(negated ? 2 : 1, element.size() - (negated ? 3 : 2));
  return (members.find(code) != Chars::npos) != negated;
}

std::size_t n_elements(Chars condition) {
  std::size_t n = 0;
  for (std::size_t at = 0; at < condition.size(); at = element_end(condition, at)) ++n;
  return n;
}

bool condition_holds(const Affix& affix, Chars stem) {
  const Chars condition = affix.condition;
  if (condition == U".") return true;
  const std::size_t n = n_elements(condition);
  if (n > stem.size()) return false;
  std::size_t place = affix.is_suffix ? stem.size() - n : 0;
  for (std::size_t at = 0; at < condition.size(); ++place) {
    const std::size_t end = element_end(condition, at);
    if (!element_matches(condition.substr(at, end - at), stem[place])) return false;
    at = end;
  }
  return true;
}

}  // namespace

/// The word without the affix in `out`; false if it is no stem that the affix may stand at.
bool SpellingCheck::stem(const Affix& affix, Chars word, std::u32string& out) const {
  if (word.size() == affix.add.size() && !is_.rules_.full_strip) return false;
  out.clear();
  if (affix.is_suffix) {
    out.append(word.substr(0, word.size() - affix.add.size())).append(affix.strip);
  } else {
    out.append(affix.strip).append(word.substr(affix.add.size()));
  }
  return condition_holds(affix, out);
}

SpellingCheck::Analysis SpellingCheck::affixed(Chars word, SpellingFlag need, Place place) {
  if (const Analysis found = with_prefix(word, need, place, false)) return found;
  if (const Analysis found = with_suffix(word, {}, need, place)) return found;
  if (is_.continued_.empty()) return {};
  if (const Analysis found = with_two_suffixes(word, nullptr, need, place)) return found;
  return with_prefix(word, need, place, true);
}

SpellingCheck::Analysis SpellingCheck::with_prefix(Chars word, SpellingFlag need, Place place, bool two_suffixes) {
  std::u32string rest;
  for (std::size_t n = 0; n <= std::min(word.size(), is_.prefixes_.longest); ++n) {
    const auto same = is_.prefixes_.by_text.find(word.substr(0, n));
    if (same == is_.prefixes_.by_text.end()) continue;
    for (const Affix* const affix : same->second) {
      if (!go_on()) return {};
      if (place == Place::kAlone && has(*affix, is_.rules_.only_in_compound)) continue;
      if (place == Place::kEnd && !has(*affix, is_.rules_.compound_permit)) continue;
      if (!stem(*affix, word, rest)) continue;
      if (two_suffixes) {
        if (!affix->crosses) continue;
        if (const Analysis found = with_two_suffixes(rest, affix, need, place)) return found;
        continue;
      }
      if (!has(*affix, is_.rules_.need_affix)) {
        for (const Entry* entry = is_.words_.find(rest); entry != nullptr; entry = is_.words_.after(entry)) {
          if (has(entry, affix->flag) && (need == 0 || has(entry, need) || has(*affix, need))) {
            return {entry, affix, nullptr};
          }
        }
      }
      if (!affix->crosses) continue;
      if (const Analysis found = with_suffix(rest, {affix, nullptr}, need, place)) return found;
    }
  }
  return {};
}

bool SpellingCheck::fits(const Affix& suffix, Company company, Place place) const noexcept {
  const SpellingRules& rules = is_.rules_;
  if (company.prefix != nullptr && !suffix.crosses) return false;
  if (place == Place::kBegin && !has(suffix, rules.compound_permit)) return false;
  if (has(suffix, rules.circumfix) != (company.prefix != nullptr && has(*company.prefix, rules.circumfix)))
    return false;
  if (has(suffix, rules.only_in_compound) &&
      (place == Place::kAlone || (place == Place::kEnd && company.prefix == nullptr))) {
    return false;
  }
  return company.outer != nullptr || !has(suffix, rules.need_affix) ||
         (company.prefix != nullptr && !has(*company.prefix, rules.need_affix));
}

SpellingCheck::Analysis SpellingCheck::with_suffix(Chars word, Company company, SpellingFlag need, Place place) {
  const auto [prefix, outer] = company;
  const SpellingFlag bad = outer != nullptr || place != Place::kAlone ? 0 : is_.rules_.only_in_compound;
  std::u32string rest;
  for (std::size_t n = 0; n <= std::min(word.size(), is_.suffixes_.longest); ++n) {
    const auto same = is_.suffixes_.by_text.find(word.substr(word.size() - n));
    if (same == is_.suffixes_.by_text.end()) continue;
    for (const Affix* const affix : same->second) {
      if (!go_on()) return {};
      if (outer != nullptr && !has(*affix, outer->flag)) continue;
      if (!fits(*affix, company, place) || !stem(*affix, word, rest)) continue;
      for (const Entry* entry = is_.words_.find(rest); entry != nullptr; entry = is_.words_.after(entry)) {
        if (!has(entry, affix->flag) && (prefix == nullptr || !has(*prefix, affix->flag))) continue;
        if (prefix != nullptr && !has(entry, prefix->flag) && !has(*affix, prefix->flag)) continue;
        if (has(entry, bad)) continue;
        if (need == 0 || has(entry, need) || has(*affix, need)) return {entry, prefix, affix};
      }
    }
  }
  return {};
}

SpellingCheck::Analysis SpellingCheck::with_two_suffixes(Chars word, const Affix* prefix, SpellingFlag need,
                                                         Place place) {
  std::u32string rest;
  for (std::size_t n = 0; n <= std::min(word.size(), is_.suffixes_.longest); ++n) {
    const auto same = is_.suffixes_.by_text.find(word.substr(word.size() - n));
    if (same == is_.suffixes_.by_text.end()) continue;
    for (const Affix* const affix : same->second) {
      if (!go_on()) return {};
      if (!std::ranges::binary_search(is_.continued_, affix->flag)) continue;
      if ((prefix != nullptr && !affix->crosses) || !stem(*affix, word, rest)) continue;
      // A suffix that itself brings the prefix's flag makes the prefix good for any stem.
      const bool brings = prefix != nullptr && has(*affix, prefix->flag);
      if (const Analysis found = with_suffix(rest, {brings ? nullptr : prefix, affix}, need, place)) return found;
    }
  }
  return {};
}

}  // namespace dragoman::text
