#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace dragoman::rank {

/// What it costs to place one of two items below the other: `cost[u * n + v]` when u stands below v, both ways given,
/// none negative, at most 2^48 each. Items are numbered by preference: of two equally good orders, the one whose first
/// differing item has the lower number is returned.
struct PairCosts {
  std::span<const std::int64_t> cost;
  std::size_t n;
};

/// An order of least cost (best item first), proven by exhaustion of cheaper ones.
struct LinearOrder {
  std::vector<std::int32_t> order;
  std::int64_t cost = 0;
  std::uint64_t n_orders = 0;  // how many orders cost the same; 0 when they were too many to count
  std::uint64_t n_states = 0;  // sets looked at
};

/// Lopez (WMT 2012), Algorithm 1, from the bottom up: Dijkstra over the sets of items that fill the lowest places.
/// At most `kSearchItems` items. Quick when few pairs contradict the best order; gives up (nullopt) beyond `max_states`
/// sets.
std::optional<LinearOrder> search_order(const PairCosts& pairs, std::size_t max_states);

/// The same answer from a table of all 2^n sets: at most `kTableItems` items, n 2^(n-1) steps, 12 · 2^n bytes.
LinearOrder tabulate_order(const PairCosts& pairs);

inline constexpr std::size_t kTableItems = 25;
inline constexpr std::size_t kSearchItems = 63;

}  // namespace dragoman::rank
