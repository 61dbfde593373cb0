#include <algorithm>
#include <numeric>
#include <vector>

#include "check.hpp"
#include "dragoman/phrase/search.hpp"
#include "toy_engine.hpp"

// Worked examples: Cherry, Moore & Quirk, "On Hierarchical Re-ordering and Permutation Parsing for Phrase-based
// Decoding", WMT 2012, figures 1 and 7 and section 3.

using namespace toy;

namespace {

std::vector<Span> tops(const std::vector<Span>& blocks, std::size_t n, Hierarchy hierarchy) {
  BlockStacks stacks;
  stacks.start(n, hierarchy, false);
  std::vector<Span> all;
  const Block* top = stacks.empty();
  for (const Span block : blocks) {
    top = stacks.shift(top, block);
    all.push_back(top->span);
  }
  return all;
}

std::size_t depth(const std::vector<Span>& blocks, std::size_t n) {
  BlockStacks stacks;
  stacks.start(n, Hierarchy::two_reducing, false);
  const Block* top = stacks.empty();
  for (const Span block : blocks) top = stacks.shift(top, block);
  std::size_t items = 0;
  for (; top != nullptr; top = top->below) ++items;
  return items;
}

/// How many blocks a grammar lets pass.
std::size_t accepted(const std::vector<Span>& blocks, std::size_t n) {
  BlockStacks stacks;
  stacks.start(n, Hierarchy::two_reducing, true);
  const Block* top = stacks.empty();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (!stacks.allows(top, blocks[i])) return i;
    top = stacks.shift(top, blocks[i]);
  }
  return blocks.size();
}

std::vector<Span> single_words(const std::vector<int>& order) {
  std::vector<Span> spans;
  for (const int at : order) spans.push_back({static_cast<std::uint16_t>(at), static_cast<std::uint16_t>(at + 1)});
  return spans;
}

}  // namespace

TEST(the_parser_traces_figure_1) {
  const std::vector<Span> blocks{{0, 2}, {2, 4}, {5, 6}, {4, 5}, {6, 7}};
  const std::vector<Span> expected{{0, 2}, {0, 4}, {5, 6}, {0, 6}, {0, 7}};
  CHECK(tops(blocks, 7, Hierarchy::two_reducing) == expected);
  CHECK(tops(blocks, 7, Hierarchy::star_reducing) == expected);
  CHECK(permutation_complexity(blocks) == 2);
}

TEST(the_parser_traces_figure_7) {
  const std::vector<Span> blocks{{4, 6}, {0, 1}, {6, 7}, {1, 2}, {3, 4}, {2, 3}, {7, 9}};
  const std::vector<Span> two{{4, 6}, {0, 1}, {6, 7}, {1, 2}, {3, 4}, {1, 4}, {7, 9}};
  const std::vector<Span> star{{4, 6}, {0, 1}, {6, 7}, {1, 2}, {3, 4}, {0, 7}, {0, 9}};
  CHECK(tops(blocks, 9, Hierarchy::two_reducing) == two);
  CHECK(tops(blocks, 9, Hierarchy::star_reducing) == star);
  CHECK(depth(blocks, 9) == 6);  // the paper's five, and [0, 0) below them
  CHECK(permutation_complexity(blocks) == 4);
  CHECK(accepted(blocks, 9) == 2);  // [6, 7) is refused
}

TEST(a_grammar_refuses_2413_and_25314) {
  CHECK(accepted({{1, 2}, {3, 4}, {0, 1}, {2, 3}}, 4) == 2);
  CHECK(accepted({{1, 2}, {4, 5}, {2, 3}, {0, 1}, {3, 4}}, 5) == 3);
}

TEST(a_grammar_builds_as_many_permutations_as_schroeder_counted) {
  const std::size_t counts[] = {1, 2, 6, 22, 90, 394, 1806, 8558};
  for (std::size_t n = 1; n <= 8; ++n) {
    std::vector<int> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::size_t n_accepted = 0;
    do {
      const auto blocks = single_words(order);
      const bool whole = accepted(blocks, n) == n;
      n_accepted += whole;
      CHECK(whole == (permutation_complexity(blocks) <= 2));
      // Whatever the order, joining as many as it takes ends with one block.
      CHECK(tops(blocks, n, Hierarchy::star_reducing).back() == (Span{0, static_cast<std::uint16_t>(n)}));
    } while (std::next_permutation(order.begin(), order.end()));
    CHECK(n_accepted == counts[n - 1]);
  }
}

TEST(a_search_under_the_itg_constraint_finds_the_best_of_what_a_grammar_builds) {
  std::mt19937 chance(11);
  for (int round = 0; round < 30; ++round) {
    const Orientation orientation = round % 2 ? Orientation::hierarchical : Orientation::none;
    const Toy toy = random_engine(chance, {.orientation = orientation, .most_translations = 2, .longest = 1});
    const Words source = random_source(chance, 5, 5);
    DecodeOptions limits{.pop_limit = 1000000, .distortion_limit = 1000, .options_per_phrase = 100};
    limits.itg = true;
    limits.hierarchy = static_cast<Hierarchy>(chance() % 2);
    const auto all = all_derivations(toy, source, limits, [&](const std::vector<Piece>& pieces) {
      std::vector<Span> spans;
      for (const Piece& piece : pieces) {
        spans.push_back({static_cast<std::uint16_t>(piece.begin), static_cast<std::uint16_t>(piece.end)});
      }
      return accepted(spans, source.size()) == spans.size();
    });
    Search search(*toy.engine, limits);
    const Hypothesis* const best = search.run(source, toy.weights);
    CHECK(std::fabs(best->score - all.front().score) < 1e-3);
    std::vector<Span> spans;
    for (const Option* option : steps_of(*best)) spans.push_back(option->span);
    CHECK(permutation_complexity(spans) <= 2);
  }
}
