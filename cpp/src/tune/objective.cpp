#include "dragoman/tune/objective.hpp"

#include <algorithm>
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

void MeanObjective::operator()(std::span<const double> totals, std::span<double> into) const noexcept {
  for (std::size_t i = 0; i < into.size(); ++i) {
    const double n = totals[2 * i + 1];
    into[i] = n > 0 ? sign * totals[2 * i] / n : 0.0;
  }
}

double MeteorObjective::value(const double* totals) const noexcept {
  double sums[6] = {};
  for (std::size_t k = 0; k < 6; ++k) {
    for (std::size_t s = 0; s < width(); ++s) sums[k] += mixing[k * width() + s] * totals[s];
  }
  const auto [hyp, hyp_whole, ref, ref_whole, hyp_matches, ref_matches] = sums;
  const double precision = hyp_whole > 0 ? hyp / hyp_whole : 0, recall = ref_whole > 0 ? ref / ref_whole : 0;
  const double whole = (1 - alpha) * recall + alpha * precision;
  const double mean = whole > 0 ? precision * recall / whole : 0;
  const double chunks = totals[width() - 1], matches = (hyp_matches + ref_matches) / 2;
  const bool is_same = hyp_matches == totals[0] && ref_matches == totals[1] && chunks == 1;
  const double fragmentation = is_same || matches <= 0 ? 0 : chunks / matches;
  return 100.0 * std::max(mean * (1 - gamma * std::pow(fragmentation, beta)), 0.0);
}

void MeteorObjective::operator()(std::span<const double> totals, std::span<double> into) const noexcept {
  for (std::size_t i = 0; i < into.size(); ++i) into[i] = value(totals.data() + i * width());
}

}  // namespace dragoman::tune
