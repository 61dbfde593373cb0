#include "dragoman/phrase/smoothing.hpp"

#include <algorithm>
#include <cmath>

namespace dragoman::phrase {

namespace {

/// The slope of log n(c) over log c by least squares, with n(c) shared out over the counts that nothing was met at
/// (Gale & Sampson, Journal of Quantitative Linguistics 2, 1995).
double log_slope(const std::vector<std::uint64_t>& n) {
  std::vector<std::size_t> met;
  for (std::size_t c = 1; c < n.size(); ++c) {
    if (n[c] > 0) met.push_back(c);
  }
  if (met.size() < 2) return -1;
  double sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;
  for (std::size_t i = 0; i < met.size(); ++i) {
    const auto c = static_cast<double>(met[i]);
    const double below = i == 0 ? 0 : static_cast<double>(met[i - 1]);
    const double above = i + 1 < met.size() ? static_cast<double>(met[i + 1]) : 2 * c - below;
    const double x = std::log(c), y = std::log(static_cast<double>(n[met[i]]) / (0.5 * (above - below)));
    sum_x += x;
    sum_y += y;
    sum_xx += x * x;
    sum_xy += x * y;
  }
  const auto k = static_cast<double>(met.size());
  return (k * sum_xy - sum_x * sum_y) / (k * sum_xx - sum_x * sum_x);
}

}  // namespace

PhraseSmoothing::PhraseSmoothing(Smoothing kind, const std::vector<std::uint64_t>& counts_of_counts,
                                 std::uint64_t n_pairs, std::uint64_t n_instances)
    : kind_(kind), n_pairs_(static_cast<double>(n_pairs)), n_instances_(static_cast<double>(n_instances)) {
  const auto n = [&](std::size_t c) {
    return c < counts_of_counts.size() ? static_cast<double>(counts_of_counts[c]) : 0.0;
  };
  once_ = n(1);
  slope_ = std::min(log_slope(counts_of_counts), -1.0);  // a flatter line would make counts larger
  // Chen & Goodman's three discounts; where a count of counts is missing, the usual guesses.
  const double y = n(1) > 0 && n(2) > 0 ? n(1) / (n(1) + 2 * n(2)) : 0.5;
  for (std::size_t c = 1; c <= 3; ++c) {
    const double discount = n(c) > 0 && n(c + 1) > 0
                                ? static_cast<double>(c) - (static_cast<double>(c) + 1) * y * n(c + 1) / n(c)
                                : 0.5 * static_cast<double>(c);
    discounts_[c - 1] = std::clamp(discount, 0.0, static_cast<double>(c));
  }
}

double PhraseSmoothing::discounted(const Evidence& met) const noexcept {
  if (kind_ != Smoothing::good_turing) return 0;
  const double c = met.count;
  return met.each() * ((c + 1) * std::pow((c + 1) / c, slope_));  // (c + 1) n(c + 1) / n(c)
}

double PhraseSmoothing::probability(const Evidence& met, const Marginal& given,
                                    std::uint32_t n_pairs_of_phrase) const noexcept {
  const double total = given.total;
  switch (kind_) {
    case Smoothing::good_turing:  // what was never met has the mass of what was met once, shared out by the total
      return discounted(met) / (given.discounted + once_ * total / n_instances_);
    case Smoothing::kneser_ney: {
      double left = 0;
      for (unsigned c = 0; c < 3; ++c) left += discounts_[c] * given.by_count[c];
      const double discount = met.each() * discounts_[std::min<std::uint32_t>(met.count, 3) - 1];
      return (met.mass - discount) / total + left / total * n_pairs_of_phrase / n_pairs_;
    }
    case Smoothing::none:
      break;
  }
  return met.mass / total;
}

}  // namespace dragoman::phrase
