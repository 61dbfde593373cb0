#include "dragoman/phrase/bitext_index.hpp"

#include <random>

#include "check.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/phrase/combine.hpp"

using namespace dragoman;
using namespace dragoman::phrase;

namespace {

/// A random bitext that owns its arrays.
struct Text {
  std::vector<TokenId> source, target;
  std::vector<std::int64_t> source_offsets{0}, target_offsets{0}, point_offsets{0};
  std::vector<Point> points;

  void add(std::mt19937& chance) {
    const unsigned n = 1 + chance() % 6, m = 1 + chance() % 6;
    for (unsigned i = 0; i < n; ++i) source.push_back(static_cast<TokenId>(chance() % 4));
    for (unsigned i = 0; i < m; ++i) target.push_back(static_cast<TokenId>(chance() % 4));
    for (unsigned i = 0; i < 4; ++i) {
      points.push_back({static_cast<std::uint16_t>(chance() % n), static_cast<std::uint16_t>(chance() % m)});
    }
    source_offsets.push_back(static_cast<std::int64_t>(source.size()));
    target_offsets.push_back(static_cast<std::int64_t>(target.size()));
    point_offsets.push_back(static_cast<std::int64_t>(points.size()));
  }
  AlignedBitext view() const { return {source, target, source_offsets, target_offsets, points, point_offsets}; }
};

bool same(const PhraseTable& a, const PhraseTable& b) {
  const Bytes x = a.serialised(), y = b.serialised();
  return std::string_view(x.data(), x.size()) == std::string_view(y.data(), y.size());
}

}  // namespace

TEST(suffixes_are_sorted_however_they_came) {
  std::mt19937 chance(7);
  for (int round = 0; round < 30; ++round) {
    GrowingText base, more, whole;
    for (unsigned i = 0, n = chance() % 8; i < n; ++i) {
      std::vector<TokenId> sentence(chance() % 5);
      for (auto& word : sentence) word = static_cast<TokenId>(chance() % 3);
      whole.append(sentence);
      if (i < n / 2) {
        base.append(sentence);
      } else {
        if (i == n / 2) base.sort(1);
        more.insert(sentence, base.view());
      }
    }
    base.sort(1);
    whole.sort(2);
    const auto text = whole.view();
    for (std::size_t i = 1; i < text.suffixes.size(); ++i) {
      const int order = compare_suffixes(&text.words[text.suffixes[i - 1]], &text.words[text.suffixes[i]]);
      CHECK(order < 0 || (order == 0 && text.suffixes[i - 1] < text.suffixes[i]));
    }
    const GrowingText all = GrowingText::joined(base.view(), more);
    CHECK(std::ranges::equal(all.view().suffixes, text.suffixes));
    CHECK(std::ranges::equal(all.view().words, text.words));
    CHECK(std::ranges::equal(all.view().sentences, text.sentences));
    CHECK(std::ranges::equal(all.view().starts, text.starts));
    for (TokenId a = 0; a < 3; ++a) {
      for (TokenId b = 0; b < 3; ++b) {
        std::size_t n = 0;
        for (std::size_t i = 0; i + 1 < text.words.size(); ++i)
          n += text.words[i] == a && text.words[i + 1] == b ? 1 : 0;
        const TokenId phrase[] = {a, b};
        CHECK(find_phrase(text, phrase).size() == n);
      }
    }
  }
}

TEST(an_index_finds_what_extraction_finds) {
  std::mt19937 chance(8);
  for (int round = 0; round < 20; ++round) {
    Text text;
    for (unsigned i = 0; i < 1 + chance() % 8; ++i) text.add(chance);
    for (const Orientation orientation : {Orientation::none, Orientation::word, Orientation::hierarchical}) {
      ExtractOptions options;
      options.longest = 3;
      options.orientation = orientation;
      options.translations_per_phrase = 0;
      ExtractStatistics statistics;
      const auto table = extract(text.view(), options, statistics);
      const auto index = BitextIndex::make(text.view(), {3, orientation, 2});
      SampleOptions everything;
      everything.samples = everything.inverse_samples = everything.translations_per_phrase = 0;
      const auto found = index->table(text.source, text.source_offsets, everything);
      CHECK(found->size() == table->size());
      CHECK(found->n_sources() == table->n_sources());
      table->for_each_source([&](std::span<const TokenId> words, PhraseTable::Run run) {
        const auto there = found->find(words);
        CHECK(there.count == run.count);
        for (std::uint32_t i = 0; i < run.count; ++i) {
          const auto a = table->translation(run.first + i), b = found->translation(there.first + i);
          CHECK(std::ranges::equal(a.words, b.words));
          CHECK(std::ranges::equal(a.links, b.links));
          CHECK(std::ranges::equal(a.scores, b.scores));
        }
      });
    }
  }
}

TEST(a_saved_index_is_the_same_and_goes_on_learning) {
  std::mt19937 chance(9);
  Text text, more, all;
  std::mt19937 again = chance;
  for (int i = 0; i < 5; ++i) text.add(chance);
  for (int i = 0; i < 3; ++i) more.add(chance);
  for (int i = 0; i < 8; ++i) all.add(again);
  const auto whole = BitextIndex::make(all.view(), {});
  const auto index = BitextIndex::make(text.view(), {});
  const auto file = std::make_shared<Bytes>(index->serialised());
  const auto loaded = BitextIndex::on_file({file->data(), file->size()}, file);
  SampleOptions options;
  options.samples = 3;
  CHECK(same(*loaded->table(all.source, all.source_offsets, options),
             *index->table(all.source, all.source_offsets, options)));
  loaded->add(more.view());
  CHECK(loaded->n_pairs() == 8 && loaded->n_added() == 3);
  CHECK(same(*loaded->table(all.source, all.source_offsets, options),
             *whole->table(all.source, all.source_offsets, options)));
  loaded->serialised();
  CHECK(loaded->n_added() == 0);
  CHECK(same(*loaded->table(all.source, all.source_offsets, options),
             *whole->table(all.source, all.source_offsets, options)));
  Text wrong;
  wrong.add(chance);
  wrong.points[0].source = 99;
  bool refused = false;
  try {
    loaded->add(wrong.view());
  } catch (const data_error&) {
    refused = true;
  }
  CHECK(refused && loaded->n_pairs() == 8);
}

TEST(a_table_filled_up_by_itself_is_itself) {
  std::mt19937 chance(10);
  Text text;
  for (int i = 0; i < 5; ++i) text.add(chance);
  ExtractStatistics statistics;
  const auto table = extract(text.view(), {}, statistics);
  const std::vector<TokenId> ids{0, 1, 2, 3};
  const std::vector<TablePart> parts{{table.get(), 4, ids, ids}, {table.get(), 4, ids, ids}};
  const auto filled = combine(parts, {.mode = Combination::fill_up, .orientation = true});
  CHECK(filled->size() == table->size() && filled->n_scores() == 11);
  const auto mixed =
      combine(parts, {.mode = Combination::interpolated, .orientation = true, .weights = std::vector<double>(8, 0.5)});
  for (std::uint32_t i = 0; i < table->size(); ++i) {
    for (unsigned f = 0; f < 4; ++f) {
      CHECK(std::abs(mixed->translation(i).scores[f] - table->translation(i).scores[f]) < 1e-5F);
    }
  }
}
