#include "dragoman/nbest/diversity.hpp"

#include <algorithm>
#include <map>

#include "dragoman/core/parallel.hpp"
#include "dragoman/edit/levenshtein.hpp"

namespace dragoman::nbest {

namespace {

Diversity of_list(const Lists& lists, std::size_t first, std::size_t last, edit::Levenshtein& edits) {
  Diversity found;
  // Different entries, how often each is there, and which it is of every entry.
  struct Order {
    bool operator()(Ids a, Ids b) const { return std::ranges::lexicographical_compare(a, b); }
  };
  std::map<Ids, std::size_t, Order> numbers;
  std::vector<Ids> kinds;
  std::vector<double> times;
  std::vector<std::size_t> rank;  // of the first of each kind
  for (std::size_t c = first; c < last; ++c) {
    const auto [place, is_new] = numbers.try_emplace(lists.entry(c), kinds.size());
    if (is_new) {
      kinds.push_back(lists.entry(c));
      times.push_back(0);
      rank.push_back(c - first);
    }
    ++times[place->second];
  }
  if (kinds.empty()) return found;
  const std::size_t n = kinds.size();
  std::vector<double> sums(n, 0.0);
  std::vector<int> to_top(n, 0);
  // Integers: sums do not depend on their order.
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = a + 1; b < n; ++b) {
      const int distance = edits.distance(kinds[a], kinds[b]);
      sums[a] += times[b] * distance;
      sums[b] += times[a] * distance;
      if (a == 0) to_top[b] = distance;
    }
  }
  const auto central = static_cast<std::size_t>(std::ranges::min_element(sums) - sums.begin());
  const double size = static_cast<double>(last - first);
  found.central = static_cast<double>(rank[central]);
  found.mean_distance = size > 1 ? sums[central] / (size - 1) : 0;
  found.top_to_central = to_top[central];
  found.repeats = times[0] - 1;
  double total = 0;
  for (std::size_t a = 0; a < n; ++a) {
    total += times[a] * sums[a];
    for (std::size_t k = 0; k < Diversity::kNear.size(); ++k) {
      if (to_top[a] <= Diversity::kNear[k]) found.near[k] += times[a];
    }
  }
  for (double& each : found.near) each -= 1;  // the first itself
  found.all_pairs = size > 1 ? total / (size * (size - 1)) : 0;
  return found;
}

}  // namespace

std::vector<Diversity> diversities(const Lists& lists, std::size_t most, unsigned n_threads) {
  lists.check();
  std::vector<Diversity> found(lists.size());
  for_each_chunk(lists.size(), n_threads, [&](const Chunk& chunk) {
    edit::Levenshtein edits;
    for (std::size_t s = chunk.begin; s < chunk.end; ++s) {
      const std::size_t first = lists.first(s);
      found[s] = of_list(lists, first, std::min(lists.last(s), first + most), edits);
    }
  });
  return found;
}

}  // namespace dragoman::nbest
