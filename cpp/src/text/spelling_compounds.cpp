#include "spelling_check.hpp"

namespace dragoman::text {

/// The first root of the word read as a compound, or nullptr. `n_before` words stand before it.
const SpellingCheck::Entry* SpellingCheck::compound(Chars word, std::uint32_t n_before) {
  const SpellingRules& rules = is_.rules_;
  if (rules.compound == 0 && rules.compound_begin == 0) return nullptr;
  for (std::size_t at = rules.compound_min; at + rules.compound_min <= word.size(); ++at) {
    if (!go_on()) return nullptr;
    const Analysis first = first_part(word.substr(0, at), n_before == 0);
    if (!first || !may_meet(word, at)) continue;
    const std::uint32_t n = n_before + (has(first.root, rules.compound_root) ? 1 : 0);
    if (rules.compound_max != 0 && n + 1 >= rules.compound_max) continue;
    const Analysis last = last_part(word.substr(at));
    const bool found = last ? !rules.no_twice || last.root != first.root : compound(word.substr(at), n + 1) != nullptr;
    if (found) return rules.no_mistakes && is_mistake(word) ? nullptr : first.root;
  }
  return nullptr;
}

SpellingCheck::Analysis SpellingCheck::first_part(Chars part, bool is_first) {
  const SpellingRules& rules = is_.rules_;
  const SpellingFlag here = is_first ? rules.compound_begin : rules.compound_middle;
  for (const Entry* entry = is_.words_.find(part); entry != nullptr; entry = is_.words_.after(entry)) {
    if (has(entry, rules.need_affix) || (!has(entry, rules.compound) && !has(entry, here))) continue;
    if (entry->hidden || has(entry, rules.forbidden)) return {};
    return {entry};
  }
  const auto suffixed = [&](SpellingFlag need) {
    const Analysis found = with_suffix(part, {}, need, Place::kBegin);
    return found || !rules.more_suffixes ? found : with_two_suffixes(part, nullptr, need, Place::kBegin);
  };
  Analysis found;
  if (rules.compound != 0) {
    found = with_prefix(part, rules.compound, Place::kBegin, false);
    if (!found) {
      found = suffixed(rules.compound);
      if (found && (has(*found.suffix, rules.compound_forbid) || has(*found.suffix, rules.compound_end))) found = {};
    }
  }
  if (!found && here != 0) {
    found = suffixed(here);
    if (!found) found = with_prefix(part, here, Place::kBegin, false);
  }
  if (!found || found.root->hidden || has(found.root, rules.forbidden)) return {};
  for (const Affix* const affix : {found.prefix, found.suffix}) {
    if (affix != nullptr && has(*affix, rules.compound_forbid)) return {};
  }
  return found;
}

SpellingCheck::Analysis SpellingCheck::last_part(Chars part) {
  const SpellingRules& rules = is_.rules_;
  for (const Entry* entry = is_.words_.find(part); entry != nullptr; entry = is_.words_.after(entry)) {
    if (has(entry, rules.need_affix) || (!has(entry, rules.compound) && !has(entry, rules.compound_end))) continue;
    if (entry->hidden || has(entry, rules.forbidden)) return {};
    return {entry};
  }
  Analysis found;
  if (rules.compound != 0) found = affixed(part, rules.compound, Place::kEnd);
  if (!found && rules.compound_end != 0) found = affixed(part, rules.compound_end, Place::kEnd);
  if (!found || found.root->hidden || has(found.root, rules.forbidden)) return {};
  for (const Affix* const affix : {found.prefix, found.suffix}) {
    if (affix != nullptr && has(*affix, rules.compound_forbid)) return {};
  }
  return found;
}

/// Whether the letters on both sides of a seam may stand together.
bool SpellingCheck::may_meet(Chars word, std::size_t at) const {
  const char32_t left = word[at - 1], right = word[at];
  if (is_.rules_.no_triples && left == right &&
      ((at > 1 && word[at - 2] == left) || (at + 1 < word.size() && word[at + 1] == right))) {
    return false;
  }
  const auto is_capital = [&](char32_t code) { return simple_upper(code, is_.rules_.case_rules) == code; };
  return !is_.rules_.no_capitals || left == U'-' || right == U'-' || (!is_capital(left) && !is_capital(right));
}

/// Whether the word is a simple word with one of the mistakes that are often made.
bool SpellingCheck::is_mistake(Chars word) {
  std::u32string meant;
  for (const auto& [wrong, right] : is_.mistakes_) {
    if (wrong.empty()) continue;
    for (std::size_t at = word.find(wrong); at != Chars::npos; at = word.find(wrong, at + 1)) {
      if (!go_on()) return false;
      meant.assign(word.substr(0, at)).append(right).append(word.substr(at + wrong.size()));
      if (is_.words_.find(meant) != nullptr || affixed(meant, 0, Place::kAlone)) return true;
    }
  }
  return false;
}

/// Whether the flags of the word's parts follow one of the rules, as `n*1t` has 21st.
bool SpellingCheck::by_rule(Chars word) {
  for (std::size_t rule = 0; rule < is_.rules_.compound_rules.size(); ++rule) {
    if (by_rule(word, rule, 0, 0)) return true;
  }
  return false;
}

bool SpellingCheck::by_rule(Chars word, std::size_t rule, std::size_t item, std::size_t n_parts) {
  const auto& items = is_.rules_.compound_rules[rule];
  if (item == items.size()) return word.empty() && n_parts > 1;
  const auto [flag, repeats] = items[item];
  if (repeats != ' ' && by_rule(word, rule, item + 1, n_parts)) return true;
  const std::size_t next = repeats == '*' ? item : item + 1;
  for (std::size_t n = is_.rules_.compound_min; n <= word.size(); ++n) {
    if (!go_on()) return false;
    const Chars part = word.substr(0, n);
    const auto is_part = [&](const Entry* entry) {
      return has(entry, flag) && !entry->hidden && !has(entry, is_.rules_.forbidden);
    };
    bool found = false;
    for (const Entry* entry = is_.words_.find(part); entry != nullptr && !found; entry = is_.words_.after(entry)) {
      found = is_part(entry) && !has(entry, is_.rules_.need_affix);
    }
    if (!found && n == word.size() && n_parts > 0) {
      const Analysis last = affixed(part, 0, Place::kEnd);
      found = last && is_part(last.root);
    }
    if (found && by_rule(word.substr(n), rule, next, n_parts + 1)) return true;
  }
  return false;
}

}  // namespace dragoman::text
