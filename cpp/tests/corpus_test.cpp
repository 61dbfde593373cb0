#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "check.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/corpus/counting.hpp"
#include "dragoman/corpus/hashing.hpp"
#include "dragoman/corpus/profile.hpp"
#include "dragoman/corpus/shift.hpp"

using namespace dragoman;
using corpus::Field;

namespace {

int field(const char* line, Field which) { return corpus::profile_line(line)[static_cast<std::size_t>(which)]; }

}  // namespace

TEST(mojibake_is_told_from_capitals_in_quotation_marks) {
  CHECK(field("MÃ¼nchen", Field::kMojibake) == 1);
  CHECK(field("itâ€™s â€œfineâ€\u009D", Field::kMojibake) == 3);
  CHECK(field("10 â‚¬", Field::kMojibake) == 1);
  CHECK(field("Ð´Ð° Ð½ÐµÑ‚", Field::kMojibake) == 5);
  CHECK(field("Ã\u00A0 la carte", Field::kMojibake) == 1);
  for (const char* fine :
       {"München", "«CAFÉ»", "„Ä“", "“AMANHÃ”", "à\u00A0»", "LOGROÑO», ESPAÑA", "château", "Ñ»", "café»…"}) {
    CHECK(field(fine, Field::kMojibake) == 0);
  }
}

TEST(words_that_mix_alphabets_are_counted_by_letter_run) {
  CHECK(field("pаypal", Field::kMixedWords) == 1);  // the second letter is Cyrillic
  CHECK(field("IT-компания и 3D-очки", Field::kMixedWords) == 0);
  CHECK(field("Αlpha αβγ", Field::kMixedWords) == 1);
  CHECK(field("5 µm, 3 \u03BCs, 2 k\u03A9", Field::kMixedWords) == 0);
}

TEST(brackets_and_quotation_marks_pair) {
  CHECK(field("(a [b] {c})", Field::kUnbalanced) == 0);
  CHECK(field(")(", Field::kUnbalanced) == 1);
  CHECK(field("[ab", Field::kUnbalanced) == 2);
  CHECK(field("ab}", Field::kUnbalanced) == 4);
  CHECK(field("\"ab", Field::kUnbalanced) == 8);
  CHECK(field("„ab“ «cd» “ef”", Field::kUnbalanced) == 0);
  CHECK(field("a) first 2) second :)", Field::kUnbalanced) == 0);
  CHECK(field("(see a) and b", Field::kUnbalanced) == 0);
}

TEST(marks_are_detached_or_attached) {
  CHECK(field("Hello , world .", Field::kDetachedMarks) == 2);
  CHECK(field("Hello , world .", Field::kAttachedMarks) == 0);
  CHECK(field("Hello, world. 3.5", Field::kAttachedMarks) == 2);
  CHECK(field("Hello, world. 3.5 ...", Field::kDetachedMarks) == 0);
}

TEST(an_empty_line_has_an_empty_profile) {
  const auto profile = corpus::profile_line("");
  CHECK(std::ranges::all_of(profile, [](int value) { return value == 0; }));
  CHECK(field(" \u3000", Field::kOuterSpace) == 3);
  CHECK(field(" \u3000", Field::kTokens) == 0);
}

TEST(hashes_differ_where_bytes_do) {
  std::vector<std::uint64_t> hashes;
  for (int length = 0; length < 40; ++length) hashes.push_back(corpus::hash_bytes(std::string(length, '\0')));
  for (int i = 0; i < 20000; ++i) hashes.push_back(corpus::hash_bytes("line " + std::to_string(i)));
  std::ranges::sort(hashes);
  CHECK(std::ranges::adjacent_find(hashes) == hashes.end());
  CHECK(corpus::hash_pair(1, 2) != corpus::hash_pair(2, 1));
  CHECK(corpus::hash_skeleton("a-b, 12!") == corpus::hash_skeleton("ab 99"));
  CHECK(corpus::hash_skeleton("ab 12") != corpus::hash_skeleton("ab 123"));
}

TEST(counters_keep_their_counts_while_they_grow) {
  corpus::RepeatCounter repeats;
  corpus::TypeCounter types;
  for (int round = 1; round <= 3; ++round) {
    for (std::uint64_t key = 0; key < 5000; ++key) {
      CHECK(repeats.add(key * 1024) == round);  // many keys for one slot
      CHECK(types.add("x w" + std::to_string(key)) == 2);
    }
  }
  types.add("once");
  for (int i = 0; i < 70000; ++i) repeats.add(7);
  CHECK(repeats.add(7) == 65535);
  CHECK(repeats.distinct() == 5001);
  CHECK(types.types() == 5002);
  CHECK(types.tokens() == 30001);
  CHECK(types.hapaxes() == 1);
}

TEST(a_shifted_run_fits_better_shifted) {
  const std::vector<std::string_view> source = {"the year 1914", "a very much longer line of text, is it not?",
                                                "berlin", "paris and rome (2001)"};
  const std::vector<std::string_view> target = {"berlin", "im jahr 1914", "eine sehr viel längere zeile text, oder?",
                                                "berlin"};
  const std::vector<int> shifts = {-1, 0, 1};
  const auto fit = corpus::fit_shifted(source, target, shifts, {.centre = 0.0, .spread = 0.3});
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(fit[3 * i + 2] > fit[3 * i + 1]);
    CHECK(fit[3 * i + 2] > fit[3 * i]);
  }
  CHECK(fit[0] == -4.5);          // no target before the first
  CHECK(fit[3 * 3 + 2] == -4.5);  // nor behind the last
  bool refused = false;
  try {
    corpus::fit_shifted(source, std::span(target).first(3), shifts, {});
  } catch (const data_error&) {
    refused = true;
  }
  CHECK(refused);
}
