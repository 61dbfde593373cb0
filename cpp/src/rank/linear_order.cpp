#include "dragoman/rank/linear_order.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <queue>

#include "dragoman/core/errors.hpp"
#include "set_table.hpp"

namespace dragoman::rank {
namespace {

constexpr std::int64_t kMaxCost = std::int64_t{1} << 48;

/// What no order can avoid (the cheaper side of every pair), and what is left to choose.
struct Reduced {
  std::vector<std::int64_t> extra;  // [u * n + v]: beyond the cheaper side, when u stands below v
  std::int64_t unavoidable = 0;
  std::size_t n;

  explicit Reduced(const PairCosts& pairs) : extra(pairs.n * pairs.n, 0), n(pairs.n) {
    if (pairs.cost.size() != n * n) throw data_error("The costs of n items are a matrix (n, n).");
    for (std::size_t u = 0; u < n; ++u) {
      for (std::size_t v = 0; v < n; ++v) {
        const std::int64_t below = pairs.cost[u * n + v];
        const std::int64_t above = pairs.cost[v * n + u];
        if (below < 0 || below > kMaxCost) throw data_error("A cost lies outside 0 … 2^48.");
        if (u == v) continue;
        extra[u * n + v] = below - std::min(below, above);
        if (u < v) unavoidable += std::min(below, above);
      }
    }
  }

  std::int64_t of(std::span<const std::int32_t> order) const {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (std::size_t j = i + 1; j < order.size(); ++j) {
        sum += extra[static_cast<std::size_t>(order[j]) * n + static_cast<std::size_t>(order[i])];
      }
    }
    return sum;
  }
};

/// The cost of a good order: items moved to better places until none is found. A bound for the search.
std::int64_t descend(const Reduced& pairs) {
  std::vector<std::int32_t> order(pairs.n);
  std::iota(order.begin(), order.end(), 0);
  const auto at = [&](std::int32_t below, std::int32_t above) {
    return pairs.extra[static_cast<std::size_t>(below) * pairs.n + static_cast<std::size_t>(above)];
  };
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t from = 0; from < pairs.n; ++from) {
      std::int64_t best = 0;
      std::size_t to = from;
      std::int64_t change = 0;
      for (std::size_t place = from; place-- > 0;) {
        change += at(order[place], order[from]) - at(order[from], order[place]);
        if (change < best) best = change, to = place;
      }
      change = 0;
      for (std::size_t place = from + 1; place < pairs.n; ++place) {
        change += at(order[from], order[place]) - at(order[place], order[from]);
        if (change < best) best = change, to = place;
      }
      if (to == from) continue;
      const auto begin = order.begin();
      const auto f = static_cast<std::ptrdiff_t>(from);
      const auto t = static_cast<std::ptrdiff_t>(to);
      if (to < from) {
        std::rotate(begin + t, begin + f, begin + f + 1);
      } else {
        std::rotate(begin + f, begin + f + 1, begin + t + 1);
      }
      moved = true;
    }
  }
  return pairs.of(order);
}

/// What it costs to put v on top of the set: those in it that should stand above v.
std::int64_t on_top(const Reduced& pairs, std::uint64_t set, std::size_t v) {
  std::int64_t sum = 0;
  for (; set != 0; set &= set - 1) {
    sum += pairs.extra[static_cast<std::size_t>(std::countr_zero(set)) * pairs.n + v];
  }
  return sum;
}

/// What it costs to let v stand below all that are still to come, `above`. Summed over the steps this is the same as
/// `on_top`, but a bad choice is charged at once, so that the search turns away from it early.
std::int64_t below_all(const Reduced& pairs, std::uint64_t above, std::size_t v) {
  std::int64_t sum = 0;
  for (; above != 0; above &= above - 1) {
    sum += pairs.extra[v * pairs.n + static_cast<std::size_t>(std::countr_zero(above))];
  }
  return sum;
}

/// Read the order off the costs of sets, preferring low numbers; `cost_of(set)` is exact for sets on optimal ways,
/// `step(rest, v)` is what it costs to put v on the set `rest`.
template <class CostOf, class Step>
std::vector<std::int32_t> read_off(std::uint64_t all, const CostOf& cost_of, const Step& step) {
  std::vector<std::int32_t> order;
  for (std::uint64_t set = all; set != 0;) {
    const std::int64_t cost = cost_of(set);
    for (std::uint64_t left = set;; left &= left - 1) {
      if (left == 0) throw std::logic_error("no item stands on top of an optimal set");
      const auto v = static_cast<std::size_t>(std::countr_zero(left));
      const std::uint64_t rest = set & ~(std::uint64_t{1} << v);
      const std::int64_t below = cost_of(rest);
      if (below < 0 || below + step(rest, v) != cost) continue;
      order.push_back(static_cast<std::int32_t>(v));
      set = rest;
      break;
    }
  }
  return order;
}

}  // namespace

std::optional<LinearOrder> search_order(const PairCosts& given, std::size_t max_states) {
  if (given.n > kSearchItems) throw data_error("More than 63 items.");
  const Reduced pairs(given);
  const std::size_t n = pairs.n;
  const std::uint64_t all = (std::uint64_t{1} << n) - 1;
  const std::int64_t bound = descend(pairs);

  struct Entry {
    std::int64_t cost;
    int size;  // smaller sets first: all ways to a set are known before it is opened, free steps included
    std::uint64_t set;
    bool operator<(const Entry& other) const {
      return cost != other.cost ? cost > other.cost : size != other.size ? size > other.size : set > other.set;
    }
  };
  SetTable table(max_states);
  std::priority_queue<Entry> agenda;
  table.at(0) = {0, 1, false};
  agenda.push({0, 0, 0});
  std::uint64_t n_states = 0;
  while (!agenda.empty()) {
    const Entry entry = agenda.top();
    agenda.pop();
    SetState& state = table.at(entry.set);
    if (state.is_open || state.cost != entry.cost) continue;
    state.is_open = true;
    ++n_states;
    if (entry.set == all) break;
    const std::uint64_t ways = state.ways;
    for (std::uint64_t left = all & ~entry.set; left != 0; left &= left - 1) {
      const auto v = static_cast<std::size_t>(std::countr_zero(left));
      const std::uint64_t larger = entry.set | (std::uint64_t{1} << v);
      const std::int64_t cost = entry.cost + below_all(pairs, all & ~larger, v);
      if (cost > bound) continue;
      SetState* const next = table.find_or_add(larger);
      if (next == nullptr) return std::nullopt;
      if (cost < next->cost) {
        *next = {cost, ways, false};
        agenda.push({cost, entry.size + 1, larger});
      } else if (cost == next->cost) {
        next->ways = ways > std::numeric_limits<std::uint64_t>::max() - next->ways
                         ? std::numeric_limits<std::uint64_t>::max()
                         : next->ways + ways;
      }
    }
  }
  LinearOrder found;
  const SetState& whole = table.at(all);
  found.cost = whole.cost + pairs.unavoidable;
  found.n_orders = whole.ways == std::numeric_limits<std::uint64_t>::max() ? 0 : whole.ways;
  found.n_states = n_states;
  found.order = read_off(
      all,
      [&](std::uint64_t set) {
        const SetState* const state = table.find(set);
        return state != nullptr && state->is_open ? state->cost : std::int64_t{-1};
      },
      [&](std::uint64_t rest, std::size_t v) { return below_all(pairs, all & ~rest & ~(std::uint64_t{1} << v), v); });
  return found;
}

LinearOrder tabulate_order(const PairCosts& given) {
  if (given.n > kTableItems) throw data_error("More than 25 items need a search, not a table.");
  const Reduced pairs(given);
  const std::size_t n = pairs.n;
  const std::uint32_t all = static_cast<std::uint32_t>((std::uint64_t{1} << n) - 1);

  // The cost of putting v on a set is a sum over its members: one part from the low bits, tabulated, one from the
  // high bits, which change rarely.
  const std::size_t n_low = std::min<std::size_t>(n, 10);
  const std::uint32_t low_mask = (std::uint32_t{1} << n_low) - 1;
  std::vector<std::int64_t> low((std::size_t{low_mask} + 1) * n);
  for (std::uint32_t set = 0; set <= low_mask; ++set) {
    for (std::size_t v = 0; v < n; ++v) low[set * n + v] = on_top(pairs, set, v);
  }
  std::vector<std::int64_t> high(n);
  std::vector<std::int64_t> cost(std::size_t{all} + 1);
  std::vector<std::uint32_t> ways(std::size_t{all} + 1);  // sticks at the top
  constexpr std::uint32_t kMany = std::numeric_limits<std::uint32_t>::max();
  cost[0] = 0;
  ways[0] = 1;
  for (std::uint64_t s = 0; s <= all; ++s) {
    const auto set = static_cast<std::uint32_t>(s);
    if ((set & low_mask) == 0) {
      for (std::size_t v = 0; v < n; ++v) high[v] = on_top(pairs, set, v);
    }
    if (set == 0) continue;
    const std::int64_t* const row = low.data() + (set & low_mask) * n;
    std::int64_t best = std::numeric_limits<std::int64_t>::max();
    std::uint64_t count = 0;
    for (std::uint32_t left = set; left != 0; left &= left - 1) {
      const auto v = static_cast<std::size_t>(std::countr_zero(left));
      const std::uint32_t rest = set & ~(std::uint32_t{1} << v);
      const std::int64_t sum = cost[rest] + row[v] + high[v];
      if (sum < best) {
        best = sum;
        count = ways[rest];
      } else if (sum == best) {
        count += ways[rest];
      }
    }
    cost[set] = best;
    ways[set] = static_cast<std::uint32_t>(std::min<std::uint64_t>(count, kMany));
  }
  LinearOrder found;
  found.cost = cost[all] + pairs.unavoidable;
  found.n_orders = ways[all] == kMany ? 0 : ways[all];
  found.n_states = std::uint64_t{all} + 1;
  found.order = read_off(
      all, [&](std::uint64_t set) { return cost[set]; },
      [&](std::uint64_t rest, std::size_t v) { return on_top(pairs, rest, v); });
  return found;
}

}  // namespace dragoman::rank
