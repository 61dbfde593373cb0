#pragma once

#include <string_view>

// What languages write with an apostrophe, for QuoteNormaliser. Words are compared without regard to case.
namespace dragoman::text {

/// Languages that open a quotation with „ and close it with “.
bool opens_low(std::string_view lang);

/// Behind an apostrophe: Men's, it's, geht's.
bool is_clitic(std::string_view lang, std::u32string_view word);

/// In front of an apostrophe and a word: d'accord, dell'arte.
bool is_elision(std::string_view lang, std::u32string_view word);

/// A word that has lost its beginning: 'tis, 'n, 's.
bool is_clipped_in_front(std::string_view lang, std::u32string_view word);

/// A word that has lost its end: o', po'.
bool is_clipped_behind(std::string_view lang, std::u32string_view word);

}  // namespace dragoman::text
