#include "dragoman/tune/pairs.hpp"

#include <algorithm>

#include "dragoman/core/parallel.hpp"

namespace dragoman::tune {

namespace {

struct Pair {
  double difference;
  std::uint32_t drawn;
  std::int64_t better, worse;
};

}  // namespace

std::vector<std::int64_t> sample_pairs(std::span<const double> gains, std::span<const std::int64_t> offsets,
                                       CounterStream stream, const PairOptions& options) {
  const std::size_t n = offsets.empty() ? 0 : offsets.size() - 1;
  std::vector<std::vector<std::int64_t>> parts(n);
  for_each_chunk(n, options.n_threads, [&](const Chunk& chunk) {
    std::vector<Pair> pairs;
    for (std::size_t segment = chunk.begin; segment < chunk.end; ++segment) {
      const auto begin = offsets[segment];
      const auto size = static_cast<std::uint32_t>(offsets[segment + 1] - begin);
      const CounterStream own{stream.bits(segment)};
      pairs.clear();
      for (std::uint32_t draw = 0; draw < options.draws && size > 1; ++draw) {
        std::int64_t better = begin + own.below(2 * std::uint64_t{draw}, size);
        std::int64_t worse = begin + own.below(2 * std::uint64_t{draw} + 1, size);
        double difference = gains[static_cast<std::size_t>(better)] - gains[static_cast<std::size_t>(worse)];
        if (difference < 0) {
          std::swap(better, worse);
          difference = -difference;
        }
        if (difference > 0 && difference >= options.threshold) pairs.push_back({difference, draw, better, worse});
      }
      const std::size_t kept = std::min<std::size_t>(options.kept, pairs.size());
      std::partial_sort(pairs.begin(), pairs.begin() + static_cast<std::ptrdiff_t>(kept), pairs.end(),
                        [](const Pair& x, const Pair& y) {
                          return x.difference != y.difference ? x.difference > y.difference : x.drawn < y.drawn;
                        });
      for (std::size_t i = 0; i < kept; ++i) {
        parts[segment].push_back(pairs[i].better);
        parts[segment].push_back(pairs[i].worse);
      }
    }
  });
  std::vector<std::int64_t> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace dragoman::tune
