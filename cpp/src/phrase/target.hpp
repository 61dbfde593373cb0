#pragma once

#include <algorithm>
#include <cstddef>

#include "dragoman/phrase/input.hpp"
#include "dragoman/phrase/options.hpp"

namespace dragoman::phrase {

/// The number of places that a target constrains: its words, and the one that is only begun.
inline std::size_t places(const Target& target) { return target.words.size() + (target.next.empty() ? 0 : 1); }

/// True if a word may stand at a place of the target.
inline bool fits(const Target& target, std::size_t place, TokenId word) {
  if (is_copied(word) && copied_from(word) < target.copies.size()) word = target.copies[copied_from(word)];
  if (place < target.words.size()) return target.words[place] == word && word != text::kNoToken;
  if (place < places(target)) return std::ranges::find(target.next, word) != target.next.end();
  return target.prefix;
}

/// True if all words of an option may stand from a place on.
inline bool fits(const Target& target, std::size_t place, const Option& option) {
  for (const TokenId word : option.translation.words) {
    if (!fits(target, place++, word)) return false;
  }
  return true;
}

/// True if an option can stand anywhere among the words of a target.
inline bool occurs(const Target& target, const Option& option) {
  const std::size_t n = places(target);
  for (std::size_t place = 0; place < std::max<std::size_t>(1, n); ++place) {
    if (fits(target, place, option)) return true;
  }
  return false;
}

}  // namespace dragoman::phrase
