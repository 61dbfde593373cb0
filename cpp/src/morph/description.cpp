#include "dragoman/morph/description.hpp"

#include <array>
#include <cmath>

namespace dragoman::morph {
namespace {

constexpr std::size_t kSmall = 4096;

template <class Value>
std::array<double, kSmall> small_values(const Value& value) {
  std::array<double, kSmall> table{};
  for (std::size_t x = 1; x < kSmall; ++x) table[x] = value(static_cast<double>(x));
  return table;
}

/// ln x!; Stirling's series beyond the table errs by less than 10⁻¹³.
double log_factorial(std::int64_t x) noexcept {
  static const auto table = small_values([](double n) { return std::lgamma(n + 1); });
  if (x < static_cast<std::int64_t>(kSmall)) return x > 0 ? table[static_cast<std::size_t>(x)] : 0.0;
  const auto n = static_cast<double>(x);
  constexpr double kHalfLogTwoPi = 0.91893853320467274178;
  return (n + 0.5) * std::log(n) - n + kHalfLogTwoPi + 1 / (12 * n);
}

/// ln C(n, k); 0 where there is no choice to make.
double log_choices(std::int64_t n, std::int64_t k) noexcept {
  return k <= 0 || k >= n ? 0.0 : log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

}  // namespace

double x_log_x(std::int64_t x) noexcept {
  static const auto table = small_values([](double n) { return n * std::log(n); });
  if (x < static_cast<std::int64_t>(kSmall)) return x > 0 ? table[static_cast<std::size_t>(x)] : 0.0;
  const auto n = static_cast<double>(x);
  return n * std::log(n);
}

double description_length(const Sums& sums, double corpus_weight) noexcept {
  const double corpus = x_log_x(sums.tokens + sums.words) - sums.token_logs - x_log_x(sums.words);
  const double spelling = x_log_x(sums.letters + sums.types) - sums.letter_logs - x_log_x(sums.types);
  return corpus_weight * corpus + log_choices(sums.tokens - 1, sums.types - 1) + spelling +
         log_choices(sums.letters + sums.types - 1, sums.alphabet) - log_factorial(sums.types);
}

}  // namespace dragoman::morph
