#pragma once

#include <string>
#include <string_view>

namespace dragoman::text {

/// Which language's rules of casing hold, where they differ from Unicode's own.
enum class CaseRules {
  kStandard,  // as Python's str.lower and str.upper
  kTurkic,    // Turkish, Azeri: I and ı, İ and i are the pairs
  kGerman,    // ß has no capital in everyday writing and stays as it is
  kDutch,     // a word in ij begins with IJ
};

/// The Unicode version of the case tables.
const char* case_unicode_version() noexcept;

/// The word in lower case: full mappings, final sigma. Linear.
std::string lower(std::string_view text, CaseRules rules);

/// The word in upper case: full mappings, so that it may grow.
std::string upper(std::string_view text, CaseRules rules);

/// The text with its first character in title case (ǆ becomes ǅ); nothing else changes.
std::string capitalised(std::string_view text, CaseRules rules);

/// As `capitalised`, but the first letter or digit counts: `(“hello` becomes `(“Hello`, `3 cats` stays.
std::string sentence_cased(std::string_view text, CaseRules rules);

/// One character in the other case, without regard to its neighbours; one that would become several stays as it is.
char32_t simple_lower(char32_t code, CaseRules rules) noexcept;
char32_t simple_upper(char32_t code, CaseRules rules) noexcept;

/// True if some character of the text has case at all.
bool has_case(std::string_view text) noexcept;

/// True if the character is its own lower case, hence no capital.
bool is_lower_or_caseless(char32_t code, CaseRules rules) noexcept;

/// The form with the case of its lemma (ZEMAN12, "supervised truecasing"): lower case but where the lemma has capitals.
/// Capitals are taken over letter by letter as far as form and lemma spell alike, and for the first letter also where
/// they do not, unless the lemma is a single letter (English I, me). An empty lemma, `_` or
/// one without letters says nothing, and the form stays as it is.
std::string cast_case(std::string_view form, std::string_view lemma, CaseRules rules);

}  // namespace dragoman::text
