#pragma once

#include <cstddef>
#include <functional>
#include <span>

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

}  // namespace dragoman::tune
