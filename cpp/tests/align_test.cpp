#include "dragoman/align/jumps.hpp"
#include "dragoman/align/lexical_table.hpp"

#include <cmath>
#include <vector>

#include "check.hpp"

using namespace dragoman::align;

TEST(sums_over_jumps_are_those_of_the_definition) {
  // Sentences shorter and longer than the widest jump that has a class of its own.
  for (const std::size_t max : {1U, 2U, 5U}) {
    std::vector<double> weights(2 * max + 3);
    for (std::size_t k = 0; k < weights.size(); ++k) weights[k] = 1.0 / static_cast<double>(k + 1);
    const Jumps jumps(weights);
    for (std::size_t n = 0; n < 12; ++n) {
      std::vector<double> from(n + 1), to(n), forward(n), backward(n + 1), sums(weights.size(), 0), norms;
      for (std::size_t k = 0; k <= n; ++k) from[k] = 0.3 + static_cast<double>(k * k % 7);
      for (std::size_t k = 0; k < n; ++k) to[k] = 0.1 + static_cast<double>(k * 5 % 3);
      jumps.forward(from, forward);
      jumps.backward(to, backward);
      jumps.correlate(from, to, sums);
      jumps.normalisers(n, norms);
      std::vector<double> expected_sums(weights.size(), 0);
      for (std::size_t place = 0; place < n; ++place) {
        double expected = 0;
        for (std::size_t k = 0; k <= n; ++k) {
          expected += from[k] * jumps.weight(k, place);
          expected_sums[jumps.index(k, place)] += from[k] * to[place];
        }
        CHECK(std::fabs(forward[place] - expected) < 1e-12);
      }
      for (std::size_t k = 0; k <= n; ++k) {
        double expected = 0, norm = 0;
        for (std::size_t place = 0; place < n; ++place) {
          expected += jumps.weight(k, place) * to[place];
          norm += jumps.weight(k, place);
        }
        CHECK(std::fabs(backward[k] - expected) < 1e-12);
        CHECK(std::fabs(norms[k] - norm) < 1e-12);
      }
      for (std::size_t k = 0; k < sums.size(); ++k) CHECK(std::fabs(sums[k] - expected_sums[k]) < 1e-12);
    }
  }
}

TEST(exp_digamma_of_known_values) {
  // ψ(1) = −γ, ψ(1/2) = −γ − 2 ln 2 (Abramowitz & Stegun 6.3.2, 6.3.3).
  const double gamma = 0.57721566490153286;
  CHECK(std::fabs(exp_digamma(1) - std::exp(-gamma)) < 1e-9);
  CHECK(std::fabs(exp_digamma(0.5) - std::exp(-gamma - 2 * std::log(2.0))) < 1e-9);
  CHECK(std::fabs(exp_digamma(1e6) / (1e6 - 0.5) - 1) < 1e-9);
  CHECK(exp_digamma(1e-6) == 0);
}
