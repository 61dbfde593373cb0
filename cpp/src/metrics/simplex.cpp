#include "simplex.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace dragoman::metrics {

namespace {

constexpr double kTolerance = 1e-9;
constexpr std::size_t kPatience = 50;  // steps without gain before the choice that cannot cycle is made

/// Each row reads: basic variable = value − Σ_j row[j] · (variable that is 0). A variable above its limit is replaced
/// by what it lacks to the limit, so that whatever is not basic is 0.
class Tableau {
 public:
  Tableau(const std::vector<std::vector<std::size_t>>& rows, const std::vector<double>& needs,
          const std::vector<double>& limits)
      : n_rows_(rows.size()),
        n_columns_(limits.size()),
        cells_(n_rows_ * n_columns_),
        values_(n_rows_),
        cost_(n_columns_, 1.0),
        basic_limit_(n_rows_, std::numeric_limits<double>::infinity()),
        limit_(limits) {
    for (std::size_t i = 0; i < n_rows_; ++i) {
      for (const auto j : rows[i]) row(i)[j] = -1.0;
      values_[i] = -needs[i];
    }
  }

  double solve() {
    const std::size_t most = 1000 + 100 * (n_rows_ + n_columns_);
    for (std::size_t step = 0; step < most; ++step) {
      const auto leaving = worst_row();
      if (leaving == n_rows_) return objective_;
      const auto entering = cheapest_column(leaving);
      if (entering == n_columns_)
        throw std::logic_error("A cover that cannot be: a row asks for more than its limits.");
      pivot(leaving, entering);
    }
    throw std::logic_error("The simplex method does not come to an end.");
  }

 private:
  double* row(std::size_t i) { return cells_.data() + i * n_columns_; }

  /// The row that is furthest from what it may be, with its variable below 0; the first one after long standing still.
  std::size_t worst_row() {
    std::size_t worst = n_rows_;
    double most = kTolerance;
    for (std::size_t i = 0; i < n_rows_; ++i) {
      const double excess = std::max(-values_[i], values_[i] - basic_limit_[i]);
      if (excess > most) {
        most = excess, worst = i;
        if (standing_ > kPatience) break;
      }
    }
    if (worst < n_rows_ && values_[worst] > 0) turn(worst);
    return worst;
  }

  void turn(std::size_t i) {
    values_[i] = basic_limit_[i] - values_[i];
    for (std::size_t j = 0; j < n_columns_; ++j) row(i)[j] = -row(i)[j];
  }

  std::size_t cheapest_column(std::size_t i) {
    std::size_t best = n_columns_;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < n_columns_; ++j) {
      if (row(i)[j] >= -kTolerance) continue;
      const double price = cost_[j] / -row(i)[j];
      // Of equal prices the larger cell, which is the safer divisor.
      const bool is_less = price < least - kTolerance;
      if (is_less || (price < least + kTolerance && standing_ <= kPatience && row(i)[j] < row(i)[best])) {
        best = j, least = std::min(least, price);
      }
    }
    return best;
  }

  void pivot(std::size_t leaving, std::size_t entering) {
    double* const pivot_row = row(leaving);
    const double divisor = pivot_row[entering];
    for (std::size_t j = 0; j < n_columns_; ++j) pivot_row[j] /= divisor;
    pivot_row[entering] = 1.0 / divisor;
    values_[leaving] /= divisor;
    for (std::size_t i = 0; i < n_rows_; ++i) {
      if (i != leaving) subtract(row(i), values_[i], pivot_row, values_[leaving], entering, -1.0);
    }
    const double before = objective_;
    subtract(cost_.data(), objective_, pivot_row, values_[leaving], entering, 1.0);
    standing_ = objective_ > before + kTolerance ? 0 : standing_ + 1;
    std::swap(basic_limit_[leaving], limit_[entering]);
  }

  /// Puts the entering variable's row into another one. The value changes by `sign` times the entering variable.
  void subtract(double* target, double& value, const double* pivot_row, double entering_value, std::size_t entering,
                double sign) {
    const double factor = target[entering];
    if (factor == 0.0) return;
    target[entering] = 0.0;
    for (std::size_t j = 0; j < n_columns_; ++j) {
      target[j] -= factor * pivot_row[j];
      if (std::abs(target[j]) < 1e-12) target[j] = 0.0;  // what rounding leaves of nothing
    }
    value += sign * factor * entering_value;
  }

  std::size_t n_rows_, n_columns_;
  std::vector<double> cells_, values_, cost_, basic_limit_, limit_;
  double objective_ = 0.0;
  std::size_t standing_ = 0;
};

}  // namespace

double least_cover(const std::vector<std::vector<std::size_t>>& rows, const std::vector<double>& needs,
                   const std::vector<double>& limits) {
  return Tableau(rows, needs, limits).solve();
}

}  // namespace dragoman::metrics
