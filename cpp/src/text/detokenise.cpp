#include "dragoman/text/detokenise.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "characters.hpp"
#include "dragoman/text/unicode.hpp"

namespace dragoman::text {
namespace {

using Word = std::u32string_view;

struct Entity {
  Word written;
  char32_t sign;
};
// &bar;, &bra; and &ket; are what older versions of Moses wrote.
constexpr std::array kEntities = {
    Entity{U"&amp;", U'&'}, Entity{U"&#124;", U'|'},  Entity{U"&bar;", U'|'},  Entity{U"&lt;", U'<'},
    Entity{U"&gt;", U'>'},  Entity{U"&apos;", U'\''}, Entity{U"&quot;", U'"'}, Entity{U"&#91;", U'['},
    Entity{U"&bra;", U'['}, Entity{U"&#93;", U']'},   Entity{U"&ket;", U']'},
};

/// Blocks whose characters are written without spaces: the list of detokenizer.perl, the planes it did not know yet,
/// and the full-width punctuation.
bool is_cjk(char32_t code) {
  constexpr std::array<std::pair<char32_t, char32_t>, 16> kRanges = {{
      {0x1100, 0x11FF},
      {0x2E80, 0xA4CF},
      {0xA840, 0xA87F},
      {0xAC00, 0xD7AF},
      {0xF900, 0xFAFF},
      {0xFE30, 0xFE4F},
      {0xFF01, 0xFF0F},
      {0xFF1A, 0xFF20},
      {0xFF3B, 0xFF40},
      {0xFF5B, 0xFFDC},
      {0xFFE0, 0xFFE6},
      {0x17000, 0x18AFF},
      {0x1B000, 0x1B12F},
      {0x1B170, 0x1B2FF},
      {0x20000, 0x2FFFF},
      {0x30000, 0x3FFFF},
  }};
  return std::ranges::any_of(kRanges, [&](const auto& range) { return code >= range.first && code <= range.second; });
}

bool is_ascii_word(char32_t code) {
  return (code >= U'a' && code <= U'z') || (code >= U'A' && code <= U'Z') || (code >= U'0' && code <= U'9');
}
bool is_alpha(char32_t code) { return has(code, kAlphabetic | kMark); }
bool is_opening(char32_t code) { return is_one_of(code, U"([{¿¡") || has(code, kCurrency); }
// Moses' closing marks, and those of Indic, Arabic, Armenian and Ethiopic text.
bool is_closing(char32_t code) { return is_one_of(code, U",.?!:;\\%}])।॥،؛؟۔։።፣፧"); }
bool is_quote(char32_t code) { return is_one_of(code, U"'\"„“”`"); }
bool is_number(Word word) {
  return std::ranges::all_of(word, [](char32_t c) { return c >= U'0' && c <= U'9'; });
}

/// `li`, and every word in mail: the second halves of Czech words with a dash.
bool goes_behind_dash(Word word) {
  const auto begins = [&](Word small) {
    return std::ranges::equal(small, word.substr(0, small.size()),
                              [](char32_t a, char32_t b) { return a == b || a - U'a' + U'A' == b; });
  };
  return (word.size() == 2 && begins(U"li")) || begins(U"mail");
}

/// A Finnish case ending that follows a colon (EU:ssa), with its possessive and its particle.
bool is_finnish_ending(Word word) {
  constexpr Word kCases[] = {U"n",   U"a",   U"ä",   U"ssa", U"ssä", U"sta", U"stä", U"hun", U"hyn",
                             U"han", U"hän", U"hön", U"un",  U"yn",  U"an",  U"än",  U"ön",  U"seen",
                             U"lla", U"llä", U"lta", U"ltä", U"lle", U"ksi", U"kse", U"tta", U"ine"};
  constexpr Word kPossessives[] = {U"", U"ni", U"si", U"mme", U"nne", U"nsa"};
  constexpr Word kParticles[] = {U"", U"ko", U"kö", U"han", U"hän", U"pa", U"pä", U"kaan", U"kään", U"kin"};
  // Only the first letter may be a capital.
  const char32_t initial = word.front();
  const bool is_capital = (initial >= U'A' && initial <= U'Z') || initial == U'Ä' || initial == U'Ö';
  const char32_t first = is_capital ? initial + 0x20 : initial;
  for (const Word ending : kCases) {
    if (ending[0] != first || !word.substr(1).starts_with(ending.substr(1))) continue;
    for (const Word possessive : kPossessives) {
      const Word rest = word.substr(ending.size());
      if (!rest.starts_with(possessive)) continue;
      if (std::ranges::find(kParticles, rest.substr(possessive.size())) != std::end(kParticles)) return true;
    }
  }
  return false;
}

}  // namespace

MosesDetokeniser::MosesDetokeniser(const DetokeniserOptions& options)
    : lang_(Lang::kOther), unescape_(options.unescape) {
  if (options.lang == "en") lang_ = Lang::kEnglish;
  if (options.lang == "fr") lang_ = Lang::kFrench;
  if (options.lang == "it" || options.lang == "ga" || options.lang == "ca") lang_ = Lang::kItalian;
  if (options.lang == "cs") lang_ = Lang::kCzech;
  if (options.lang == "fi") lang_ = Lang::kFinnish;
  if (options.lang == "ko") lang_ = Lang::kKorean;
}

void MosesDetokeniser::detokenise(std::u32string_view line, Workspace& work, std::u32string& out) const {
  work.padded.assign(1, U' ').append(line).append(1, U' ');
  const Word padded = work.padded;
  std::u32string& text = work.text;
  text.clear();
  constexpr Word kSplitDash = U" @-@ ";
  for (std::size_t i = 0; i < padded.size();) {
    if (padded[i] == U' ' && padded.substr(i).starts_with(kSplitDash)) {
      text += U'-';
      i += kSplitDash.size();
      continue;
    }
    if (unescape_ && padded[i] == U'&') {
      const Word rest = padded.substr(i);
      const auto entity =
          std::ranges::find_if(kEntities, [&](const Entity& each) { return rest.starts_with(each.written); });
      if (entity != kEntities.end()) {
        text += entity->sign;
        i += entity->written.size();
        continue;
      }
    }
    text += padded[i++];
  }
  std::vector<Word>& words = work.words;
  words.clear();
  for (std::size_t i = 0, begin = 0; i <= text.size(); ++i) {
    if (i < text.size() && !is_space(text[i])) continue;
    if (i > begin) words.push_back(Word(text).substr(begin, i - begin));
    begin = i + 1;
  }

  const std::size_t begun = out.size();
  bool wants_space = true;  // before the next word
  const auto put = [&](Word word, bool space_before, bool space_behind) {
    if (space_before && out.size() > begun) out += U' ';
    out += word;
    wants_space = space_behind;
  };
  work.open_quotes.clear();
  const auto is_open = [&](Word quote) -> bool& {
    for (auto& [seen, open] : work.open_quotes) {
      if (seen == quote) return open;
    }
    return work.open_quotes.emplace_back(quote, false).second;
  };

  for (std::size_t i = 0; i < words.size(); ++i) {
    const Word word = words[i];
    const Word before = i > 0 ? words[i - 1] : Word{};
    const Word behind = i + 1 < words.size() ? words[i + 1] : Word{};
    const bool is_plain = is_ascii_word(word.front());  // as most are: none of the rules for signs is for it
    if (!is_plain && lang_ != Lang::kKorean && is_cjk(word.front())) {
      put(word, wants_space && !(i > 0 && is_cjk(before.back())), true);
    } else if (!is_plain && std::ranges::all_of(word, is_opening)) {
      put(word, wants_space, false);
    } else if (!is_plain && std::ranges::all_of(word, is_closing)) {
      // French sets these off by a space.
      put(word, lang_ == Lang::kFrench && word.size() == 1 && is_one_of(word[0], U"?!:;\\%"), true);
    } else if (lang_ == Lang::kEnglish && i > 0 && word.size() > 1 && word[0] == U'\'' && is_alpha(word[1])) {
      put(word, false, true);
    } else if (lang_ == Lang::kCzech && i > 1 && is_number(words[i - 2]) && (before == U"." || before == U",") &&
               is_number(word)) {
      put(word, false, true);
    } else if ((lang_ == Lang::kFrench || lang_ == Lang::kItalian) && word.size() > 1 && word.back() == U'\'' &&
               is_alpha(word[word.size() - 2]) && !behind.empty() && is_alpha(behind.front())) {
      put(word, wants_space, false);
    } else if (lang_ == Lang::kCzech && i + 2 < words.size() && is_alpha(word.back()) &&
               (behind == U"-" || behind == U"–") && goes_behind_dash(words[i + 2])) {
      put(word, wants_space, false);
      put(behind, false, false);
      ++i;
    } else if (!is_plain && std::ranges::all_of(word, is_quote)) {
      const bool is_typographic = std::ranges::all_of(word, [](char32_t c) { return is_one_of(c, U"„“”"); });
      bool& open = is_open(is_typographic ? Word(U"\"") : word);
      if (lang_ == Lang::kCzech && word == U"„") open = false;
      if (lang_ == Lang::kCzech && word == U"“") open = true;
      if (open) {
        put(word, false, true);
        open = false;
      } else if (lang_ == Lang::kEnglish && word == U"'" && i > 0 && before.back() == U's') {
        put(word, false, true);  // the Jones' house
      } else {
        put(word, wants_space, false);
        open = true;
      }
    } else if (lang_ == Lang::kFinnish && i > 0 && before.back() == U':' && is_finnish_ending(word)) {
      put(word, false, true);
    } else {
      put(word, wants_space, true);
    }
  }
}

}  // namespace dragoman::text
