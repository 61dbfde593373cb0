#include "dragoman/text/vocabulary.hpp"

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "check.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/core/hash.hpp"
#include "strings_source.hpp"

using namespace dragoman;
using namespace dragoman::text;

namespace {

template <class Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const data_error& error) {
    return error.what();
  }
  return "";
}

constexpr WordTable::Slot kFree{0, kNoToken};

}  // namespace

TEST(words_keep_their_ids_while_the_table_grows) {
  WordTable table;
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 5000; ++i) CHECK(table.add(std::string("w").append(std::to_string(i))) == i);
  }
  CHECK(table.size() == 5000);
  CHECK(table.find("w4999") == 4999);
  CHECK(table.find("w5000") == kNoToken);
  CHECK(table.find("") == kNoToken);
  CHECK(table.add("") == 5000);
  CHECK(table.word(5000).empty());
  CHECK(table.find("") == 5000);
}

TEST(copies_are_independent_and_moves_keep_their_words) {
  WordTable table;
  table.add("one");
  WordTable copy = table;
  copy.add("two");
  CHECK(table.find("two") == kNoToken);
  const WordTable moved = std::move(copy);
  CHECK(moved.find("two") == 1);
  table = moved;
  table.add("three");
  CHECK(table.find("two") == 1 && table.size() == 3 && moved.size() == 2);
}

TEST(a_table_on_memory_of_others_reads_and_its_copy_grows) {
  WordTable table;
  for (const auto* word : {"ein", "zwei", "drei"}) table.add(word);
  WordTable view(table.offsets(), table.bytes(), table.slots());
  CHECK(view.find("zwei") == 1);
  CHECK(view.add("drei") == 2);
  bool refused = false;
  try {
    view.add("vier");
  } catch (const std::logic_error&) {
    refused = true;
  }
  CHECK(refused);
  WordTable copy = view;
  CHECK(copy.add("vier") == 3);
}

TEST(arrays_that_do_not_fit_are_refused) {
  using Offsets = std::vector<std::uint64_t>;
  using Slots = std::vector<WordTable::Slot>;
  const auto refused = [](const Offsets& offsets, std::string_view bytes, const Slots& slots) {
    return message_of([&] { WordTable(offsets, bytes, slots); }).starts_with("the table of words contradicts itself");
  };
  const Slots good{{1, 0}, {2, 1}, kFree, kFree};
  CHECK(!refused({0, 1, 2}, "ab", good));
  CHECK(refused({}, "ab", good));
  CHECK(refused({1, 1, 2}, "ab", good));
  CHECK(refused({0, 1, 3}, "ab", good));
  CHECK(refused({0, 5, 2}, "ab", good));
  CHECK(refused({0, 1, 2}, "\xC3\xA9", good));  // a character cut in two
  CHECK(refused({0, 1, 2}, "a\xFF", good));
  CHECK(refused({0, 1, 2}, "ab", {{1, 0}, {2, 1}}));                // no free slot
  CHECK(refused({0, 1, 2}, "ab", {{1, 0}, {2, 1}, kFree}));         // not a power of two
  CHECK(refused({0, 1, 2}, "ab", {{1, 0}, {2, 2}, kFree, kFree}));  // no such word
  CHECK(refused({0, 1, 2}, "ab", {{1, 0}, {2, -2}, kFree, kFree}));
  CHECK(refused({0, 1, 2}, "ab", {{1, 0}, kFree, kFree, kFree}));
  CHECK(refused({0, 1, 2}, "ab", {}));
}

TEST(a_file_is_used_as_it_lies) {
  Vocabulary vocabulary(true);
  vocabulary.name_unk("<unk>");
  vocabulary.encode(Strings({"a b a", "ü"}), NoTokeniser(), 1);
  const Bytes file = vocabulary.serialised();
  CHECK(file.size() == 72 + 8 * (5 + 4 + 64) + std::strlen("<unk>abü"));
  auto alive = std::make_shared<int>(0);
  const std::weak_ptr<int> watch = alive;
  auto loaded = Vocabulary::on_file(file.view(), std::move(alive));
  CHECK(!watch.expired());
  CHECK(loaded->frozen() && loaded->counted() && loaded->unk() == 0 && loaded->size() == 4);
  CHECK(loaded->find("ü") == 3 && loaded->word(1) == "a");
  CHECK((loaded->counts() == std::vector<std::int64_t>{0, 2, 1, 1}));
  CHECK(loaded->serialised().view() == file.view());
  const auto thawed = loaded->thawed();
  loaded.reset();
  CHECK(watch.expired());
  CHECK((thawed->encode_words(Strings({"new", "a"}), 1) == std::vector<TokenId>{4, 1}));
}

TEST(sizes_that_overflow_are_refused) {
  Vocabulary vocabulary;
  const Bytes file = vocabulary.serialised();
  std::string changed(file.view());
  const std::uint64_t huge = std::uint64_t{1} << 61;
  std::memcpy(changed.data() + 24, &huge, sizeof huge);  // n_words: eight times this is 0 modulo 2^64
  const std::uint64_t hash = hash_bytes(std::string_view(changed).substr(0, 64));
  std::memcpy(changed.data() + 64, &hash, sizeof hash);
  CHECK(message_of([&] { Vocabulary::on_file(changed, nullptr); }).starts_with("the vocabulary is damaged"));
}

TEST(a_failed_encoding_leaves_the_vocabulary_as_it_was) {
  class Failing final : public LineSource {
    std::size_t size() const noexcept override { return 3; }
    std::string_view line(std::size_t i, Bytes&) const override {
      if (i == 2) throw data_error("no line");
      return "new words";
    }
  };
  for (const unsigned n_threads : {1u, 2u}) {
    Vocabulary vocabulary(true);
    CHECK(message_of([&] { vocabulary.encode(Failing(), NoTokeniser(), n_threads); }) == "no line");
    CHECK(message_of([&] { vocabulary.declare(Failing()); }) == "no line");
    CHECK(vocabulary.size() == 0 && vocabulary.counts().empty());
  }
}
