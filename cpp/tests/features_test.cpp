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
  for (const auto name : known_features()) {
    if (resources_of(name).empty()) more.push_back({std::string(name), make_feature(name)});
  }
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
      if (t == 0)
        all.sparse[sparse_key(family["word-pairs"], source[static_cast<std::size_t>(block.begin)], word)] += 1;
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
    all.sparse[sparse_key(family["phrase-lengths"], block.end - block.begin,
                          static_cast<TokenId>(block.words.size()))] += 1;
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
        if (graph.arcs()[arc].phrase != Hypergraph::kNoPhrase)
          steps.push_back(phrase_options[graph.arcs()[arc].phrase]);
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

TEST(a_feature_of_tables_and_annotations_sees_both) {
  std::mt19937 chance(47);
  const std::vector<std::int32_t> classes{7, 8, 7, 9};  // by target word; the last one has none
  for (int round = 0; round < 40; ++round) {
    const Toy toy = random_engine(chance, {});
    const Engine engine(toy.engine->tables(), toy.engine->language_models(), Orientation::none, {},
                        {{"tag-pairs", make_feature("tag-pairs", {{"target", classes}})}});
    CHECK(engine.reads_layer() && engine.is_sparse());
    DecodeOptions limits{.pop_limit = 1000000, .distortion_limit = 1000, .options_per_phrase = 100};
    Search search(engine, limits);
    std::vector<SparseKey> keys;
    std::vector<float> values;
    for (int tag = 0; tag < 3; ++tag) {
      for (int kind = 7; kind < 10; ++kind) {
        keys.push_back(sparse_key(1, tag, kind));
        values.push_back(static_cast<float>(chance() % 300) / 100.0F - 1.5F);
      }
    }
    const SparseWeights sparse(keys, values);
    // The same words with other tags, one sentence after the other: nothing is remembered from the last one.
    const Words source = random_source(chance, 1 + chance() % 4, 5);
    for (int again = 0; again < 3; ++again) {
      std::vector<std::int32_t> tags(source.size());
      for (auto& tag : tags) tag = static_cast<std::int32_t>(chance() % 4) - 1;  // -1: none
      double best = -1e30;
      for (const auto& derivation : all_derivations(toy, source, limits)) {
        double score = derivation.score;
        for (const Piece& piece : derivation.blocks) {
          // The toy's phrases are linked at their first words alone.
          if (piece.words.empty() || piece.words[0] < 0 || piece.words[0] >= 4) continue;
          const std::int32_t tag = tags[static_cast<std::size_t>(piece.begin)];
          if (tag < 0) continue;
          score +=
              static_cast<double>(sparse.of(sparse_key(1, tag, classes[static_cast<std::size_t>(piece.words[0])])));
        }
        best = std::max(best, score);
      }
      CHECK(close(search.run(source, {toy.weights, &sparse}, nullptr, tags)->score, best));
    }
  }
  const auto told = [](const auto& call) -> std::string {
    try {
      call();
    } catch (const data_error& error) {
      return error.what();
    }
    return "";
  };
  CHECK(told([] { make_feature("tag-pairs"); }) == "The decoder feature 'tag-pairs' needs a table 'target'.");
  CHECK(told([] { make_feature("word-pairs", {{"x", {}}}); }) ==
        "The decoder feature 'word-pairs' takes no table 'x'.");
  const Toy toy = random_engine(chance, {});
  const Engine engine(toy.engine->tables(), toy.engine->language_models(), Orientation::none, {},
                      {{"tag-pairs", make_feature("tag-pairs", {{"target", classes}})}});
  const Words words{1, 2};
  const std::vector<std::int64_t> offsets{0, 2};
  const std::vector<std::int32_t> short_layer{1};
  CHECK(told([&] { decode(engine, {words, offsets}, toy.weights, {}, {}); }).find("asks for the annotation") !=
        std::string::npos);
  CHECK(told([&] { decode(engine, {words, offsets, {}, short_layer}, toy.weights, {}, {}); }).find("got 1") !=
        std::string::npos);
}

/// The sparse values that a recorder got, summed by name.
std::map<SparseKey, double> summed(const std::vector<SparseValue>& values) {
  std::map<SparseKey, double> all;
  for (const SparseValue& each : values) all[each.key] += static_cast<double>(each.value);
  return all;
}

TEST(what_a_feature_says_of_rules_is_what_it_says_of_the_phrases_that_they_join) {
  std::mt19937 chance(37);
  const auto feature = make_feature("target-bigrams");
  CHECK(feature->combines() && !make_feature("word-pairs")->combines());
  const TokenId n_known = 4;
  for (int round = 0; round < 100; ++round) {
    std::vector<Words> phrases(chance() % 5);
    for (Words& words : phrases) words = random_source(chance, chance() % 3, 6);  // 4 and 5 are unknown
    // Phrase behind phrase.
    std::vector<SparseValue> extended, combined;
    Recorder said({}, &extended), joined({}, &combined);
    said.turn_to(0, 1);
    joined.turn_to(0, 1);
    std::vector<std::byte> state(feature->state_size()), after(state.size());
    feature->begin(state.data());
    for (const Words& words : phrases) {
      const Option option;
      feature->extend(state.data(), {option, {}, words, {}, n_known}, after.data(), said);
      std::swap(state, after);
    }
    feature->end(state.data(), said);
    // A rule for each phrase, and rules that join two neighbours, in any order.
    std::vector<std::vector<std::byte>> parts;
    const auto apply = [&](const Words& target, const std::vector<std::byte>& below, std::size_t n) {
      std::vector<std::byte> whole(feature->part_size());
      feature->combine({{}, target, {}, n_known}, below.data(), n, whole.data(), joined);
      return whole;
    };
    for (const Words& words : phrases) parts.push_back(apply(words, {}, 0));
    if (parts.empty()) parts.push_back(apply({}, {}, 0));
    while (parts.size() > 1) {
      const std::size_t at = chance() % (parts.size() - 1);
      // The parts of a rule may be numbered either way.
      const bool swapped = chance() % 2;
      std::vector<std::byte> both = parts[at + (swapped ? 1 : 0)];
      const auto& other = parts[at + (swapped ? 0 : 1)];
      both.insert(both.end(), other.begin(), other.end());
      parts[at] = apply({graph::gap(swapped ? 1 : 0), graph::gap(swapped ? 0 : 1)}, both, 2);
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    }
    feature->finish(parts[0].data(), joined);
    CHECK(summed(extended) == summed(combined));
  }
}

TEST(a_bilingual_model_reads_words_with_what_they_translate) {
  std::mt19937 chance(41);
  for (int round = 0; round < 40; ++round) {
    const Toy toy = random_engine(chance, {.orientation = Orientation::word});
    const auto& words = toy.engine->language_models();
    // Its tokens: a target word alone, or with the source word that it is linked to.
    std::vector<TokenId> targets, sources;
    std::vector<std::int64_t> offsets{0};
    std::vector<lm::WordId> ids;
    for (TokenId target = 0; target < 4; ++target) {
      for (TokenId source = -1; source < 4; ++source) {
        if (chance() % 4 == 0) continue;  // a token that the model does not know
        targets.push_back(target);
        if (source >= 0) sources.push_back(source);
        offsets.push_back(static_cast<std::int64_t>(sources.size()));
        ids.push_back(3 + static_cast<lm::WordId>(ids.size()));
      }
    }
    const auto model = random_model(chance, 3, static_cast<int>(ids.size()));
    const auto view = std::make_shared<BilingualView>(targets, offsets, sources, ids);
    const Engine engine(toy.engine->tables(), {words[0], {model, {}, "bilingual", view}}, Orientation::word);
    CHECK(engine.names().back() == "bilingual" && engine.names()[engine.names().size() - 2] == "lm1");
    auto weights = toy.weights;
    weights.push_back(0.7F);
    const Words source = random_source(chance, 1 + chance() % 4, 5);
    DecodeOptions limits{.pop_limit = 1000000, .distortion_limit = 1000, .options_per_phrase = 100};
    // The toy's phrases are linked at their first words alone; copied words are in no vocabulary.
    double best = -1e30;
    for (const auto& derivation : all_derivations(toy, source, limits)) {
      lm::State state = model->begin(), after;
      double log_p = 0;
      const auto say = [&](lm::WordId word) {
        log_p += static_cast<double>(floored(model->score(state, word, after).log_p));
        state = after;
      };
      for (const Piece& piece : derivation.blocks) {
        for (std::size_t t = 0; t < piece.words.size(); ++t) {
          lm::WordId id = lm::kUnk;
          for (std::size_t i = 0; i < targets.size(); ++i) {
            const bool linked = offsets[i] < offsets[i + 1];
            const TokenId other = linked ? sources[static_cast<std::size_t>(offsets[i])] : -1;
            if (targets[i] == piece.words[t] && linked == (t == 0) &&
                (!linked || other == source[static_cast<std::size_t>(piece.begin)])) {
              id = ids[i];
            }
          }
          say(id);
        }
      }
      say(lm::kEos);
      best = std::max(best, derivation.score + 0.7 * std::log(10.0) * log_p);
    }
    Search search(engine, limits);
    const Hypothesis* const found = search.run(source, weights);
    CHECK(close(found->score, best));
    std::vector<double> features(engine.n_features(), 0.0);
    search.replay(steps_of(*found), features);
    double sum = 0;
    for (std::size_t f = 0; f < features.size(); ++f) sum += static_cast<double>(weights[f]) * features[f];
    CHECK(close(sum, found->score));
  }
}

TEST(language_models_and_tokens_that_cannot_be_are_named) {
  std::mt19937 chance(43);
  const Toy toy = random_engine(chance, {});
  LanguageModelUse use = toy.engine->language_models()[0];
  use.name = "lm";
  std::string told;
  try {
    Engine(toy.engine->tables(), {use, use}, Orientation::none);
  } catch (const data_error& error) {
    told = error.what();
  }
  CHECK(told.find("Two language models are called 'lm'") != std::string::npos);
  const std::vector<TokenId> twice{1, 1};
  const std::vector<std::int64_t> offsets{0, 0, 0};
  const std::vector<lm::WordId> ids{3, 4};
  told = "";
  try {
    BilingualView(twice, offsets, {}, ids);
  } catch (const data_error& error) {
    told = error.what();
  }
  CHECK(told.find("no two may be the same") != std::string::npos);
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
