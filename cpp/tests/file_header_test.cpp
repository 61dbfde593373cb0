// Files that are used as they lie, with every number in them changed and the header's hash made right again: each is
// refused or gives some answer; none leads outside its arrays (`make sanitize` sees that) or to a search without an
// end.
#include <cstring>
#include <string>
#include <vector>

#include "check.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/core/hash.hpp"
#include "dragoman/lm/arpa.hpp"
#include "dragoman/lm/model.hpp"
#include "dragoman/phrase/bitext_index.hpp"
#include "dragoman/phrase/table.hpp"

using namespace dragoman;
using namespace dragoman::phrase;
using Words = std::vector<TokenId>;

namespace {

/// A model of three words, all their bigrams, and some trigrams.
std::unique_ptr<lm::Model> toy_model(unsigned order) {
  const std::string words[] = {"a", "b", "c"};
  std::string bigrams, trigrams;
  for (const auto& x : words) {
    for (const auto& y : words) bigrams += "-0.5 " + x + " " + y + " -0.25\n";
    trigrams += "-0.125 a " + x + " b\n";
  }
  std::string file = "\\data\\\nngram 1=6\nngram 2=9\n";
  if (order == 3) file += "ngram 3=3\n";
  file += "\\1-grams:\n-2 <unk>\n-1 <s> -0.5\n-1 </s>\n";
  for (const auto& x : words) file += "-0.75 " + x + " -0.375\n";
  file += "\\2-grams:\n" + bigrams;
  if (order == 3) file += "\\3-grams:\n" + trigrams;
  return lm::read_arpa(file + "\\end\\\n");
}

template <class T>
void put(std::string& file, std::size_t at, T value) {
  std::memcpy(file.data() + at, &value, sizeof value);
}

/// Where the header keeps the hash of all before it.
std::size_t place_of_hash(std::string_view file) {
  for (std::size_t at = 8; at + 8 <= file.size(); at += 8) {
    std::uint64_t there;
    std::memcpy(&there, file.data() + at, 8);
    if (there == hash_bytes(file.substr(0, at))) return at;
  }
  throw std::runtime_error("there is no header");
}

struct Outcome {
  int refused = 0, used = 0;
};

/// Open and use the file with one number after the other replaced; `use` gets a file that nothing lies behind.
template <class Use>
Outcome swept(std::string_view whole, const Use& use) {
  const std::size_t hash_at = place_of_hash(whole);
  Outcome outcome;
  const auto attempt = [&](std::size_t at, auto value) {
    std::string file(whole);
    put(file, at, value);
    if (at < hash_at) put(file, hash_at, hash_bytes(std::string_view(file).substr(0, hash_at)));
    // Memory of exactly this size, so that reading beyond it is seen.
    const std::vector<std::uint64_t> words = [&] {
      std::vector<std::uint64_t> made((file.size() + 7) / 8);
      std::memcpy(made.data(), file.data(), file.size());
      return made;
    }();
    try {
      use(std::string_view(reinterpret_cast<const char*>(words.data()), file.size()));
      ++outcome.used;
    } catch (const data_error&) {
      ++outcome.refused;
    }
  };
  for (std::size_t at = 0; at + 4 <= whole.size(); at += 4) {
    for (const std::uint32_t value : {0U, 1U, 77U, 0x7FFFFFFFU, 0xFFFFFFFFU}) attempt(at, value);
  }
  for (std::size_t at = 0; at + 8 <= hash_at; at += 8) {
    for (const std::uint64_t value : {~std::uint64_t{0}, std::uint64_t{1} << 63, std::uint64_t{1} << 61})
      attempt(at, value);
  }
  return outcome;
}

struct Counting final : lm::NGramSink {
  std::uint64_t n = 0;
  void begin(std::span<const std::uint64_t>) override {}
  void ngram(std::span<const lm::WordId> words, float, float, bool, bool) override { n += words.size(); }
};

void use_model(std::string_view file) {
  const auto model = lm::Model::on_file(file, nullptr);
  const auto n = static_cast<lm::WordId>(model->words().size());
  lm::State after, behind;
  for (lm::WordId first = 0; first < n; ++first) {
    model->score(model->begin(), first, after);
    for (lm::WordId second = 0; second < n; ++second) {
      model->score(after, second, behind);
      model->score(behind, first, after);
    }
  }
  Counting sink;
  model->enumerate(sink);
}

void use_table(std::string_view file) {
  const auto table = PhraseTable::on_file(file, nullptr, 4);
  for (TokenId word = 0; word < 4; ++word) {
    const Words source{word};
    const auto run = table->find(source);
    for (std::uint32_t i = 0; i < run.count; ++i) {
      const auto translation = table->translation(run.first + i);
      TokenId sum = 0;
      for (const TokenId each : translation.words) sum ^= each;
      for (const Link link : translation.links) sum ^= translation.words[link.target];
      CHECK(sum >= 0 && translation.scores.size() == table->n_scores());
    }
  }
}

}  // namespace

TEST(damaged_language_models_lead_nowhere) {
  const auto model = toy_model(3);
  for (const auto& [p_bits, backoff_bits] : {std::pair{0U, 0U}, std::pair{3U, 2U}}) {
    lm::TrieSink sink(model->words(), {p_bits, backoff_bits});
    model->enumerate(sink);
    const Bytes trie = sink.finish()->serialised();
    const Outcome outcome = swept(trie.view(), use_model);
    CHECK(outcome.refused > 100 && outcome.used > 100);
  }
  const Bytes hash = model->serialised();
  const Outcome outcome = swept(hash.view(), use_model);
  CHECK(outcome.refused > 100 && outcome.used > 100);
}

TEST(a_hash_table_without_a_free_place_is_refused) {
  const auto model = toy_model(2);
  const Bytes whole = model->serialised();
  // Behind the header and the unigrams lie the bigrams, 16 bytes each, up to the offsets of the words.
  const std::size_t begin = place_of_hash(whole.view()) + 8 + 8 * model->words().size();
  const std::size_t end = whole.size() - model->words().bytes().size() - 8 * model->words().slots().size() -
                          8 * (model->words().size() + 1);
  std::string file(whole.view());
  for (std::size_t at = begin; at < end; at += 16) put(file, at, std::uint64_t{at | 1});
  bool refused = false;
  try {
    lm::Model::on_file(file, nullptr);
  } catch (const data_error& error) {
    refused = std::string_view(error.what()).starts_with("the language model is damaged (its arrays do not fit");
  }
  CHECK(refused);
}

TEST(damaged_phrase_tables_lead_nowhere) {
  PhraseTableBuilder builder(2);
  const std::vector<float> scores{-1, -2};
  for (TokenId source = 0; source < 4; ++source) {
    builder.source(Words{source});
    builder.add(Words{source, 2}, std::vector<Link>{{0, 1}}, scores);
    builder.add(Words{1}, std::vector<Link>{{0, 0}}, scores);
  }
  const Bytes file = builder.finish()->serialised();
  const Outcome outcome = swept(file.view(), use_table);
  CHECK(outcome.refused > 100 && outcome.used > 20);
}

TEST(damaged_bitext_indexes_lead_nowhere) {
  const Words source{0, 1, 2, 1, 0, 3}, target{2, 0, 1, 1, 2};
  const std::vector<std::int64_t> source_offsets{0, 3, 6}, target_offsets{0, 3, 5}, point_offsets{0, 3, 5};
  const std::vector<Point> points{{0, 0}, {1, 2}, {2, 1}, {0, 0}, {2, 1}};
  const auto index = BitextIndex::make({source, target, source_offsets, target_offsets, points, point_offsets}, {});
  const Bytes file = index->serialised();
  const Outcome outcome = swept(file.view(), [&](std::string_view content) {
    const auto loaded = BitextIndex::on_file(content, nullptr);
    SampleOptions options;
    loaded->table(source, source_offsets, options);
    loaded->add({source, target, source_offsets, target_offsets, points, point_offsets});
    loaded->table(source, source_offsets, options);
    loaded->serialised();
  });
  CHECK(outcome.refused > 100 && outcome.used > 100);
}
