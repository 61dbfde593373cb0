#include <cmath>
#include <map>

#include "check.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/graph/kbest.hpp"
#include "dragoman/phrase/batch.hpp"
#include "dragoman/phrase/search.hpp"
#include "dragoman/phrase/sparse_features.hpp"
#include "toy_engine.hpp"

using namespace toy;
using namespace dragoman::graph;

namespace {

bool close(double a, double b) { return std::fabs(a - b) <= 1e-4 * (1 + std::fabs(a)); }

/// A dense feature with a state, as a newcomer would write one: words said twice in a row, and one for the whole.
struct Stammering {
  struct State {
    TokenId last = -1;
  };
  static constexpr SparseParts parts = SparseParts::none;
  static State begin() { return {}; }
  std::vector<std::string> names() const { return {"stammering", "sentence"}; }
  template <class Sink>
  void extend(const State& before, const Extension& step, State& after, Sink& sink) const {
    after = before;
    for (const TokenId word : step.target_words) {
      if (word == after.last) sink.add(std::size_t{0}, -1.0F);
      after.last = word;
    }
  }
  template <class Sink>
  void end(const State&, Sink& sink) const {
    sink.add(std::size_t{1}, 1.0F);
  }
};
static_assert(DecoderFeature<Stammering>);

struct Unhashable {
  struct State {
    char a;
    int b;  // behind padding, whose bytes mean nothing
  };
  static constexpr SparseParts parts = SparseParts::none;
  static State begin() { return {}; }
  std::vector<std::string> names() const { return {}; }
  void extend(const State&, const Extension&, State&, auto&) const {}
  void end(const State&, auto&) const {}
};
static_assert(!DecoderFeature<Unhashable>);

std::vector<Engine::More> more_features() {
  std::vector<Engine::More> more{{"stammering", std::make_shared<ChosenFeature<Stammering>>()}};
  for (const auto name : known_features()) more.push_back({std::string(name), make_feature(name)});
  return more;
}

/// What the chosen features say of a derivation, by their definitions.
struct Naive {
  std::map<SparseKey, double> sparse;
  double stammering = 0;
};

Naive naive_features(const Engine& engine, const std::vector<Piece>& blocks, const Words& source) {
  std::map<std::string, unsigned> family;
  for (const auto& use : engine.features()) family[use.name] = use.family;
  const auto n_known = static_cast<TokenId>(engine.language_models().front().ids.size());
  const auto plain = [&](TokenId word) { return word < 0 || word >= n_known ? TokenId{-1} : word; };
  Naive all;
  TokenId last = -2, last_word = -1;
  for (const Piece& block : blocks) {
    // The toy's phrases are linked at their first words alone; copied words to themselves; dropped ones to nothing.
    for (std::size_t t = 0; t < block.words.size(); ++t) {
      const TokenId word = plain(block.words[t]);
      if (t == 0) all.sparse[sparse_key(family["word-pairs"], source[static_cast<std::size_t>(block.begin)], word)] += 1;
      for (int s = block.begin; t > 0 && s < block.end; ++s) {
        all.sparse[sparse_key(family["insertions"], word, source[static_cast<std::size_t>(s)])] += 1;
      }
      all.sparse[sparse_key(family["target-bigrams"], last, word)] += 1;
      last = word;
      if (block.words[t] == last_word) all.stammering -= 1;
      last_word = block.words[t];
    }
    for (int s = block.begin; s < block.end; ++s) {
      const TokenId word = source[static_cast<std::size_t>(s)];
      if (s > block.begin || block.words.empty()) all.sparse[sparse_key(family["deletions"], word, word)] += 1;
    }
    all.sparse[sparse_key(family["phrase-lengths"], block.end - block.begin, static_cast<TokenId>(block.words.size()))] += 1;
  }
  all.sparse[sparse_key(family["target-bigrams"], last, -3)] += 1;
  return all;
}

}  // namespace

TEST(chosen_features_are_part_of_the_score_and_of_what_recombination_tells_apart) {
  std::mt19937 chance(31);
  for (int round = 0; round < 60; ++round) {
    Settings settings;
    settings.orientation = round % 2 ? Orientation::word : Orientation::none;
    settings.lm_order = 1 + chance() % 3;
    Toy toy = random_engine(chance, settings);
    const Engine engine(toy.engine->tables(), toy.engine->language_models(), settings.orientation, {}, more_features());
    const Words source = random_source(chance, 1 + chance() % 4, 5);
    DecodeOptions limits;
    limits.pop_limit = limits.distortion_limit = 1000000;
    limits.options_per_phrase = 100;
    limits.drop_unknown = chance() % 2;

    // All derivations with the engine's own features, then the chosen ones by definition.
    auto all = all_derivations(toy, source, limits);
    std::map<SparseKey, float> weights;
    auto dense = toy.weights;
    dense.push_back(1.5F);
    dense.push_back(0.25F);
    CHECK(engine.n_features() == dense.size());
    std::vector<Naive> said;
    for (Derivation& derivation : all) {
      said.push_back(naive_features(engine, derivation.blocks, source));
      for (const auto& [key, value] : said.back().sparse) {
        if (!weights.contains(key)) weights[key] = static_cast<float>(chance() % 200) / 100.0F - 1.0F;
        derivation.score += static_cast<double>(weights[key]) * value;
      }
      derivation.score += 1.5 * said.back().stammering + 0.25;
    }
    std::vector<SparseKey> keys;
    std::vector<float> values;
    for (const auto& [key, weight] : weights) {
      keys.push_back(key);
      values.push_back(weight);
    }
    const SparseWeights sparse(keys, values);
    Search search(engine, limits);
    const Hypothesis* const best = search.run(source, {dense, &sparse});
    const auto top = std::ranges::max_element(all, {}, &Derivation::score);
    CHECK(close(best->score, top->score));

    // Every way: recorded parts, weighted, are the score; arcs' parts add up to the same.
    const auto [graph, phrase_options] = search_graph(search, true);
    CHECK(graph.n_features() == engine.n_features() + 1);
    KBest ways(graph);
    Path path;
    std::vector<double> scores;
    while (scores.size() < 200 && ways.next(path)) {
      scores.push_back(path.score);
      std::vector<const Option*> steps;
      for (const auto arc : path.arcs) {
        if (graph.arcs()[arc].phrase != Hypergraph::kNoPhrase) steps.push_back(phrase_options[graph.arcs()[arc].phrase]);
      }
      std::vector<double> features(engine.n_features(), 0.0);
      std::vector<SparseValue> recorded;
      search.replay(steps, features, &recorded);
      double sum = 0, sparse_sum = 0, on_arcs = 0;
      for (std::size_t f = 0; f < features.size(); ++f) sum += static_cast<double>(dense[f]) * features[f];
      for (const auto& each : recorded) sparse_sum += static_cast<double>(sparse.of(each.key) * each.value);
      for (const auto arc : path.arcs) on_arcs += graph.features()[(arc + 1) * graph.n_features() - 1];
      CHECK(close(sum + sparse_sum, path.score));
      CHECK(close(sparse_sum, on_arcs));
    }
    std::ranges::sort(all, std::greater(), &Derivation::score);
    for (std::size_t i = 0; i < scores.size(); ++i) CHECK(close(scores[i], all[i].score));
    CHECK(scores.size() == std::min<std::size_t>(200, all.size()));
  }
}

TEST(sparse_values_of_a_list_are_summed_and_sorted_and_do_not_depend_on_threads) {
  std::mt19937 chance(5);
  const Toy toy = random_engine(chance, {});
  const Engine engine(toy.engine->tables(), toy.engine->language_models(), Orientation::none, {}, more_features());
  auto dense = toy.weights;
  dense.insert(dense.end(), {1.0F, 0.0F});
  Words words;
  std::vector<std::int64_t> offsets{0};
  for (int i = 0; i < 20; ++i) {
    const Words source = random_source(chance, chance() % 6, 5);
    words.insert(words.end(), source.begin(), source.end());
    offsets.push_back(static_cast<std::int64_t>(words.size()));
  }
  BatchOptions options;
  options.n_best = 10;
  options.features = true;
  const Translations one = decode(engine, {words, offsets}, dense, {}, options);
  CHECK(one.sparse_offsets.size() == one.scores.size() + 1);
  CHECK(static_cast<std::size_t>(one.sparse_offsets.back()) == one.sparse_keys.size() && !one.sparse_keys.empty());
  for (std::size_t p = 0; p + 1 < one.sparse_offsets.size(); ++p) {
    for (auto i = one.sparse_offsets[p] + 1; i < one.sparse_offsets[p + 1]; ++i) {
      CHECK(one.sparse_keys[static_cast<std::size_t>(i) - 1] < one.sparse_keys[static_cast<std::size_t>(i)]);
    }
  }
  for (const unsigned n_threads : {2U, 7U}) {
    options.n_threads = n_threads;
    const Translations many = decode(engine, {words, offsets}, dense, {}, options);
    CHECK(many.sparse_keys == one.sparse_keys && many.sparse_values == one.sparse_values && many.scores == one.scores);
  }
}

TEST(sparse_weights_and_features_that_cannot_be_are_named) {
  const std::vector<SparseKey> keys{7, 9, 7};
  const std::vector<float> weights{1, 2, 3};
  const auto refused = [](const auto& call, std::string_view message) {
    try {
      call();
    } catch (const data_error& error) {
      return std::string_view(error.what()).find(message) != std::string_view::npos;
    }
    return false;
  };
  CHECK(refused([&] { (void)SparseWeights{keys, weights}; }, "two weights"));
  CHECK(refused([&] { (void)SparseWeights{keys, std::span(weights).first(2)}; }, "3 sparse features and 2 weights"));
  CHECK(refused([] { make_feature("magic"); }, "no decoder feature 'magic'. Known: word-pairs, insertions"));
  const SparseWeights made{std::span(keys).first(2), std::span(weights).first(2)};
  CHECK(made.of(7) == 1 && made.of(9) == 2 && made.of(8) == 0 && SparseWeights().of(7) == 0);
}
