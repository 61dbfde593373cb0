#include <array>
#include <cmath>
#include <numeric>
#include <set>

#include "check.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/rank/linear_order.hpp"
#include "dragoman/rank/playoffs.hpp"
#include "dragoman/rank/resampled_counts.hpp"
#include "dragoman/rank/trueskill.hpp"

using namespace dragoman;

TEST(rank_playoff_walks_as_the_findings_of_2012_do) {
  // Seeds A B C D; A beats D, C beats B; A beats C in the final, D beats B for the third place.
  std::array<std::int32_t, 4> seeds{0, 1, 2, 3};
  std::array<std::int32_t, 4> spare{};
  const std::set<std::pair<int, int>> wins{{0, 3}, {2, 1}, {0, 2}, {3, 1}};
  rank::play_off(std::span(seeds), std::span(spare), [&](int a, int b) { return wins.contains({a, b}); });
  CHECK((seeds == std::array<std::int32_t, 4>{0, 2, 3, 1}));
}

TEST(rank_byes_go_to_the_best_seeds) {
  // Three seeds: 0 has a bye, 2 beats 1, then 2 beats 0; 1 is last without a further game.
  std::array<std::int32_t, 3> seeds{0, 1, 2};
  std::array<std::int32_t, 3> spare{};
  rank::play_off(std::span(seeds), std::span(spare), [](int a, int b) { return a > b; });
  CHECK((seeds == std::array<std::int32_t, 3>{2, 0, 1}));
}

TEST(rank_orders_of_a_circle_are_counted) {
  // 0 → 1 → 2 → 0, weight 1 each: three orders give up one edge.
  std::vector<std::int64_t> cost(9, 0);
  cost[0 * 3 + 1] = cost[1 * 3 + 2] = cost[2 * 3 + 0] = 1;
  const auto found = rank::search_order({cost, 3}, 100);
  CHECK(found.has_value());
  CHECK(found->cost == 1 && found->n_orders == 3);
  CHECK((found->order == std::vector<std::int32_t>{0, 1, 2}));
  const auto table = rank::tabulate_order({cost, 3});
  CHECK(table.cost == 1 && table.n_orders == 3 && table.order == found->order);
}

TEST(rank_a_win_between_equals_is_symmetric) {
  const rank::TrueSkill model({.beta = 1.0});
  rank::Rating a = model.start(), b = model.start();
  model.update(a, b, 1);
  CHECK(std::abs(a.mean - 0.156174) < 1e-6 && a.mean == -b.mean);
  CHECK(std::abs(a.variance - 0.232647) < 1e-6 && a.variance == b.variance);
  rank::Rating c = model.start(), d = model.start();
  model.update(c, d, -1);
  CHECK(c.mean == b.mean && d.mean == a.mean);
}

TEST(rank_a_draw_moves_abilities_together) {
  const rank::TrueSkill model({.beta = 1.0});
  rank::Rating a{0.3, 0.25}, b{-0.2, 0.25};
  model.update(a, b, 0);
  CHECK(std::abs(a.mean - 0.251338) < 1e-6 && std::abs(a.variance - 0.225669) < 1e-6);
  CHECK(std::abs(b.mean + 0.151338) < 1e-6 && std::abs(b.variance - 0.225669) < 1e-6);
  rank::Rating low{-0.2, 0.25}, high{0.3, 0.25};
  model.update(low, high, 1);
  CHECK(std::abs(low.mean + 0.007742) < 1e-6 && std::abs(high.mean - 0.107742) < 1e-6);
  CHECK(std::abs(low.variance - 0.231314) < 1e-6);
}

TEST(rank_counts_do_not_depend_on_threads_or_pieces) {
  std::vector<std::int32_t> cells(60);
  for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = static_cast<std::int32_t>(i % 5);
  std::vector<std::int64_t> starts(21);
  for (std::size_t i = 0; i < starts.size(); ++i) starts[i] = static_cast<std::int64_t>(3 * i);
  const auto whole = rank::resampled_counts(cells, {starts}, 5, {0, 8}, CounterStream{7}, 1);
  CHECK(whole == rank::resampled_counts(cells, {starts}, 5, {0, 8}, CounterStream{7}, 3));
  const auto second = rank::resampled_counts(cells, {starts}, 5, {4, 4}, CounterStream{7}, 2);
  CHECK(std::equal(second.begin(), second.end(), whole.begin() + 4 * 5));
  CHECK(std::accumulate(whole.begin(), whole.begin() + 5, 0) == 60);
}
