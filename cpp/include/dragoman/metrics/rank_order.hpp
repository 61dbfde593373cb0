#pragma once

#include <cstddef>
#include <vector>

namespace dragoman::metrics {

/// Pairs i < j with values[i] < values[j], counted while merging (Knight 1966); equal values do not ascend. O(n log n).
/// Leaves the values sorted; `scratch` is a buffer to keep from call to call.
std::size_t count_ascending_pairs(std::vector<std::size_t>& values, std::vector<std::size_t>& scratch);

/// How alike two orders of the same n words are. `ranks` is the permutation of 0 … n − 1 that the hypothesis' words
/// have in the reference.
struct RankOrder {
  double rho = 1.0;  // Spearman's, from −1 to 1
  double tau = 1.0;  // Kendall's, from −1 to 1
  double v1 = 1.0;   // 1 − Σ|i − rank| / (n(n+1)/2): how far words are from their places
  double v2 = 1.0;   // 1 − Σ|jump − 1| / (n² − 1): how the way from word to word differs
};

/// The measures of a permutation; fewer than two words are in order. `ranks` is left sorted. Chen, Kuhn & Foster,
/// WMT 2012, equations 4–7.
RankOrder measure_order(std::vector<std::size_t>& ranks, std::vector<std::size_t>& scratch);

}  // namespace dragoman::metrics
