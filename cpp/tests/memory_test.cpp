#include "dragoman/memory/index.hpp"

#include "check.hpp"
#include "dragoman/core/errors.hpp"

using namespace dragoman;
using memory::Index;
using memory::Query;

namespace {

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words(0);
  memory::for_each_word(text, [&](const memory::Word& word) {
    words.emplace_back();
    memory::fold(text, word, words.back());
  });
  return words;
}

}  // namespace

TEST(a_text_is_cut_into_words_marks_and_codes) {
  CHECK((words_of("Das \xC3\x9C"
                  "ber-Ich, 3\xEE\x80\x81!") == std::vector<std::string>{"das",
                                                                         "\xC3\xBC"
                                                                         "ber",
                                                                         "-", "ich", ",", "3", "\xEE\x80\x80", "!"}));
  CHECK(words_of(" \n ").empty());
  CHECK((words_of("\xE7\x8C\xAB\xE3\x81\x8C"
                  "a") == std::vector<std::string>{"\xE7\x8C\xAB", "\xE3\x81\x8C", "a"}));
}

TEST(a_memory_finds_what_is_alike) {
  Index index;
  index.add(3, "The red house.", "Das rote Haus.", {memory::context_hash("x"), memory::context_hash("y")});
  index.add(5, "The red mouse.", "Die rote Maus.", {});
  const Query query{"The red house.", {memory::context_hash("x"), memory::context_hash("y")}};
  auto found = index.matches(std::vector{query}, 3, 0.5, 1)[0];
  CHECK(found.size() == 2);
  CHECK(found[0].id == 3 && found[0].score == 1.01);
  CHECK(found[1].target == "Die rote Maus." && found[1].score == 0.75);
  CHECK(index.concordance("use.", memory::Which::kSource, memory::Mode::kPhrase, 9).size() == 2);
  CHECK(index.concordance("haus", memory::Which::kTarget, memory::Mode::kWords, 9).size() == 1);
  CHECK(index.remove(3));
  CHECK(!index.remove(3));
  CHECK(index.size() == 1);
  found = index.matches(std::vector{query}, 3, 0.5, 1)[0];
  CHECK(found.size() == 1);
  CHECK(found[0].id == 5);
}

TEST(ids_of_units_rise) {
  Index index;
  index.add(7, "a", "b", {});
  try {
    index.add(7, "a", "b", {});
  } catch (const data_error&) {
    return;
  }
  CHECK(false);
}
