#pragma once

#include "dragoman/lm/estimate.hpp"

namespace dragoman::lm {

/// Sets the discounts of an order from its counts of counts: D_k = k − (k + 1) · t_1 t_{k+1} / ((t_1 + 2 t_2) t_k)
/// (Chen & Goodman 1998, eq. 26), or the fallback where that is undefined or outside (0, k]. With a discount of 0,
/// which lmplz allows, a context could leave nothing to the words it has not seen.
inline void set_discounts(OrderStatistics& order, const std::array<double, 3>& fallback) {
  const auto t = [&](unsigned k) { return static_cast<double>(order.counts_of_counts[k]); };
  for (unsigned k = 1; k <= 3; ++k) {
    const double y = t(1) / (t(1) + 2 * t(2));
    order.discounts[k - 1] = k - (k + 1) * y * t(k + 1) / t(k);
    if (!(order.discounts[k - 1] > 0 && order.discounts[k - 1] <= k)) order.fell_back = true;
  }
  if (order.fell_back) order.discounts = fallback;
}

inline double discount(const OrderStatistics& order, std::uint64_t count) {
  return count == 0 ? 0.0 : order.discounts[count < 3 ? count - 1 : 2];
}

}  // namespace dragoman::lm
