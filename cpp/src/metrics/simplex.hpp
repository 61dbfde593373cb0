#pragma once

#include <cstddef>
#include <vector>

namespace dragoman::metrics {

/// min Σ_j x_j subject to Σ_{j in rows[i]} x_j ≥ needs[i] and 0 ≤ x_j ≤ limits[j]: a dense tableau for the dual simplex
/// method, which starts at x = 0. Limits may be infinite. `rows` hold rising column numbers.
double least_cover(const std::vector<std::vector<std::size_t>>& rows, const std::vector<double>& needs,
                   const std::vector<double>& limits);

}  // namespace dragoman::metrics
