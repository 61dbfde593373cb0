#include "dragoman/metrics/contrast.hpp"

#include <vector>

#include "check.hpp"

namespace {

using namespace dragoman::metrics;

struct Owned {
  std::vector<TokenId> ids;
  std::vector<std::int64_t> offsets;
  IdBatch batch() const { return {ids, offsets}; }
};

TEST(a_word_is_found_as_often_as_the_other_text_has_it) {
  const Owned words{{1, 1, 2, 3}, {0, 3, 4}}, others{{1, 2, 2, 1}, {0, 3, 4}};
  for (const unsigned n_threads : {1u, 2u, 7u}) {
    CHECK((found_words(words.batch(), others.batch(), n_threads) == std::vector<std::uint8_t>{1, 0, 1, 0}));
  }
  const Owned nothing{{}, {0}};
  CHECK(found_words(nothing.batch(), nothing.batch(), 1).empty());
}

TEST(ngrams_are_matched_as_often_as_one_reference_has_them) {
  // One segment of two references "1 1" and "1 2"; the output "1 1 2" has both bigrams.
  const Owned one{{1, 1}, {0, 2}}, two{{1, 2}, {0, 2}}, output{{1, 1, 2}, {0, 3}};
  const std::vector<IdBatch> refs{one.batch(), two.batch()}, systems{output.batch()};
  for (const unsigned n_threads : {1u, 2u, 7u}) {
    const auto made = match_ngrams(2, systems, refs, {}, n_threads);
    CHECK((made.parents == std::vector<std::int32_t>{-1, 0, -1, 0}));  // 1, 1 1, 2, 1 2
    CHECK((made.words == std::vector<std::int32_t>{1, 1, 2, 2}));
    CHECK((made.counts == std::vector<std::int64_t>{2, 1, 1, 1}));
  }
  const std::vector<std::uint8_t> only_second{0, 1};
  const auto made = match_ngrams(2, systems, refs, only_second, 1);
  CHECK((made.counts == std::vector<std::int64_t>{1, 1, 1}));  // 1, 2, 1 2
}

}  // namespace
