#include <cmath>
#include <set>

#include "check.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/graph/kbest.hpp"
#include "dragoman/phrase/batch.hpp"
#include "dragoman/phrase/search.hpp"
#include "toy_engine.hpp"

using namespace toy;
using namespace dragoman::graph;

namespace {

constexpr unsigned kAll = 1000000;
constexpr Orientation kOrientations[] = {Orientation::none, Orientation::word, Orientation::hierarchical};

bool close(double a, double b) { return std::fabs(a - b) <= 1e-4 * (1 + std::fabs(a)); }

DecodeOptions exhaustive() {
  DecodeOptions limits;
  limits.pop_limit = kAll;
  limits.distortion_limit = kAll;
  limits.options_per_phrase = 100;
  return limits;
}

double weighted(const std::vector<float>& weights, std::span<const double> features) {
  double sum = 0;
  for (std::size_t f = 0; f < weights.size(); ++f) sum += static_cast<double>(weights[f]) * features[f];
  return sum;
}

std::vector<const Option*> steps_of(const SearchGraph& found, const Path& path) {
  std::vector<const Option*> steps;
  for (const auto arc : path.arcs) {
    const auto phrase = found.graph.arcs()[arc].phrase;
    if (phrase != Hypergraph::kNoPhrase) steps.push_back(found.options[phrase]);
  }
  return steps;
}

Words best_words(const Search& search) {
  Words all;
  for (const Option* option : phrase::steps_of(*search.complete().front())) {
    all.insert(all.end(), option->translation.words.begin(), option->translation.words.end());
  }
  return all;
}

}  // namespace

TEST(an_exhaustive_search_finds_what_looking_at_everything_finds) {
  std::mt19937 chance(1);
  for (int round = 0; round < 120; ++round) {
    Settings settings;
    settings.orientation = kOrientations[round % 3];
    settings.n_tables = 1 + chance() % 2;
    settings.n_models = chance() % 3;
    settings.lm_order = 1 + chance() % 4;
    const Toy toy = random_engine(chance, settings);
    const Words source = random_source(chance, 1 + chance() % 4, 5);
    DecodeOptions limits = exhaustive();
    if (round % 2) limits.distortion_limit = chance() % 4;
    limits.drop_unknown = chance() % 2;
    limits.hierarchy = static_cast<Hierarchy>(chance() % 3);
    limits.distortion_exponent = chance() % 2 ? 1 : 1.5;
    if (chance() % 2) limits.future_weights.assign(toy.weights.size(), 0.3F);
    const auto all = all_derivations(toy, source, limits);
    Search search(*toy.engine, limits);
    const Hypothesis* const best = search.run(source, toy.weights);
    CHECK(close(best->score, all.front().score));
    // n-best: the same scores in the same order, each adding up from replayed features.
    const SearchGraph whole = search_graph(search, true);
    const Hypergraph& graph = whole.graph;
    KBest ways(graph);
    Path path;
    std::size_t n = 0;
    for (; n < std::min<std::size_t>(all.size(), 300) && ways.next(path); ++n) {
      CHECK(close(path.score, all[n].score));
      std::vector<double> features(toy.engine->n_features(), 0.0);
      search.replay(steps_of(whole, path), features);
      CHECK(close(weighted(toy.weights, features), path.score));
      for (std::size_t f = 0; f < features.size(); ++f) {
        double sum = 0;
        for (const auto arc : path.arcs) sum += graph.features()[arc * features.size() + f];
        CHECK(close(sum, features[f]));
      }
    }
    CHECK(n == std::min<std::size_t>(all.size(), 300));
    if (n == all.size()) CHECK(!ways.next(path));
  }
}

TEST(n_best_translations_are_distinct_when_asked_for) {
  std::mt19937 chance(2);
  for (int round = 0; round < 30; ++round) {
    const Toy toy = random_engine(chance, {.orientation = kOrientations[round % 3], .n_target_words = 3});
    const Words source = random_source(chance, 1 + chance() % 4, 5);
    const auto all = all_derivations(toy, source, exhaustive());
    std::vector<double> best;
    std::set<Words> seen;
    for (const auto& each : all) {
      if (seen.insert(each.words()).second) best.push_back(each.score);
    }
    const std::vector<std::int64_t> offsets{0, static_cast<std::int64_t>(source.size())};
    const auto found = decode(*toy.engine, {source, offsets}, toy.weights, exhaustive(),
                              {.n_best = 10, .distinct = true, .features = true});
    CHECK(found.scores.size() == std::min<std::size_t>(10, best.size()));
    for (std::size_t i = 0; i < found.scores.size(); ++i) {
      CHECK(close(found.scores[i], best[i]));
      const std::span<const double> parts(found.features.data() + i * toy.weights.size(), toy.weights.size());
      CHECK(close(weighted(toy.weights, parts), found.scores[i]));
    }
  }
}

TEST(nothing_depends_on_the_number_of_threads) {
  std::mt19937 chance(3);
  const Toy toy = random_engine(chance, {.orientation = Orientation::hierarchical});
  Words source;
  std::vector<std::int64_t> offsets{0};
  for (int line = 0; line < 25; ++line) {
    const Words more = random_source(chance, chance() % 12, 5);
    source.insert(source.end(), more.begin(), more.end());
    offsets.push_back(static_cast<std::int64_t>(source.size()));
  }
  const DecodeOptions limits{.pop_limit = 20};
  const auto once = decode(*toy.engine, {source, offsets}, toy.weights, limits, {.n_best = 5, .features = true});
  for (const unsigned n_threads : {2U, 7U}) {
    const auto again = decode(*toy.engine, {source, offsets}, toy.weights, limits,
                              {.n_best = 5, .features = true, .n_threads = n_threads});
    CHECK(again.words == once.words && again.scores == once.scores && again.features == once.features);
    CHECK(again.links == once.links && again.phrases == once.phrases && again.path_offsets == once.path_offsets);
    CHECK(again.effort.hypotheses == once.effort.hypotheses && again.effort.lm_queries == once.effort.lm_queries);
  }
}

TEST(a_distortion_limit_of_zero_is_monotone) {
  std::mt19937 chance(4);
  const Toy toy = random_engine(chance, {});
  const Words source = random_source(chance, 9, 5);
  Search search(*toy.engine, {.pop_limit = 100, .distortion_limit = 0});
  const auto steps = phrase::steps_of(*search.run(source, toy.weights));
  std::size_t at = 0;
  for (const Option* option : steps) {
    CHECK(option->span.begin == at);
    at = option->span.end;
  }
  CHECK(at == source.size());
}

TEST(long_and_empty_sentences_are_translated) {
  std::mt19937 chance(5);
  for (const Orientation orientation : kOrientations) {
    const Toy toy = random_engine(chance, {.orientation = orientation});
    Search search(*toy.engine, {.pop_limit = 20});
    for (const std::size_t length : {0U, 1U, 63U, 64U, 65U, 130U, 1000U}) {
      const Words source = random_source(chance, length, 5);
      const Hypothesis* const best = search.run(source, toy.weights);
      const auto steps = phrase::steps_of(*best);
      std::vector<int> covered(length, 0);
      for (const Option* option : steps) {
        for (std::size_t i = option->span.begin; i < option->span.end; ++i) ++covered[i];
      }
      CHECK(std::ranges::all_of(covered, [](int n) { return n == 1; }));
      std::vector<double> features(toy.engine->n_features(), 0.0);
      search.replay(steps, features);
      CHECK(close(weighted(toy.weights, features), best->score));
    }
  }
}

TEST(unknown_words_are_copied_or_dropped) {
  std::mt19937 chance(6);
  const Toy toy = random_engine(chance, {});
  const Words source{4, -1, 4};
  Search copying(*toy.engine, {.distortion_limit = 0});
  copying.run(source, toy.weights);
  CHECK(best_words(copying) == (Words{copied(0), copied(1), copied(2)}));
  Search dropping(*toy.engine, {.drop_unknown = true});
  dropping.run(source, toy.weights);
  CHECK(best_words(dropping).empty());
}
