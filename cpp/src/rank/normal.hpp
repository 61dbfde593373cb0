#pragma once

#include <cmath>
#include <limits>
#include <numbers>

namespace dragoman::rank {

inline double normal_pdf(double x) noexcept {
  return std::exp(-0.5 * x * x) * (0.5 * std::numbers::inv_sqrtpi * std::numbers::sqrt2);
}

inline double normal_cdf(double x) noexcept { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

/// The quantile of the standard normal: bisection to the last bit, for set-up, not for loops. p in (0, 1).
inline double normal_quantile(double p) noexcept {
  double low = -40, high = 40;
  for (int step = 0; step < 200 && low < high; ++step) {
    const double middle = 0.5 * (low + high);
    (normal_cdf(middle) < p ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace dragoman::rank
