#include "dragoman/metrics/rank_order.hpp"

#include <algorithm>
#include <cmath>

namespace dragoman::metrics {

std::size_t count_ascending_pairs(std::vector<std::size_t>& values, std::vector<std::size_t>& scratch) {
  const std::size_t n = values.size();
  std::size_t ascending = 0;
  for (std::size_t width = 1; width < n; width *= 2) {
    scratch.clear();
    for (std::size_t begin = 0; begin < n; begin += 2 * width) {
      const std::size_t middle = std::min(begin + width, n), end = std::min(begin + 2 * width, n);
      std::size_t a = begin;
      for (std::size_t b = middle; b < end; ++b) {
        while (a < middle && values[a] < values[b]) scratch.push_back(values[a++]);
        ascending += a - begin;
        scratch.push_back(values[b]);
      }
      while (a < middle) scratch.push_back(values[a++]);
    }
    values.swap(scratch);
  }
  return ascending;
}

RankOrder measure_order(std::vector<std::size_t>& ranks, std::vector<std::size_t>& scratch) {
  const auto n = static_cast<double>(ranks.size());
  if (ranks.size() < 2) return {};
  double distance = 0.0, squares = 0.0, jumps = 0.0, before = -1.0;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const auto rank = static_cast<double>(ranks[i]);
    const double off = rank - static_cast<double>(i);
    distance += std::abs(off);
    squares += off * off;
    jumps += std::abs(rank - before - 1.0);
    before = rank;
  }
  const auto ascending = static_cast<double>(count_ascending_pairs(ranks, scratch));
  RankOrder order;
  order.rho = 1.0 - 6.0 * squares / (n * (n * n - 1.0));
  order.tau = 4.0 * ascending / (n * (n - 1.0)) - 1.0;
  order.v1 = 1.0 - distance / (n * (n + 1.0) / 2.0);
  order.v2 = 1.0 - jumps / (n * n - 1.0);
  return order;
}

}  // namespace dragoman::metrics
