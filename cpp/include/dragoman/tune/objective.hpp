#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace dragoman::tune {

/// What is to be made large: values of rows of summed statistics, `into.size()` rows of equal width. A metric that
/// falls with quality comes with its sign turned.
using Objective = std::function<void(std::span<const double> totals, std::span<double> into)>;

enum class Smoothing { none, floor, add_k, exp };

/// BLEU in per cent of summed statistics, with the options of the metric room's `Bleu`, whose rule for every option it
/// follows (a test compares them): length, reference length, matches by order, n-grams by order.
struct BleuObjective {
  std::size_t order = 4;
  Smoothing smoothing = Smoothing::exp;
  double smoothing_value = 0;
  bool effective_order = false;

  std::size_t width() const noexcept { return 2 + 2 * order; }
  double value(const double* totals) const noexcept;
  void operator()(std::span<const double> totals, std::span<double> into) const noexcept;
};

/// The mean of segments' scores, of rows of their sum and their number; `sign` is −1 where less is better.
struct MeanObjective {
  double sign = 1;

  static std::size_t width() noexcept { return 2; }
  void operator()(std::span<const double> totals, std::span<double> into) const noexcept;
};

/// METEOR in per cent of its summed statistics, by the rule of the metric room's `Meteor` (a test compares them): six
/// sums, each with a weight for every statistic, and the parameters α, β, γ.
struct MeteorObjective {
  std::vector<double>
      mixing;  // of hypothesis and reference in turn: matched weight, whole weight; then matches of either
  double alpha = 0, beta = 0, gamma = 0;

  std::size_t width() const noexcept { return mixing.size() / 6; }
  double value(const double* totals) const noexcept;
  void operator()(std::span<const double> totals, std::span<double> into) const noexcept;
};

}  // namespace dragoman::tune
