#include "dragoman/text/spelling.hpp"

#include <stdexcept>

#include "check.hpp"

using namespace dragoman;
using text::Affix;
using text::FlagSets;
using text::Speller;
using text::SpellingRules;

namespace {

constexpr std::uint32_t kPlural = 1, kCompound = 2, kUn = 3;

Speller toy(SpellingRules rules) {
  const std::vector<std::uint32_t> flags{kPlural, kCompound, kPlural, kUn};
  const std::vector<std::int64_t> offsets{0, 0, 2, 4};  // none; plural and compound; plural and un
  std::vector<Affix> affixes{{true, true, kPlural, U"y", U"ies", U"[^aeiou]y", 0},
                             {true, true, kPlural, U"", U"s", U"[^y]", 0},
                             {false, true, kUn, U"", U"un", U".", 0}};
  const std::vector<std::string_view> words{"sky", "light", "read", "OpenOffice"};
  const std::vector<std::uint32_t> sets{1, 1, 2, 0};
  return Speller(std::move(rules), FlagSets(flags, offsets), std::move(affixes), words, sets);
}

}  // namespace

TEST(a_dictionary_knows_what_its_rules_make) {
  const Speller speller = toy({});
  for (const char* word : {"sky", "skies", "Lights", "LIGHTS", "unreads", "OPENOFFICE", "1,5", ""}) {
    CHECK(speller.knows(word));
  }
  for (const char* word : {"skys", "unsky", "skylight", "Openoffice", "light-sky", "1,", "\xC3\xA9"}) {
    CHECK(!speller.knows(word));
  }
}

TEST(compounds_and_breaks_are_the_dictionary_s_choice) {
  SpellingRules rules;
  rules.compound = kCompound;
  rules.breaks = {"-"};
  const Speller speller = toy(rules);
  CHECK(speller.knows("skylight") && speller.knows("skylights") && speller.knows("sky-read"));
  CHECK(!speller.knows("skyread") && !speller.knows("skieslight"));
}

TEST(sets_of_flags_must_cover_the_flags) {
  const std::vector<std::uint32_t> flags{1};
  const std::vector<std::int64_t> offsets{0, 1};
  bool refused = false;
  try {
    const FlagSets sets(flags, offsets);
  } catch (const std::logic_error&) {
    refused = true;
  }
  CHECK(refused);
}
