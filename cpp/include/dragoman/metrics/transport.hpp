#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dragoman::metrics {

/// What a unit that goes from an item of the left to one of the right is worth: more than nothing.
struct TransportEdge {
  std::int32_t left, right;
  std::int64_t worth;
};

/// The most that can be gained by sending what the left has to the right, which takes so much of it: the optimum of the
/// linear program max Σ worth · w with w ≥ 0, Σ_right w ≤ supply and Σ_left w ≤ demand. Exact, in whole numbers, by
/// paths that gain most.
std::int64_t most_transport(const std::vector<std::int64_t>& supply, const std::vector<std::int64_t>& demand,
                            const std::vector<TransportEdge>& edges);

}  // namespace dragoman::metrics
