#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "check.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/syntax/parser.hpp"

namespace {

using namespace dragoman::syntax;

/// Take the steps that a right tree costs nothing, shifting only where no arc may be made.
std::vector<Node> rebuilt(const std::vector<std::int32_t>& heads) {
  const std::vector<Label> labels(heads.size(), 0);
  RightTree right;
  right.start(heads, labels);
  Configuration now;
  now.start(heads.size());
  while (!now.done()) {
    bool taken = false;
    for (const Step step : {Step::kLeft, Step::kRight, Step::kShift}) {
      if (!taken && now.allowed(step) && right.cost(now, step) == 0) {
        now.take(step, 0);
        taken = true;
      }
    }
    CHECK(taken);  // a right tree is within reach as long as nothing was lost
  }
  std::vector<Node> found;
  for (Node word = 1; word <= now.size(); ++word) found.push_back(now.head(word));
  return found;
}

/// All trees of n words, as heads.
template <class Use>
void for_each_tree(std::size_t n, const Use& use) {
  std::vector<std::int32_t> heads(n, 0);
  for (;;) {
    const auto reaches_root = [&](std::size_t word) {
      std::size_t steps = 0;
      for (auto at = static_cast<std::int32_t>(word + 1); at != 0; at = heads[static_cast<std::size_t>(at - 1)]) {
        if (++steps > n) return false;
      }
      return true;
    };
    bool tree = std::ranges::count(heads, 0) == 1;
    for (std::size_t word = 0; word < n && tree; ++word) tree = reaches_root(word);
    if (tree) use(heads);
    std::size_t place = 0;
    while (place < n && ++heads[place] > static_cast<std::int32_t>(n)) heads[place++] = 0;
    if (place == n) return;
  }
}

bool crosses(const std::vector<std::int32_t>& heads) {
  const auto n = static_cast<std::int32_t>(heads.size());
  for (std::int32_t a = 1; a <= n; ++a) {
    for (std::int32_t b = 1; b <= n; ++b) {
      const auto [low, high] = std::minmax(a, heads[static_cast<std::size_t>(a - 1)]);
      const auto [begin, end] = std::minmax(b, heads[static_cast<std::size_t>(b - 1)]);
      if (low < begin && begin < high && high < end) return true;
    }
  }
  return false;
}

TokenLooks looks_of(const std::vector<std::string_view>& tokens, const std::vector<std::int64_t>& offsets) {
  return {tokens, offsets, 1};
}

}  // namespace

TEST(every_projective_tree_is_found_by_steps_that_cost_nothing) {
  std::size_t projective = 0, all = 0;
  for (std::size_t n = 1; n <= 5; ++n) {
    for_each_tree(n, [&](const std::vector<std::int32_t>& heads) {
      ++all;
      if (crosses(heads)) return;
      ++projective;
      CHECK(rebuilt(heads) == heads);
    });
  }
  CHECK(all == 1 + 2 + 9 + 64 + 625);         // Cayley: n^(n-1)
  CHECK(projective == 1 + 2 + 7 + 30 + 143);  // binomial(3n - 2, n - 1) / n with one root
}

TEST(lifting_makes_every_tree_projective_and_leaves_those_that_are) {
  for (std::size_t n = 1; n <= 5; ++n) {
    for_each_tree(n, [&](const std::vector<std::int32_t>& heads) {
      auto lifted = heads;
      const std::size_t count = projectivise(lifted);
      CHECK((count > 0) == crosses(heads));
      CHECK(!crosses(lifted));
      if (count == 0) CHECK(lifted == heads);
    });
  }
  std::vector<std::int32_t> circle{2, 1};
  bool refused = false;
  try {
    projectivise(circle);
  } catch (const dragoman::data_error&) {
    refused = true;
  }
  CHECK(refused);
}

TEST(averages_are_means_over_all_decisions) {
  Learner learner(3);
  const std::vector<Feature> both{11, 12}, one{11};
  learner.tick();
  learner.update(both, 0, 1);  // from decision 1 on
  learner.tick();
  learner.tick();
  learner.update(one, 2, 0);  // from decision 3 on
  learner.tick();
  const SparseWeights found = learner.average();
  // Feature 11: class 0 was 1 in three of four decisions after its first, then 0; and so on.
  CHECK(found.keys == (std::vector<Feature>{11, 12}));
  CHECK(found.counts == (std::vector<std::uint32_t>{3, 2}));
  CHECK(found.classes == (std::vector<std::uint16_t>{0, 1, 2, 0, 1}));
  const std::vector<float> expected{2.0F / 4, -3.0F / 4, 1.0F / 4, 3.0F / 4, -3.0F / 4};
  CHECK(found.weights == expected);

  const Weights weights(found, 3);
  std::vector<float> scores(3);
  weights.score(both, scores);
  CHECK(scores == (std::vector<float>{1.25F, -1.5F, 0.25F}));
  weights.score(std::vector<Feature>{mix(0, 99)}, scores);
  CHECK(scores == (std::vector<float>{0, 0, 0}));
}

TEST(the_mean_of_models_counts_what_one_lacks_as_zero) {
  const SparseWeights a{{1, 5}, {2, 1}, {0, 3, 1}, {1.0F, -2.0F, 4.0F}};
  const SparseWeights b{{1, 7}, {1, 1}, {3, 2}, {2.0F, 1.0F}};
  const SparseWeights both = mean_of(std::vector{a, b}, 0);
  CHECK(both.keys == (std::vector<Feature>{1, 5, 7}));
  CHECK(both.counts == (std::vector<std::uint32_t>{1, 1, 1}));  // -2 and 2 have nothing left to say
  CHECK(both.classes == (std::vector<std::uint16_t>{0, 1, 2}));
  CHECK(both.weights == (std::vector<float>{0.5F, 2.0F, 0.5F}));
  const SparseWeights large = mean_of(std::vector{a, b}, 1);
  CHECK(large.keys == (std::vector<Feature>{5}));
  CHECK(mean_of({}, 0).keys.empty());
}

TEST(weights_that_do_not_fit_are_refused) {
  const SparseWeights good{{1, 2}, {1, 1}, {0, 1}, {1.0F, 2.0F}};
  const auto refused = [](const SparseWeights& arrays, std::size_t n_classes) {
    try {
      Weights made(arrays, n_classes);
    } catch (const dragoman::data_error&) {
      return true;
    }
    return false;
  };
  CHECK(!refused(good, 2));
  CHECK(refused(good, 1));
  for (auto spoil : {+[](SparseWeights& w) { w.keys = {2, 1}; }, +[](SparseWeights& w) { w.counts = {1}; },
                     +[](SparseWeights& w) { w.counts = {0, 2}; }, +[](SparseWeights& w) { w.weights.pop_back(); }}) {
    SparseWeights bad = good;
    spoil(bad);
    CHECK(refused(bad, 2));
  }
}

TEST(a_parser_gives_one_tree_with_one_root_whatever_it_is_asked) {
  // Weights that say nothing, and weights that say no to every shift.
  const SparseWeights mute;
  const std::size_t n_relations = 3;
  const ArcModel model(Weights(mute, 1 + 2 * n_relations), {}, n_relations, 1);
  std::vector<std::string_view> tokens;
  std::vector<std::int64_t> offsets{0};
  for (const std::size_t length : {0, 1, 2, 3, 40, 10'000}) {
    tokens.resize(tokens.size() + length, std::string_view("x\0y", 3));
    offsets.push_back(static_cast<std::int64_t>(tokens.size()));
  }
  const TokenLooks lines = looks_of(tokens, offsets);
  const std::vector<Label> tags(tokens.size(), 0);
  for (const unsigned n_threads : {1U, 2U, 7U}) {
    std::vector<std::int32_t> heads(tokens.size());
    std::vector<Label> relations(tokens.size());
    std::vector<float> margins(tokens.size());
    model.parse(lines, {tags, tags}, {heads, relations, margins}, n_threads);
    for (std::size_t l = 0; l < lines.size(); ++l) {
      const auto begin = heads.begin() + offsets[l], end = heads.begin() + offsets[l + 1];
      if (begin == end) continue;
      CHECK(std::count(begin, end, 0) == 1);
      std::vector<std::int32_t> copy(begin, end);
      if (copy.size() < 100) CHECK(projectivise(copy) == 0);
      for (auto i = offsets[l]; i < offsets[l + 1]; ++i) {
        const auto place = static_cast<std::size_t>(i);
        CHECK((heads[place] == 0) == (relations[place] == 1));
      }
    }
  }
}

TEST(what_was_learnt_of_few_words_is_said_again) {
  const std::vector<std::string_view> tokens{"the", "dog", "barks", "the", "cats", "see", "the", "dog"};
  const TokenLooks lines = looks_of(tokens, {0, 3, 8});
  const std::vector<Label> upos{0, 1, 2, 0, 1, 2, 0, 1};
  const Allowed all{std::vector<std::uint8_t>(3, 1), 3};
  const LearnOptions options{10, dragoman::CounterStream{7}};
  const TagLayer layer(Weights(learn_tags(lines, {}, upos, 3, all, options), 3), all);
  std::vector<Label> found(8);
  std::vector<float> margins(8);
  layer.tag(lines, {}, found, margins, 1);
  CHECK(found == upos);
  CHECK(std::ranges::all_of(margins, [](float m) { return m > 0; }));

  const Morphology morphology{{1, 0, 2}, 1};
  const std::vector<std::int32_t> heads{2, 3, 0, 2, 3, 0, 5, 3};
  const std::vector<Label> relations{1, 2, 0, 1, 2, 0, 1, 3};
  const auto weights = learn_arcs(lines, {upos, upos}, morphology, heads, relations, 4, 0, {options, 0.9});
  const ArcModel model(Weights(weights, 9), morphology, 4, 0);
  std::vector<std::int32_t> found_heads(8);
  std::vector<Label> found_relations(8);
  model.parse(lines, {upos, upos}, {found_heads, found_relations, margins}, 2);
  CHECK(found_heads == heads);
  CHECK(found_relations == relations);
}

TEST(looks_see_characters_not_bytes) {
  const Look upper = look_at("ÑANDÚ"), lower = look_at("ñandú");
  CHECK(upper.lower == lower.lower && upper.form != lower.form);
  CHECK(upper.suffix[0] == look_at("ú").lower || upper.suffix[0] == look_at("ú").suffix[0]);
  CHECK(lower.prefix[0] == look_at("ñ").prefix[2]);  // a prefix longer than the word is the word
  CHECK(upper.shape != lower.shape);
  CHECK(look_at("12.5").shape != look_at("12a").shape);
}
