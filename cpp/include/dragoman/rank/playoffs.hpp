#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/core/random.hpp"

namespace dragoman::rank {

/// Monte-Carlo playoffs (Findings of WMT 2012, §4.6): the mean final rank of every system over `n_runs` tournaments.
/// `p_beats[i * n + j]` is the chance that i wins a game against j. Each run seeds the systems at random. In a group,
/// seed i meets seed k + 1 − i, where k is the next power of two; a missing seed is a bye. Winners then play for the
/// upper places and losers for the lower ones, in bracket order, until every system has a place of its own.
std::vector<double> playoff_ranks(std::span<const double> p_beats, std::size_t n, std::size_t n_runs,
                                  CounterStream stream, unsigned n_threads);

/// One tournament: `beats(a, b)` decides a game. Writes the final order, best first, over `seeds`.
/// `spare` has the size of `seeds`.
template <class Beats>
void play_off(std::span<std::int32_t> seeds, std::span<std::int32_t> spare, const Beats& beats) {
  const std::size_t n = seeds.size();
  if (n < 2) return;
  std::size_t k = 1;
  while (k < n) k *= 2;
  std::size_t n_winners = 0;
  std::size_t n_losers = 0;
  for (std::size_t i = 0; i < k / 2; ++i) {
    const std::int32_t a = seeds[i];
    if (k - 1 - i >= n) {
      spare[n_winners++] = a;
      continue;
    }
    const std::int32_t b = seeds[k - 1 - i];
    const bool a_wins = beats(a, b);
    spare[n_winners++] = a_wins ? a : b;
    spare[k / 2 + n_losers++] = a_wins ? b : a;
  }
  for (std::size_t i = 0; i < n; ++i) seeds[i] = spare[i];
  play_off(seeds.first(n_winners), spare.first(n_winners), beats);
  play_off(seeds.subspan(n_winners), spare.subspan(n_winners), beats);
}

}  // namespace dragoman::rank
