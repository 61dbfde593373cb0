#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dragoman::metrics {

/// A link between two spans that may be used in part, at most wholly; spans are shared between links.
struct CoverageLink {
  std::int32_t left, right;           // the spans it joins: what all links at a span use of it is at most 1
  std::vector<std::int32_t> covered;  // the items that it covers as far as it is used, rising
};

/// The most that links can cover: max Σ_i weights[i] · min(1, Σ_{l covers i} w_l) with w ≥ 0 and Σ_{l at s} w_l ≤ 1 for
/// each span s. Exact up to rounding. Links that nothing competes with are used wholly; what is left falls into
/// independent parts, each solved by the simplex method; a segment_error says that
/// one is too large.
double most_coverage(const std::vector<CoverageLink>& links, std::size_t n_left, std::size_t n_right,
                     const std::vector<double>& weights);

}  // namespace dragoman::metrics
