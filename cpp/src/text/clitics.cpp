#include "text/clitics.hpp"

#include <algorithm>
#include <span>

namespace dragoman::text {
namespace {

using View = std::u32string_view;

constexpr std::string_view kLowOpeners[] = {"bg", "cs", "de", "et", "hr", "is", "ka",
                                            "lt", "lv", "mk", "sk", "sl", "sr"};

constexpr View kEnglishClitics[] = {U"s", U"t", U"re", U"ve", U"ll", U"d", U"m"};
constexpr View kGermanClitics[] = {U"s"};
constexpr View kDutchClitics[] = {U"s", U"t", U"n", U"k", U"m"};

constexpr View kFrenchElisions[] = {U"c",      U"d",      U"j",      U"l",     U"m",      U"n",
                                    U"s",      U"t",      U"qu",     U"jusqu", U"lorsqu", U"puisqu",
                                    U"quoiqu", U"quelqu", U"presqu", U"entr",  U"prud",   U"aujourd"};
constexpr View kItalianElisions[] = {U"l",     U"d",    U"un",   U"c",    U"m",      U"t",      U"s",    U"v",
                                     U"n",     U"dell", U"all",  U"dall", U"nell",   U"sull",   U"coll", U"quell",
                                     U"quest", U"bell", U"sant", U"dov",  U"com",    U"cos",    U"anch", U"senz",
                                     U"mezz",  U"tutt", U"gl",   U"degl", U"nessun", U"qualcun"};
constexpr View kCatalanElisions[] = {U"l", U"d", U"m", U"n", U"s", U"t"};
constexpr View kIrishElisions[] = {U"b", U"d", U"m"};

constexpr View kEnglishClipped[] = {U"tis",  U"twas", U"twere", U"twill", U"em",  U"cause", U"til",
                                    U"till", U"bout", U"round", U"n",     U"cos", U"neath", U"gainst",
                                    U"s",    U"t",    U"re",    U"ve",    U"ll",  U"d",     U"m"};
constexpr View kGermanClipped[] = {U"s",   U"n",    U"ne",   U"nen",  U"nem",   U"ner",
                                   U"nes", U"rauf", U"raus", U"rein", U"runter"};
constexpr View kDutchClipped[] = {U"s", U"t", U"n", U"k", U"m", U"r"};

constexpr View kEnglishShortened[] = {U"o", U"n", U"ol", U"an", U"th", U"doin", U"goin", U"nothin", U"somethin"};
constexpr View kItalianShortened[] = {U"po", U"mo", U"di", U"fa", U"va", U"da", U"sta",
                                      U"be", U"to", U"ca", U"te", U"de", U"ne"};

constexpr char32_t ascii_lower(char32_t code) { return code >= U'A' && code <= U'Z' ? code + 0x20 : code; }

bool contains(std::span<const View> words, View word) {
  return std::ranges::any_of(words, [&](View each) {
    return std::ranges::equal(each, word, [](char32_t a, char32_t b) { return a == ascii_lower(b); });
  });
}

}  // namespace

bool opens_low(std::string_view lang) { return std::ranges::find(kLowOpeners, lang) != std::end(kLowOpeners); }

bool is_clitic(std::string_view lang, std::u32string_view word) {
  return (lang == "en" && contains(kEnglishClitics, word)) || (lang == "de" && contains(kGermanClitics, word)) ||
         (lang == "nl" && contains(kDutchClitics, word));
}

bool is_elision(std::string_view lang, std::u32string_view word) {
  return (lang == "fr" && contains(kFrenchElisions, word)) || (lang == "it" && contains(kItalianElisions, word)) ||
         (lang == "ca" && contains(kCatalanElisions, word)) || (lang == "ga" && contains(kIrishElisions, word));
}

bool is_clipped_in_front(std::string_view lang, std::u32string_view word) {
  return (lang == "en" && contains(kEnglishClipped, word)) || (lang == "de" && contains(kGermanClipped, word)) ||
         (lang == "nl" && contains(kDutchClipped, word));
}

bool is_clipped_behind(std::string_view lang, std::u32string_view word) {
  return (lang == "en" && contains(kEnglishShortened, word)) || (lang == "it" && contains(kItalianShortened, word));
}

}  // namespace dragoman::text
