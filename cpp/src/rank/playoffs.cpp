#include "dragoman/rank/playoffs.hpp"

#include <bit>
#include <numeric>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"

namespace dragoman::rank {

std::vector<double> playoff_ranks(std::span<const double> p_beats, std::size_t n, std::size_t n_runs,
                                  CounterStream stream, unsigned n_threads) {
  if (n == 0 || p_beats.size() != n * n) throw data_error("The chances of n systems are a matrix (n, n).");
  if (n > 4096) throw data_error("More than 4096 systems.");
  if (n_runs == 0) throw data_error("At least one playoff is needed.");
  for (const double p : p_beats) {
    if (!(p >= 0.0 && p <= 1.0)) throw data_error("A chance lies outside 0 … 1.");
  }
  // A draw as a whole number of 64 bits against a threshold: no division, no rounding in the loop.
  std::vector<std::uint64_t> threshold(n * n);
  for (std::size_t i = 0; i < n * n; ++i) {
    threshold[i] = p_beats[i] >= 1.0 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(p_beats[i] * 0x1p64);
  }
  const std::uint64_t n_draws = n * (1 + std::bit_width(n));  // seeding, and at most n/2 games in each round
  const std::size_t n_chunks = std::max<std::size_t>(1, std::min<std::size_t>(n_threads, n_runs));
  std::vector<std::vector<std::int64_t>> sums(n_chunks, std::vector<std::int64_t>(n, 0));
  for_each_chunk(n_runs, n_threads, [&](Chunk chunk) {
    std::vector<std::int32_t> seeds(n);
    std::vector<std::int32_t> spare(n);
    std::vector<std::int64_t>& sum = sums[chunk.index];
    for (std::size_t run = chunk.begin; run < chunk.end; ++run) {
      std::uint64_t counter = run * n_draws;
      std::iota(seeds.begin(), seeds.end(), 0);
      for (std::size_t left = n; left > 1; --left) {
        std::swap(seeds[left - 1], seeds[stream.below(counter++, static_cast<std::uint32_t>(left))]);
      }
      play_off(seeds, spare, [&](std::int32_t a, std::int32_t b) {
        const std::uint64_t p = threshold[static_cast<std::size_t>(a) * n + static_cast<std::size_t>(b)];
        return p == ~std::uint64_t{0} || stream.bits(counter++) < p;
      });
      for (std::size_t place = 0; place < n; ++place) {
        sum[static_cast<std::size_t>(seeds[place])] += static_cast<std::int64_t>(place) + 1;
      }
    }
  });
  std::vector<double> ranks(n);
  for (std::size_t i = 0; i < n; ++i) {
    std::int64_t total = 0;
    for (const auto& sum : sums) total += sum[i];
    ranks[i] = static_cast<double>(total) / static_cast<double>(n_runs);
  }
  return ranks;
}

}  // namespace dragoman::rank
