#include <cmath>
#include <map>
#include <set>

#include "check.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/graph/completion.hpp"
#include "dragoman/graph/kbest.hpp"
#include "dragoman/graph/posteriors.hpp"
#include "dragoman/phrase/mbr.hpp"
#include "dragoman/phrase/search_graph.hpp"
#include "toy_engine.hpp"

using namespace toy;
using namespace dragoman::graph;

namespace {

bool close(double a, double b) { return std::fabs(a - b) <= 1e-4 * (1 + std::fabs(a)); }

DecodeOptions exhaustive() { return {.pop_limit = 1000000, .distortion_limit = 1000, .options_per_phrase = 100}; }

std::size_t edit_distance(const Words& a, const Words& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({diagonal + (a[i - 1] != b[j - 1]), row[j] + 1, row[j - 1] + 1});
      diagonal = above;
    }
  }
  return row.back();
}

template <class Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const data_error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST(posteriors_are_what_summing_over_all_derivations_gives) {
  std::mt19937 chance(21);
  for (int round = 0; round < 20; ++round) {
    const Toy toy = random_engine(chance, {.orientation = Orientation::hierarchical});
    const Words source = random_source(chance, 1 + chance() % 4, 5);
    const auto all = all_derivations(toy, source, exhaustive());
    const double scale = 0.4;
    double total = 0;
    std::map<std::tuple<int, int, Words>, double> mass;
    for (const auto& each : all) total += std::exp(scale * each.score);
    for (const auto& each : all) {
      for (const Piece& piece : each.blocks) {
        mass[{piece.begin, piece.end, piece.words}] += std::exp(scale * each.score) / total;
      }
    }
    Search search(*toy.engine, exhaustive());
    search.run(source, toy.weights);
    const Hypergraph graph = search_graph(search, false).graph;
    const auto found = posteriors(graph, scale);
    CHECK(close(found.log_total, std::log(total)));
    std::map<std::tuple<int, int, Words>, double> masses;
    for (std::size_t i = 0; i < graph.arcs().size(); ++i) {
      const auto& arc = graph.arcs()[i];
      if (arc.phrase == Hypergraph::kNoPhrase) continue;
      const auto words = graph.words_of(arc.phrase);
      masses[{static_cast<int>(graph.phrases()[arc.phrase].begin), static_cast<int>(graph.phrases()[arc.phrase].end),
              Words(words.begin(), words.end())}] += found.arcs[i];
    }
    for (const auto& [key, value] : mass) CHECK(close(masses[key], value));
    const auto best = n_best(graph, 1, false).front();
    for (const double each : word_confidence(graph, best, found.arcs)) CHECK(each > 0 && each <= 1);
  }
}

TEST(a_word_that_all_ways_agree_on_is_certain) {
  std::mt19937 chance(22);
  const Toy toy = random_engine(chance, {});
  Search search(*toy.engine, {});
  search.run(Words{4}, toy.weights);
  const Hypergraph graph = search_graph(search, false).graph;
  const auto best = n_best(graph, 1, false).front();
  CHECK(close(word_confidence(graph, best, posteriors(graph, 1).arcs)[0], 1));
}

TEST(a_prefix_is_completed_as_well_as_any_way_can) {
  std::mt19937 chance(23);
  for (int round = 0; round < 40; ++round) {
    const Toy toy = random_engine(chance, {.n_target_words = 4});
    const Words source = random_source(chance, 1 + chance() % 3, 5);
    const auto all = all_derivations(toy, source, exhaustive());
    const Words prefix = random_source(chance, chance() % 5, 4);
    const double cost = chance() % 2 ? 3 : 1000;
    Search search(*toy.engine, exhaustive());
    search.run(source, toy.weights);
    const Hypergraph graph = search_graph(search, false).graph;
    double best = -1e30;
    for (const auto& each : all) {
      const Words words = each.words();
      for (std::size_t n = 0; n <= words.size(); ++n) {
        const auto edits = edit_distance(Words(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(n)), prefix);
        best = std::max(best, each.score - cost * static_cast<double>(edits));
      }
    }
    const auto found = complete(graph, prefix, {}, cost);
    CHECK(close(found.path.score - cost * static_cast<double>(found.edits), best));
    const Words words = words_of(graph, found.path);
    CHECK(found.n_words <= words.size());
    const Words begun(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(found.n_words));
    CHECK(edit_distance(begun, prefix) == found.edits);
    double sum = 0;
    for (const auto arc : found.path.arcs) sum += graph.arcs()[arc].score;
    CHECK(close(sum, found.path.score));

    std::size_t fewest = 1000;
    for (const auto& each : all) fewest = std::min(fewest, edit_distance(each.words(), prefix));
    const auto oracle = closest(graph, prefix);
    CHECK(oracle.edits == fewest);
    CHECK(edit_distance(words_of(graph, oracle.path), prefix) == fewest);
  }
}

TEST(a_hole_is_filled_as_well_as_any_way_can) {
  std::mt19937 chance(26);
  const auto part = [](const Words& words, std::size_t begin, std::size_t end) {
    return Words(words.begin() + static_cast<std::ptrdiff_t>(begin), words.begin() + static_cast<std::ptrdiff_t>(end));
  };
  for (int round = 0; round < 40; ++round) {
    const Toy toy = random_engine(chance, {.n_target_words = 4});
    const Words source = random_source(chance, 1 + chance() % 3, 5);
    const Words prefix = random_source(chance, chance() % 3, 4), suffix = random_source(chance, chance() % 3, 4);
    const double cost = chance() % 2 ? 3 : 1000;
    Search search(*toy.engine, exhaustive());
    search.run(source, toy.weights);
    const Hypergraph graph = search_graph(search, false).graph;
    const auto fewest = [&](const Words& words) {
      std::size_t edits = 1000;
      for (std::size_t i = 0; i <= words.size(); ++i) {
        for (std::size_t j = i; j <= words.size(); ++j) {
          edits = std::min(
              edits, edit_distance(part(words, 0, i), prefix) + edit_distance(part(words, j, words.size()), suffix));
        }
      }
      return edits;
    };
    double best = -1e30;
    for (const auto& each : all_derivations(toy, source, exhaustive())) {
      best = std::max(best, each.score - cost * static_cast<double>(fewest(each.words())));
    }
    const auto found = bridge(graph, prefix, {}, suffix, cost);
    CHECK(close(found.path.score - cost * static_cast<double>(found.edits), best));
    CHECK(fewest(words_of(graph, found.path)) == found.edits);
  }
}

TEST(a_begun_word_is_one_of_those_that_may_follow) {
  std::mt19937 chance(24);
  const Toy toy = random_engine(chance, {.n_target_words = 4});
  const Words source = random_source(chance, 3, 4);
  Search search(*toy.engine, exhaustive());
  search.run(source, toy.weights);
  const Hypergraph graph = search_graph(search, false).graph;
  for (TokenId word = 0; word < 4; ++word) {
    const Words next{word};
    const auto found = complete(graph, {}, next, 1000);
    if (found.edits == 0) CHECK(words_of(graph, found.path).at(found.n_words - 1) == word);
  }
}

TEST(a_graph_is_saved_and_loaded_whole) {
  std::mt19937 chance(25);
  const Toy toy = random_engine(chance, {.orientation = Orientation::word});
  const Words source = random_source(chance, 5, 5);
  Search search(*toy.engine, {.pop_limit = 30});
  search.run(source, toy.weights);
  const Hypergraph graph = search_graph(search, true).graph;
  const Bytes file = graph.serialised();
  Hypergraph again = Hypergraph::loaded(file.view());
  CHECK(again.n_nodes() == graph.n_nodes() && again.n_features() == graph.n_features());
  CHECK(again.serialised().view() == file.view());
  CHECK(n_best(again, 7, true).back().arcs == n_best(graph, 7, true).back().arcs);
  again.reweigh(toy.weights);
  for (std::size_t i = 0; i < graph.arcs().size(); ++i) CHECK(close(again.arcs()[i].score, graph.arcs()[i].score));
  CHECK(message_of([&] { again.reweigh(std::vector<float>(3)); }).find("got 3 weights") != std::string::npos);

  std::string bytes(file.view());
  CHECK(message_of([&] { Hypergraph::loaded(bytes.substr(0, 20)); }).find("no search hypergraph") != std::string::npos);
  CHECK(message_of([&] { Hypergraph::loaded(bytes.substr(0, bytes.size() - 8)); }).find("should have") !=
        std::string::npos);
  bytes[bytes.size() - 9] ^= 1;
  CHECK(message_of([&] { Hypergraph::loaded(bytes); }).find("checksum differs") != std::string::npos);
  bytes[12] = 9;
  CHECK(message_of([&] { Hypergraph::loaded(bytes); }).find("has format 9") != std::string::npos);
}

TEST(the_graph_of_nothing_has_one_way) {
  std::mt19937 chance(26);
  const Toy toy = random_engine(chance, {});
  Search search(*toy.engine, {});
  search.run({}, toy.weights);
  const Hypergraph graph = search_graph(search, true).graph;
  CHECK(graph.n_nodes() == 2 && n_best(graph, 5, false).size() == 1);
  CHECK(words_of(graph, n_best(graph, 1, true).front()).empty());
  CHECK(Hypergraph::loaded(graph.serialised().view()).n_nodes() == 2);
}

TEST(minimum_risk_takes_what_most_agree_with) {
  // Three that agree in most words, and a likelier one that stands alone.
  const Words words{9, 9, 9, 9, 1, 2, 3, 4, 1, 2, 3, 5, 1, 2, 3, 6, 7};
  const std::vector<std::int64_t> word_offsets{0, 4, 8, 12, 17, 17}, path_offsets{0, 4, 5, 5};
  const std::vector<double> scores{-1.0, -1.1, -1.2, -1.3, 0};
  CHECK(minimum_risk(words, word_offsets, scores, path_offsets, {}) == (std::vector<std::int64_t>{1, 0, -1}));
  // As sure as can be of the first, it is the best.
  CHECK(minimum_risk(words, word_offsets, scores, path_offsets, {.scale = 100}) ==
        (std::vector<std::int64_t>{0, 0, -1}));
  for (const unsigned n_threads : {1U, 2U, 7U}) {
    const auto chosen =
        minimum_risk(words, word_offsets, scores, path_offsets, {.document = true, .n_threads = n_threads});
    CHECK(chosen == (std::vector<std::int64_t>{1, 0, -1}));
  }
}
