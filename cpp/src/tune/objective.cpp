#include "dragoman/tune/objective.hpp"

#include <cmath>

namespace dragoman::tune {

double BleuObjective::value(const double* totals) const noexcept {
  const double hyp = totals[0], ref = totals[1];
  const double* const correct = totals + 2;
  const double* const count = correct + order;
  bool matched = false;
  for (std::size_t n = 0; n < order; ++n) matched = matched || correct[n] > 0;
  if (!matched) return 0;
  double halving = 1, product = 1, log_sum = 0;
  std::size_t used = effective_order ? 1 : order;
  for (std::size_t n = 0; n < order; ++n) {
    double found = correct[n], all = count[n];
    if (smoothing == Smoothing::add_k && n > 0) {
      found += smoothing_value;
      all += smoothing_value;
    }
    if (all <= 0) {
      if (!effective_order) return 0;
      break;
    }
    if (effective_order) used = n + 1;
    if (found == 0) {
      if (smoothing == Smoothing::exp) {
        halving *= 2;
        found = 1 / halving;
      } else if (smoothing == Smoothing::floor) {
        found = smoothing_value;
      }
      if (found == 0) return 0;
    }
    product *= found / all;
    if (product < 1e-200) {  // far orders of short texts; one logarithm of the whole is cheaper than one for each
      log_sum += std::log(product);
      product = 1;
    }
  }
  log_sum += std::log(product);
  const double penalty = hyp < ref ? (hyp > 0 ? std::exp(1 - ref / hyp) : 0) : 1;
  return 100.0 * penalty * std::exp(log_sum / static_cast<double>(used));
}

void BleuObjective::operator()(std::span<const double> totals, std::span<double> into) const noexcept {
  for (std::size_t i = 0; i < into.size(); ++i) into[i] = value(totals.data() + i * width());
}

}  // namespace dragoman::tune
