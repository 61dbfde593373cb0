#include <cmath>
#include <vector>

#include "check.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/lexical/information.hpp"
#include "dragoman/lexical/matching.hpp"
#include "dragoman/lexical/topics.hpp"
#include "dragoman/lexical/word_lexicon.hpp"

namespace {

using namespace dragoman::lexical;
using dragoman::CounterStream;

bool close(double a, double b, double by = 1e-6) { return std::abs(a - b) < by; }

template <class Work>
bool refuses(const Work& work) {
  try {
    work();
  } catch (const dragoman::data_error&) {
    return true;
  }
  return false;
}

// a b / a b a / b / c, and what they are translated into: 0 with a, 1 with b.
const std::vector<std::int32_t> kSource{0, 1, 0, 1, 0, 1, 2};
const std::vector<std::int64_t> kSourceEnds{0, 2, 5, 6, 7};
const std::vector<std::int32_t> kTarget{0, 1, 0, 1, 1, 2};
const std::vector<std::int64_t> kTargetEnds{0, 2, 4, 5, 6};

}  // namespace

TEST(mutual_information_by_hand) {
  const Tokens tokens{kSourceEnds, kSource};
  const Bags bags(tokens, 3);
  const SparseRows rows = mutual_information(bags, bags, true, 1, 2);
  // a and b stand in 2 of 4 sentences together, a in 2, b in 3.
  const double expected = 0.5 * std::log(0.5 / (0.5 * 0.75));
  CHECK(rows.columns == (std::vector<std::int32_t>{1, 0}));
  CHECK(close(static_cast<double>(rows.values[0]), expected) && close(static_cast<double>(rows.values[1]), expected));
  const auto means = mean_information({rows.offsets, rows.columns, rows.values}, tokens, tokens, true, 1);
  // In "a b a" the two a's say nothing of each other.
  CHECK(close(means[2], expected) && close(means[3], expected) && means[5] == 0);
  CHECK(mutual_information(bags, bags, true, 3, 1).columns.empty());
}

TEST(a_word_lexicon_prefers_the_word_of_the_source) {
  const Bags sources({kSourceEnds, kSource}, 3), targets({kTargetEnds, kTarget}, 3);
  LexiconOptions options;
  options.l2 = 0.1;
  options.pairs = 0;
  const WordLexicon one = train_lexicon(sources, targets, options, CounterStream{1}, 1);
  const WordLexicon many = train_lexicon(sources, targets, options, CounterStream{1}, 7);
  CHECK(one.weights.values == many.weights.values && one.biases == many.biases);
  const auto p = lexicon_probabilities({one.weights.offsets, one.weights.columns, one.weights.values}, one.biases,
                                       {kSourceEnds, kSource}, {kTargetEnds, kTarget}, 3, 1);
  for (const double each : p) CHECK(each > 0.5 && each < 1);
  options.least = 2;
  CHECK(std::isnan(train_lexicon(sources, targets, options, CounterStream{1}, 1).biases[2]));
}

TEST(matching_by_hand) {
  // 1 2 3 4 5 against 9 2 3 7 5: the run 2 3 _ 5 with one substitution.
  const std::vector<std::int32_t> first{1, 2, 3, 4, 5}, second{9, 2, 3, 7, 5};
  const std::vector<std::int64_t> ends{0, 5};
  const Matching found = match_sentences({ends, first}, {ends, second}, 1)[0];
  CHECK(found.matched == 3 && found.edits == 1 && found.distance == 4);
  const std::vector<std::int32_t> nothing;
  const std::vector<std::int64_t> none{0, 0};
  CHECK(match_sentences({ends, first}, {none, nothing}, 1)[0].distance == 5);
  CHECK(match_sentences({ends, first}, {none, nothing}, 1)[0].matched == 0);
}

TEST(topics_fold_in_to_the_words_that_speak_for_them) {
  const std::vector<double> p{0.9, 0.1, 0.1, 0.9};  // (words, topics)
  const std::vector<std::int32_t> words{0, 0, 1, -1};
  const std::vector<std::int64_t> ends{0, 2, 3, 4};
  const auto shares = fold_in({ends, words}, p, 2, 0.1, 50, 2);
  CHECK(shares[0] > 0.8 && shares[3] > 0.7 && shares[4] == 0.5 && close(shares[0] + shares[1], 1));
}

TEST(ids_without_a_word_are_refused) {
  const std::vector<std::int32_t> words{5};
  const std::vector<std::int64_t> ends{0, 1}, wrong{0, 2};
  CHECK(refuses([&] { Bags({ends, words}, 5); }));
  CHECK(refuses([&] { Bags({wrong, words}, 6); }));
  CHECK(refuses([&] { sample_topics({ends, words}, 6, {0, 0.1, 0.1, 1}, CounterStream{1}); }));
}
