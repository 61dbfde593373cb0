#include <cmath>
#include <limits>
#include <set>

#include "check.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/graph/kbest.hpp"
#include "dragoman/graph/oracle.hpp"
#include "dragoman/phrase/search_graph.hpp"
#include "dragoman/tune/graph_mert.hpp"
#include "dragoman/tune/line_search.hpp"
#include "toy_engine.hpp"

using namespace toy;
using namespace dragoman::graph;

namespace {

bool close(double a, double b) { return std::fabs(a - b) <= 1e-4 * (1 + std::fabs(a)); }

Hypergraph random_graph(std::mt19937& chance, Toy& toy) {
  Settings settings;
  settings.orientation = Orientation::word;
  toy = random_engine(chance, settings);
  DecodeOptions limits;
  Search search(*toy.engine, limits);
  search.run(random_source(chance, 1 + chance() % 5, 5), toy.weights);
  return search_graph(search, true).graph;
}

std::vector<double> dots(const Hypergraph& graph, std::span<const double> weights) {
  std::vector<double> all;
  for (std::size_t i = 0; i < graph.arcs().size(); ++i) {
    double sum = 0;
    for (std::size_t f = 0; f < weights.size(); ++f) sum += weights[f] * graph.features()[i * weights.size() + f];
    all.push_back(sum);
  }
  return all;
}

std::vector<Path> all_paths(const Hypergraph& graph) {
  std::vector<Path> all;
  KBest ways(graph);
  for (Path path; ways.next(path);) all.push_back(path);
  return all;
}

double sum_over(const Path& path, std::span<const double> values) {
  double sum = 0;
  for (const auto arc : path.arcs) sum += values[arc];
  return sum;
}

std::vector<double> random_direction(std::mt19937& chance, std::size_t n) {
  std::vector<double> direction(n);
  for (auto& each : direction) each = static_cast<double>(chance() % 200) / 100 - 1;
  return direction;
}

}  // namespace

TEST(an_envelope_of_a_graph_is_as_high_as_the_best_of_all_its_ways) {
  std::mt19937 chance(41);
  for (int round = 0; round < 40; ++round) {
    Toy toy;
    const Hypergraph graph = random_graph(chance, toy);
    const std::vector<double> weights(toy.weights.begin(), toy.weights.end());
    const auto scores = dots(graph, weights), slopes = dots(graph, random_direction(chance, weights.size()));
    const auto lines = tune::envelope(graph, scores, slopes);
    const auto paths = all_paths(graph);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      CHECK(i == 0 || lines[i - 1].slope < lines[i].slope);
      CHECK(close(sum_over(lines[i].path, scores), lines[i].score));
      CHECK(close(sum_over(lines[i].path, slopes), lines[i].slope));
    }
    for (double t = -4; t <= 4; t += 0.25) {
      double best = -1e30, found = -1e30;
      for (const Path& path : paths) best = std::max(best, sum_over(path, scores) + t * sum_over(path, slopes));
      for (const auto& line : lines) found = std::max(found, line.score + t * line.slope);
      CHECK(close(best, found));
    }
  }
}

TEST(mert_on_graphs_ends_where_mert_on_lists_of_all_ways_ends) {
  std::mt19937 chance(43);
  for (int round = 0; round < 6; ++round) {
    Toy toy;
    Hypergraph first = random_graph(chance, toy);
    std::vector<Hypergraph> graphs;
    Settings settings;
    settings.orientation = Orientation::word;
    DecodeOptions limits;
    Search search(*toy.engine, limits);
    for (int i = 0; i < 8; ++i) {
      search.run(random_source(chance, 1 + chance() % 4, 5), toy.weights);
      graphs.push_back(search_graph(search, true).graph);
    }
    // A metric of one's own: how many of the words are even, by how many words there are.
    const auto row = [](const Words& words) {
      double even = 0;
      for (const auto word : words) even += word % 2 == 0;
      return std::vector<double>{even, static_cast<double>(words.size())};
    };
    const tune::Objective objective = [](std::span<const double> totals, std::span<double> into) {
      for (std::size_t i = 0; i < into.size(); ++i) into[i] = 100 * totals[2 * i] / std::max(1.0, totals[2 * i + 1]);
    };
    const tune::ScoreTexts score = [&](const tune::Texts& texts) {
      std::vector<double> rows;
      for (std::size_t i = 0; i < texts.segments.size(); ++i) {
        const auto each = row({texts.words.begin() + texts.offsets[i], texts.words.begin() + texts.offsets[i + 1]});
        rows.insert(rows.end(), each.begin(), each.end());
      }
      return rows;
    };
    tune::GraphLists lists;
    std::vector<double> features, stats;
    std::vector<std::int64_t> offsets{0};
    const std::size_t width = graphs.front().n_features();
    for (const auto& graph : graphs) {
      lists.push_back({&graph});
      for (const Path& path : all_paths(graph)) {
        std::vector<double> sum(width, 0.0);
        for (const auto arc : path.arcs) {
          for (std::size_t f = 0; f < width; ++f) sum[f] += graph.features()[arc * width + f];
        }
        features.insert(features.end(), sum.begin(), sum.end());
        const auto each = row(words_of(graph, path));
        stats.insert(stats.end(), each.begin(), each.end());
      }
      offsets.push_back(static_cast<std::int64_t>(stats.size() / 2));
    }
    const tune::Candidates candidates{features, stats, offsets, width, 2};
    const std::vector<double> start(toy.weights.begin(), toy.weights.end()), scales(width, 1.0);
    tune::MertOptions options;
    options.most_sweeps = 1;
    const auto on_lists = tune::ascend(candidates, objective, start, scales, CounterStream{7}, options);
    const auto on_graphs = tune::ascend_graphs(lists, objective, score, 2, start, scales, CounterStream{7}, options);
    CHECK(close(on_lists[0].start_value, on_graphs.summits[0].start_value));
    // Lines with ties may part the two ascents: neither is better than the other by right, both rise.
    CHECK(on_graphs.summits[0].value >= on_graphs.summits[0].start_value);
    std::vector<double> scores;
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      scores.push_back(tune::dot(candidates.features_of(c), on_graphs.summits[0].weights));
    }
    double value = 0;
    objective(tune::totals_of_best(candidates, scores), {&value, 1});
    CHECK(close(value, on_graphs.summits[0].value));
    for (const unsigned n_threads : {2U, 7U}) {
      options.n_threads = n_threads;
      const auto again = tune::ascend_graphs(lists, objective, score, 2, start, scales, CounterStream{7}, options);
      CHECK(again.summits[0].weights == on_graphs.summits[0].weights && again.n_texts == on_graphs.n_texts);
    }
    bool refused = false;
    try {
      tune::ascend_graphs({{}}, objective, score, 2, start, scales, CounterStream{7}, options);
    } catch (const data_error& error) {
      refused = std::string_view(error.what()) == "Segment 1 has no translation.";
    }
    CHECK(refused);
  }
}

TEST(a_pruned_graph_keeps_the_best_ways) {
  std::mt19937 chance(47);
  for (int round = 0; round < 30; ++round) {
    Toy toy;
    const Hypergraph graph = random_graph(chance, toy);
    const std::size_t most = 1 + chance() % 20;
    const Hypergraph small = graph.pruned(most);
    CHECK(Hypergraph::loaded(std::string_view(small.serialised().data(), small.serialised().size())).n_nodes() ==
          small.n_nodes());
    CHECK(small.arcs().size() <= graph.arcs().size());
    const auto before = all_paths(graph), after = all_paths(small);
    CHECK(close(before.front().score, after.front().score));
    CHECK(words_of(graph, before.front()) == words_of(small, after.front()));
    CHECK(after.size() <= before.size());
    CHECK(small.features().size() == small.arcs().size() * graph.n_features());
  }
}

TEST(an_oracle_gains_as_much_as_any_way) {
  std::mt19937 chance(53);
  for (int round = 0; round < 40; ++round) {
    Toy toy;
    const Hypergraph graph = random_graph(chance, toy);
    const std::vector<Words> references{random_source(chance, 1 + chance() % 6, 4), random_source(chance, 3, 4)};
    const LinearGain gain{-0.3, {0.4, 0.6, 0.8, 1.1}};
    std::set<Words> known;
    for (const auto& reference : references) {
      for (std::size_t i = 0; i < reference.size(); ++i) {
        for (std::size_t n = 1; n <= 4 && i + n <= reference.size(); ++n) {
          known.insert(Words(reference.begin() + static_cast<std::ptrdiff_t>(i),
                             reference.begin() + static_cast<std::ptrdiff_t>(i + n)));
        }
      }
    }
    const auto worth = [&](Words words) {
      // A copied word 0 counts as the vocabulary's word 3.
      for (auto& word : words) word = word == copied(0) ? 3 : word;
      double sum = gain.word * static_cast<double>(words.size());
      for (std::size_t i = 0; i < words.size(); ++i) {
        for (std::size_t n = 1; n <= 4 && i + n <= words.size(); ++n) {
          const Words gram(words.begin() + static_cast<std::ptrdiff_t>(i),
                           words.begin() + static_cast<std::ptrdiff_t>(i + n));
          if (known.contains(gram)) sum += gain.match[n - 1];
        }
      }
      return sum;
    };
    double best = -1e30;
    for (const Path& path : all_paths(graph)) best = std::max(best, worth(words_of(graph, path)));
    const std::vector<std::pair<TokenId, TokenId>> same{{copied(0), 3}};
    CHECK(close(best, worth(words_of(graph, oracle(graph, references, same, gain, 100000)))));
  }
}
