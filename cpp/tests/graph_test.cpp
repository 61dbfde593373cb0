#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <random>
#include <set>

#include "check.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/graph/completion.hpp"
#include "dragoman/graph/kbest.hpp"
#include "dragoman/graph/oracle.hpp"
#include "dragoman/graph/posteriors.hpp"
#include "dragoman/tune/graph_mert.hpp"

using namespace dragoman;
using namespace dragoman::graph;

namespace {

using Words = std::vector<TokenId>;

bool close(double a, double b) { return std::fabs(a - b) <= 1e-6 * (1 + std::fabs(a)); }

constexpr std::size_t kFeatures = 3;

/// A forest of a few nodes whose arcs have none to three tails, with words and gaps in any order. `chain`: one tail
/// each.
Hypergraph random_forest(std::mt19937& chance, bool chain = false) {
  HypergraphBuilder builder(4, kFeatures);
  const std::uint32_t n = 3 + chance() % 4;
  for (std::uint32_t node = 1; node < n; ++node) {
    CHECK(builder.add_node() == node);
    for (unsigned arcs = 1 + chance() % 3; arcs > 0; --arcs) {
      std::vector<std::uint32_t> tails(chain ? 1 : node == 1 ? 0 : std::min<std::size_t>(chance() % 4, chance() % 4));
      for (auto& tail : tails) tail = chain ? chance() % node : 1 + chance() % (node - 1);
      Words words(chance() % 3);
      for (auto& word : words) word = static_cast<TokenId>(chance() % 4);
      const unsigned kind = chance() % 3;
      if (!chain && kind > 0) {
        for (std::size_t k = 0; k < tails.size(); ++k) words.push_back(gap(k));
        std::ranges::shuffle(words, chance);
      }
      const std::uint32_t begin = chance() % 3;
      const std::vector<Link> links{{0, static_cast<std::uint8_t>(chance() % 3)}};
      const auto phrase =
          chance() % 6 == 0 ? Hypergraph::kNoPhrase : builder.add_phrase(begin, begin + 1 + chance() % 2, words, links);
      std::vector<float> features(kFeatures);
      for (auto& each : features) each = static_cast<float>(chance() % 400) / 100.0F - 2.0F;
      builder.add_arc(tails, phrase, features[0], features);
    }
  }
  return builder.finish();
}

/// A derivation by definition: its arcs, score and words.
struct Naive {
  std::vector<std::uint32_t> arcs;
  Words words;
};

std::vector<Naive> all_of(const Hypergraph& graph, std::uint32_t node) {
  if (node == 0) return {{}};
  std::vector<Naive> all;
  for (auto arc = graph.arc_offsets()[node]; arc < graph.arc_offsets()[node + 1]; ++arc) {
    const auto tails = graph.tails(arc);
    std::vector<std::vector<Naive>> parts;
    for (const auto tail : tails) parts.push_back(all_of(graph, tail));
    std::vector<const Naive*> chosen(tails.size());
    const std::function<void(std::size_t)> choose = [&](std::size_t k) {
      if (k < tails.size()) {
        for (const Naive& each : parts[k]) {
          chosen[k] = &each;
          choose(k + 1);
        }
        return;
      }
      Naive made;
      for (const Naive* part : chosen) made.arcs.insert(made.arcs.end(), part->arcs.begin(), part->arcs.end());
      made.arcs.push_back(arc);
      const auto phrase = graph.arcs()[arc].phrase;
      Words order;
      if (!graph.has_gaps(phrase)) {
        for (std::size_t i = 0; i < tails.size(); ++i) order.push_back(gap(i));
      }
      order.insert(order.end(), graph.words_of(phrase).begin(), graph.words_of(phrase).end());
      for (const TokenId word : order) {
        const Words one{word};
        const Words& said = is_gap(word) ? chosen[tail_of(word)]->words : one;
        made.words.insert(made.words.end(), said.begin(), said.end());
      }
      all.push_back(std::move(made));
    };
    choose(0);
  }
  return all;
}

double n_derivations(const Hypergraph& graph) {
  std::vector<double> counts(graph.n_nodes(), 0.0);
  counts[0] = 1;
  for (std::size_t i = 0; i < graph.arcs().size(); ++i) {
    double product = 1;
    for (const auto tail : graph.tails(i)) product *= counts[tail];
    counts[graph.arcs()[i].to] += product;
  }
  return *std::ranges::max_element(counts);
}

std::vector<Naive> all_derivations(const Hypergraph& graph) {
  return all_of(graph, static_cast<std::uint32_t>(graph.n_nodes() - 1));
}

template <class Value>
double sum_over(const std::vector<std::uint32_t>& arcs, const Value& value) {
  double sum = 0;
  for (const auto arc : arcs) sum += value(arc);
  return sum;
}

double score_of(const Hypergraph& graph, const std::vector<std::uint32_t>& arcs) {
  return sum_over(arcs, [&](std::uint32_t arc) { return static_cast<double>(graph.arcs()[arc].score); });
}

/// Forests small enough to list, both kinds.
template <class Use>
void with_forests(unsigned seed, int rounds, const Use& use) {
  std::mt19937 chance(seed);
  for (int round = 0; round < rounds; ++round) {
    const Hypergraph graph = random_forest(chance, round % 4 == 0);
    if (n_derivations(graph) <= 2000) use(chance, graph, all_derivations(graph));
  }
}

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

}  // namespace

TEST(k_best_lists_of_forests_have_every_derivation_once_best_first) {
  int many = 0;
  with_forests(61, 200, [&](std::mt19937&, const Hypergraph& graph, const std::vector<Naive>& all) {
    many += graph.is_many_tailed();
    std::map<std::vector<std::uint32_t>, const Naive*> expected;
    for (const Naive& each : all) expected[each.arcs] = &each;
    CHECK(expected.size() == all.size());
    std::vector<double> scores;
    for (const Naive& each : all) scores.push_back(score_of(graph, each.arcs));
    std::ranges::sort(scores, std::greater());
    KBest ways(graph);
    Path path;
    std::size_t n = 0;
    for (; ways.next(path); ++n) {
      CHECK(n < scores.size() && close(path.score, scores[n]) && close(path.score, score_of(graph, path.arcs)));
      const auto own = expected.find(path.arcs);
      CHECK(own != expected.end());
      CHECK(words_of(graph, path) == own->second->words);
      expected.erase(own);
    }
    CHECK(n == all.size());
  });
  CHECK(many > 50);
}

TEST(distinct_lists_of_forests_have_the_best_derivation_of_all_words) {
  with_forests(67, 200, [&](std::mt19937&, const Hypergraph& graph, const std::vector<Naive>& all) {
    std::map<Words, double> best;
    for (const Naive& each : all) {
      const double score = score_of(graph, each.arcs);
      const auto [own, is_new] = best.emplace(each.words, score);
      if (!is_new) own->second = std::max(own->second, score);
    }
    KBest ways(graph, true);
    Path path;
    double before = std::numeric_limits<double>::infinity();
    while (ways.next(path)) {
      CHECK(path.score <= before + 1e-9);
      before = path.score;
      const auto own = best.find(words_of(graph, path));
      CHECK(own != best.end() && close(path.score, own->second));
      best.erase(own);
    }
    CHECK(best.empty());
  });
}

TEST(posteriors_of_forests_are_shares_of_all_derivations) {
  with_forests(62, 150, [&](std::mt19937&, const Hypergraph& graph, const std::vector<Naive>& all) {
    const double scale = 0.7;
    double total = 0;
    std::vector<double> mass(graph.arcs().size(), 0.0);
    for (const Naive& each : all) total += std::exp(scale * score_of(graph, each.arcs));
    for (const Naive& each : all) {
      for (const auto arc : each.arcs) mass[arc] += std::exp(scale * score_of(graph, each.arcs)) / total;
    }
    const auto found = posteriors(graph, scale);
    CHECK(close(found.log_total, std::log(total)));
    // An arc that a derivation has twice counts twice, as it does here.
    for (std::size_t i = 0; i < mass.size(); ++i) CHECK(close(found.arcs[i], mass[i]));
    const auto best = n_best(graph, 1, false).front();
    const auto confidence = word_confidence(graph, best, found.arcs);
    CHECK(confidence.size() == words_of(graph, best).size());
    for (const double each : confidence) CHECK(each >= 0 && each <= 1);
  });
}

TEST(inside_and_outside_meet_in_the_best_derivation_through_a_node) {
  with_forests(63, 150, [&](std::mt19937&, const Hypergraph& graph, const std::vector<Naive>& all) {
    const auto inside = best_inside(graph), outside = best_outside(graph, inside);
    std::vector<double> best(graph.arcs().size(), -1e30);
    double top = -1e30;
    for (const Naive& each : all) {
      const double score = score_of(graph, each.arcs);
      top = std::max(top, score);
      for (const auto arc : each.arcs) best[arc] = std::max(best[arc], score);
    }
    CHECK(close(inside.back(), top));
    for (std::size_t i = 0; i < best.size(); ++i) {
      if (best[i] == -1e30) continue;  // leads to nothing that the end is made of
      double through = outside[graph.arcs()[i].to] + static_cast<double>(graph.arcs()[i].score);
      for (const auto tail : graph.tails(i)) through += inside[tail];
      CHECK(close(through, best[i]));
    }
  });
}

TEST(envelopes_of_forests_are_as_high_as_the_best_derivation_everywhere) {
  with_forests(64, 150, [&](std::mt19937& chance, const Hypergraph& graph, const std::vector<Naive>& all) {
    std::vector<double> scores, slopes;
    for (std::size_t i = 0; i < graph.arcs().size(); ++i) {
      scores.push_back(static_cast<double>(chance() % 400) / 100 - 2);
      slopes.push_back(static_cast<double>(chance() % 5) - 2);
    }
    const auto score = [&](std::uint32_t arc) { return scores[arc]; };
    const auto slope = [&](std::uint32_t arc) { return slopes[arc]; };
    const auto lines = tune::envelope(graph, scores, slopes);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      CHECK(i == 0 || lines[i - 1].slope < lines[i].slope);
      CHECK(close(sum_over(lines[i].path.arcs, score), lines[i].score));
      CHECK(close(sum_over(lines[i].path.arcs, slope), lines[i].slope));
    }
    for (double t = -4; t <= 4; t += 0.25) {
      double best = -1e30, found = -1e30;
      for (const Naive& each : all) best = std::max(best, sum_over(each.arcs, score) + t * sum_over(each.arcs, slope));
      for (const auto& line : lines) found = std::max(found, line.score + t * line.slope);
      CHECK(close(best, found));
    }
  });
}

TEST(oracles_of_forests_gain_as_much_as_any_derivation) {
  with_forests(65, 150, [&](std::mt19937& chance, const Hypergraph& graph, const std::vector<Naive>& all) {
    Words reference(1 + chance() % 6);
    for (auto& word : reference) word = static_cast<TokenId>(chance() % 4);
    std::set<Words> known;
    const auto ngrams = [](const Words& words, const auto& use) {
      for (auto from = words.begin(); from != words.end(); ++from) {
        for (auto to = from + 1; to - from <= 4; ++to) {
          use(Words(from, to));
          if (to == words.end()) break;
        }
      }
    };
    ngrams(reference, [&](const Words& gram) { known.insert(gram); });
    const LinearGain gain{-0.3, {0.4, 0.6, 0.8, 1.1}};
    const auto worth = [&](const Words& words) {
      double sum = gain.word * static_cast<double>(words.size());
      ngrams(words, [&](const Words& gram) { sum += known.contains(gram) ? gain.match[gram.size() - 1] : 0; });
      return sum;
    };
    double best = -1e30;
    for (const Naive& each : all) best = std::max(best, worth(each.words));
    const std::vector<Words> references{reference};
    const auto path = oracle(graph, references, {}, gain, 100000);
    CHECK(close(best, worth(words_of(graph, path))));
    CHECK(close(path.score, score_of(graph, path.arcs)));
  });
}

TEST(a_prefix_is_completed_in_a_forest_as_well_as_by_any_derivation) {
  with_forests(66, 150, [&](std::mt19937& chance, const Hypergraph& graph, const std::vector<Naive>& all) {
    Words wanted(chance() % 5);
    for (auto& word : wanted) word = static_cast<TokenId>(chance() % 4);
    const double cost = chance() % 2 ? 2 : 1000;
    double best = -1e30;
    std::size_t fewest = 1000;
    for (const Naive& each : all) {
      for (std::size_t n = 0; n <= each.words.size(); ++n) {
        const Words begun(each.words.begin(), each.words.begin() + static_cast<std::ptrdiff_t>(n));
        best = std::max(best, score_of(graph, each.arcs) - cost * static_cast<double>(edit_distance(begun, wanted)));
      }
      fewest = std::min(fewest, edit_distance(each.words, wanted));
    }
    const auto found = complete(graph, wanted, {}, cost);
    CHECK(close(found.path.score - cost * static_cast<double>(found.edits), best));
    CHECK(close(found.path.score, score_of(graph, found.path.arcs)));
    const Words words = words_of(graph, found.path);
    CHECK(found.n_words <= words.size());
    CHECK(edit_distance(Words(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(found.n_words)), wanted) ==
          found.edits);
    const auto nearest = closest(graph, wanted);
    CHECK(nearest.edits == fewest && edit_distance(words_of(graph, nearest.path), wanted) == fewest);
  });
}

TEST(forests_are_pruned_weighed_saved_and_loaded) {
  with_forests(67, 100, [&](std::mt19937& chance, const Hypergraph& graph, const std::vector<Naive>& all) {
    const Hypergraph small = graph.pruned(1 + chance() % 4);
    CHECK(small.arcs().size() <= graph.arcs().size() && small.is_many_tailed() <= graph.is_many_tailed());
    const auto before = n_best(graph, 1, false).front(), after = n_best(small, 1, false).front();
    CHECK(close(before.score, after.score) && words_of(graph, before) == words_of(small, after));
    CHECK(all_derivations(small).size() <= all.size());

    const Bytes file = graph.serialised();
    Hypergraph again = Hypergraph::loaded(file.view());
    CHECK(again.serialised().view() == file.view() && again.is_many_tailed() == graph.is_many_tailed());
    again.reweigh(std::vector<float>{0, 1, 0});
    for (std::size_t i = 0; i < graph.arcs().size(); ++i) CHECK(again.arcs()[i].score == graph.features_of(i)[1]);
  });
}

TEST(arcs_that_fit_no_forest_are_refused) {
  const auto refused = [](const auto& make) {
    HypergraphBuilder builder(1);
    builder.add_node();
    builder.add_arc({}, Hypergraph::kNoPhrase, 0);
    builder.add_node();
    make(builder);
    try {
      builder.finish();
    } catch (const data_error& error) {
      return std::string_view(error.what()).find("do not fit each other") != std::string_view::npos;
    }
    return false;
  };
  const std::vector<std::uint32_t> one{1}, two{1, 1}, itself{2};
  const Words twice{gap(0), gap(0)}, other{gap(2), gap(0)};
  CHECK(!refused([&](auto& builder) { builder.add_arc(two, Hypergraph::kNoPhrase, 0); }));
  CHECK(refused([&](auto&) {}));
  CHECK(refused([&](auto& builder) { builder.add_arc(itself, Hypergraph::kNoPhrase, 0); }));
  CHECK(refused([&](auto& builder) { builder.add_arc(one, 7, 0); }));
  CHECK(refused([&](auto& builder) { builder.add_arc(two, builder.add_phrase(0, 1, twice), 0); }));
  CHECK(refused([&](auto& builder) { builder.add_arc(two, builder.add_phrase(0, 1, other), 0); }));
  CHECK(refused([&](auto& builder) { builder.add_arc(one, builder.add_phrase(0, 2, {}), 0); }));
  const Hypergraph graph = [&] {
    HypergraphBuilder builder(1);
    builder.add_node();
    builder.add_arc({}, Hypergraph::kNoPhrase, 0);
    builder.add_node();
    builder.add_arc(two, Hypergraph::kNoPhrase, 0);
    return builder.finish();
  }();
  bool named = false;
  try {
    words_of(graph, {0, {0, 1}});
  } catch (const data_error& error) {
    named = std::string_view(error.what()).find("arc 1 joins 2 parts, of which 1 stand before it") !=
            std::string_view::npos;
  }
  CHECK(named);
}
