#include <cmath>

#include "check.hpp"
#include "dragoman/chart/batch.hpp"
#include "dragoman/graph/kbest.hpp"
#include "dragoman/graph/posteriors.hpp"
#include "toy_grammar.hpp"

using namespace toy;

namespace {

DecodeOptions everything() {
  DecodeOptions limits;
  limits.pop_limit = 1U << 20;
  limits.options_per_phrase = 1000;
  return limits;
}

bool near(double a, double b) { return std::abs(a - b) <= 1e-4 * (1 + std::abs(b)); }

/// Compare the search, its graph, the n best and the sum of all with every derivation there is.
void compare_with(const DecodeOptions& limits, const ToyGrammar& toy, const Words& source,
                  const std::vector<Derivation>& wanted, const Constraints* constraints,
                  const std::span<const chart::LabelledSpan>* labels) {
  chart::Search search(*toy.engine, limits);
  search.run(source, toy.weights, constraints, labels);
  CHECK(search.complete().empty() == wanted.empty());
  if (wanted.empty()) return;
  CHECK(near(search.complete()[0]->score + search.ends()[0], wanted[0].score));
  const auto [graph, arcs] = chart::search_graph(search, true);
  const std::size_t most = std::min<std::size_t>(wanted.size(), 200);
  const auto best = graph::n_best(graph, wanted.size() + 1, false);
  CHECK(best.size() == wanted.size());
  double sum = 0;
  for (const Derivation& each : wanted) sum += std::exp(each.score - wanted[0].score);
  CHECK(near(graph::posteriors(graph, 1).log_total, wanted[0].score + std::log(sum)));
  for (std::size_t i = 0; i < most; ++i) {
    CHECK(near(best[i].score, wanted[i].score));
    std::vector<const chart::Arc*> own;
    std::vector<double> values(toy.engine->n_features(), 0.0), told(toy.engine->n_features(), 0.0);
    for (const auto arc : best[i].arcs) {
      if (arc < arcs.size()) own.push_back(arcs[arc]);
      for (std::size_t f = 0; f < told.size(); ++f) told[f] += static_cast<double>(graph.features_of(arc)[f]);
    }
    search.replay(own, values, nullptr);
    double weighed = 0;
    for (std::size_t f = 0; f < values.size(); ++f) {
      CHECK(near(values[f], told[f]));
      weighed += static_cast<double>(toy.weights[f]) * values[f];
    }
    CHECK(near(weighed, best[i].score));
    // Equal scores come in any order; the words of each are those of one of them.
    const auto words = graph::words_of(graph, best[i]);
    CHECK(std::ranges::any_of(
        wanted, [&](const Derivation& each) { return near(each.score, best[i].score) && each.words() == words; }));
  }
}

void compare(const ToyGrammar& toy, const Words& source, const std::vector<Derivation>& wanted,
             const Constraints* constraints = nullptr, const std::span<const chart::LabelledSpan>* labels = nullptr) {
  DecodeOptions limits = everything();
  for (const bool grow : {false, true}) {
    limits.grow = grow;
    compare_with(limits, toy, source, wanted, constraints, labels);
  }
}

}  // namespace

TEST(charts_find_every_derivation_of_a_grammar) {
  std::mt19937 chance(1);
  for (unsigned round = 0; round < 60; ++round) {
    GrammarSettings settings;
    settings.n_labels = 1 + round % 3;
    settings.renames = round % 2 == 1;
    settings.span = round % 5 == 4 ? 3 : 0;
    settings.n_models = 1 + round % 2;
    const ToyGrammar toy = random_grammar(chance, settings);
    const Words source = random_source(chance, round % 6, kToyWords);
    AllTrees all(toy, source);
    const auto wanted = all.sentences();
    if (wanted.size() < 20000) compare(toy, source, wanted);
  }
}

TEST(rules_do_not_cross_walls) {
  std::mt19937 chance(2);
  for (unsigned round = 0; round < 20; ++round) {
    const ToyGrammar toy = random_grammar(chance, {});
    const Words source = random_source(chance, 4, kToyWords);
    Constraints constraints;
    constraints.walls = {static_cast<std::uint16_t>(1 + chance() % 3)};
    AllTrees all(toy, source, {constraints.walls[0]});
    compare(toy, source, all.sentences(), &constraints);
  }
}

TEST(rules_with_source_labels_stand_over_such_spans_alone) {
  std::mt19937 chance(3);
  for (unsigned round = 0; round < 30; ++round) {
    GrammarSettings settings;
    settings.n_labels = 3;
    settings.n_source_labels = 2;  // labels 0 and 2 may stand anywhere
    const ToyGrammar toy = random_grammar(chance, settings);
    const Words source = random_source(chance, 4, kToyWords);
    std::set<std::tuple<int, int, std::uint32_t>> set;
    std::vector<chart::LabelledSpan> spans;
    for (std::uint32_t begin = 0; begin < 4; ++begin) {
      for (std::uint32_t end = begin + 1; end <= 4; ++end) {
        if (chance() % 2) continue;
        set.insert({begin, end, 1});
        spans.push_back({begin, end, 1});
      }
    }
    AllTrees all(toy, source, {}, &set);
    const std::span<const chart::LabelledSpan> labels(spans);
    compare(toy, source, all.sentences(), nullptr, &labels);
  }
}

TEST(charts_say_what_a_target_or_a_prefix_asks_for) {
  std::mt19937 chance(4);
  for (unsigned round = 0; round < 40; ++round) {
    const ToyGrammar toy = random_grammar(chance, {});
    const Words source = random_source(chance, 3, kToyWords - 1);
    AllTrees all(toy, source);
    const auto every = all.sentences();
    if (every.size() > 3000) continue;
    const Words wanted = every[chance() % every.size()].words();
    Constraints constraints;
    constraints.target.emplace();
    constraints.target->words = wanted;
    constraints.target->prefix = round % 2 == 1;
    if (constraints.target->prefix) constraints.target->words.resize(1 + chance() % wanted.size());
    const Words& asked = constraints.target->words;
    std::vector<Derivation> kept;
    for (const Derivation& each : every) {
      const Words words = each.words();
      const bool begins = words.size() >= asked.size() && std::equal(asked.begin(), asked.end(), words.begin());
      if (begins && (constraints.target->prefix || words.size() == asked.size())) kept.push_back(each);
    }
    compare(toy, source, kept, &constraints);
  }
}

TEST(what_no_rule_says_is_put_in_and_what_no_rule_takes_left_out) {
  std::mt19937 chance(5);
  const ToyGrammar toy = random_grammar(chance, {});
  Constraints constraints;
  constraints.target.emplace();
  constraints.target->words = {0, 7, 7, 1};
  constraints.target->artificial = true;
  chart::Search search(*toy.engine, everything());
  const Words source{0, 1, 2};
  search.run(source, toy.weights, &constraints);
  CHECK(!search.complete().empty());
  const auto [graph, arcs] = chart::search_graph(search, false);
  for (const auto& path : graph::n_best(graph, 20, false)) {
    CHECK((graph::words_of(graph, path) == Words{0, 7, 7, 1}));
  }
}

TEST(given_translations_stand_for_their_words) {
  std::mt19937 chance(6);
  GrammarSettings settings;
  settings.given = {"dictionary"};
  const ToyGrammar toy = random_grammar(chance, settings);
  Constraints constraints;
  constraints.given.push_back({{1, 3}, {9, 8}, {1.5F}, true});
  const Words source{0, 1, 2, 0};
  const std::vector<std::int64_t> offsets{0, 4};
  const Constraints* const asked = &constraints;
  const auto found = chart::decode(*toy.engine, {source, offsets, {&asked, 1}}, {}, toy.weights, everything(),
                                   {.n_best = 5, .features = true});
  CHECK(found.scores.size() == 5);
  for (std::size_t path = 0; path < 5; ++path) {
    const Words words(found.words.begin() + found.word_offsets[path],
                      found.words.begin() + found.word_offsets[path + 1]);
    const Words given{9, 8};
    CHECK(!std::ranges::search(words, given).empty());
    const double* const values = found.features.data() + path * found.n_features;
    CHECK(near(values[toy.engine->given_at()], 1.5));
    double sum = 0;
    for (std::size_t f = 0; f < found.n_features; ++f) sum += static_cast<double>(toy.weights[f]) * values[f];
    CHECK(near(sum, found.scores[path]));
  }
}

TEST(a_lattice_with_one_way_is_its_words) {
  std::mt19937 chance(7);
  GrammarSettings settings;
  settings.given = {"lattice"};
  for (unsigned round = 0; round < 10; ++round) {
    const ToyGrammar toy = random_grammar(chance, settings);
    const Words source = random_source(chance, 4, kToyWords - 1);
    Constraints constraints;
    constraints.lattice.emplace();
    constraints.lattice->n_nodes = 5;
    for (std::uint16_t i = 0; i < 4; ++i) {
      constraints.lattice->arcs.push_back({i, static_cast<std::uint16_t>(i + 1), source[i], -0.5F});
    }
    chart::Search plain(*toy.engine, everything()), other(*toy.engine, everything());
    plain.run(source, toy.weights);
    other.run({}, toy.weights, &constraints);
    const double arcs = 4 * -0.5 * static_cast<double>(toy.weights[toy.engine->given_at()]);
    CHECK(near(other.complete()[0]->score + other.ends()[0], plain.complete()[0]->score + plain.ends()[0] + arcs));
  }
}

TEST(charts_ask_features_that_combine_parts) {
  std::mt19937 chance(8);
  GrammarSettings settings;
  settings.features = {"target-bigrams"};
  const ToyGrammar toy = random_grammar(chance, settings);
  std::vector<phrase::SparseKey> keys;
  std::vector<float> values;
  for (TokenId a = -3; a < kToyTargets; ++a) {
    for (TokenId b = -3; b < kToyTargets; ++b) {
      keys.push_back(phrase::sparse_key(1, a, b));
      values.push_back(random_log(chance));
    }
  }
  const phrase::SparseWeights sparse(keys, values);
  const Words source{0, 1, 2, 0};
  chart::Search search(*toy.engine, everything());
  search.run(source, {toy.weights, &sparse});
  for (const chart::Item* item : search.complete().first(3)) {
    std::vector<phrase::SparseValue> found;
    std::vector<double> told(toy.engine->n_features(), 0.0);
    search.replay(chart::Search::best_of(*item), told, &found);
    double sum = 0;
    for (std::size_t f = 0; f < told.size(); ++f) sum += static_cast<double>(toy.weights[f]) * told[f];
    for (const auto& each : found) sum += static_cast<double>(sparse.of(each.key) * each.value);
    const auto at = static_cast<std::size_t>(std::ranges::find(search.complete(), item) - search.complete().begin());
    CHECK(near(item->score + search.ends()[at], sum));
  }
}

TEST(nothing_depends_on_the_number_of_threads_and_long_sentences_end) {
  std::mt19937 chance(9);
  GrammarSettings settings;
  settings.span = 6;
  const ToyGrammar toy = random_grammar(chance, settings);
  Words source = random_source(chance, 1000, kToyWords);
  std::vector<std::int64_t> offsets{0, 0, 5, 20, 21, 60, 1000};
  DecodeOptions limits;
  limits.pop_limit = 20;
  const auto decode = [&](unsigned n_threads) {
    return chart::decode(*toy.engine, {source, offsets}, {}, toy.weights, limits,
                         {.n_best = 3, .n_threads = n_threads});
  };
  const auto one = decode(1);
  CHECK(one.path_offsets.size() == 7);
  CHECK(one.word_offsets[1] == 0);  // of nothing, nothing
  for (const unsigned n_threads : {2U, 7U}) {
    const auto other = decode(n_threads);
    CHECK(other.words == one.words && other.scores == one.scores && other.links == one.links &&
          other.phrases == one.phrases);
  }
}
