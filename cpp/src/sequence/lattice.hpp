#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "dragoman/sequence/labeller.hpp"

namespace dragoman::sequence {

/// Scores of one sentence's labels and the sums over all labellings; keeps its space from sentence to sentence.
class Lattice {
 public:
  explicit Lattice(std::size_t n_labels) : k_(n_labels) {}

  std::size_t length() const { return length_; }

  void resize(std::size_t length) {
    length_ = length;
    scores_.assign(length * k_, 0.0);
  }

  /// The score of a label of a token, transitions aside.
  double* scores(std::size_t token) { return scores_.data() + token * k_; }
  const double* scores(std::size_t token) const { return scores_.data() + token * k_; }

  /// Fill forward and backward tables. `plus` joins two ways, in logarithms: a sum or a maximum.
  template <class Plus>
  void run(const std::vector<double>& transitions, const Plus& plus) {
    forward_.assign(length_ * k_, 0.0);
    backward_.assign(length_ * k_, 0.0);
    const double* const into_first = transitions.data() + k_ * k_;
    for (std::size_t t = 0; t < length_; ++t) {
      for (std::size_t y = 0; y < k_; ++y) {
        double sum = t == 0 ? into_first[y] : forward_[(t - 1) * k_] + transitions[y];
        for (std::size_t x = 1; t > 0 && x < k_; ++x) {
          sum = plus(sum, forward_[(t - 1) * k_ + x] + transitions[x * k_ + y]);
        }
        forward_[t * k_ + y] = sum + scores_[t * k_ + y];
      }
    }
    for (std::size_t t = length_ - 1; t-- > 0;) {
      for (std::size_t x = 0; x < k_; ++x) {
        double sum = after(transitions, t, x, 0);
        for (std::size_t y = 1; y < k_; ++y) sum = plus(sum, after(transitions, t, x, y));
        backward_[t * k_ + x] = sum;
      }
    }
    total_ = forward_[(length_ - 1) * k_];
    for (std::size_t y = 1; y < k_; ++y) total_ = plus(total_, forward_[(length_ - 1) * k_ + y]);
  }

  double total() const { return total_; }

  /// All labellings in which the token has the label.
  double through(std::size_t token, std::size_t label) const {
    return forward_[token * k_ + label] + backward_[token * k_ + label];
  }

  /// All labellings in which the token has the label x and the next has y.
  double through(const std::vector<double>& transitions, std::size_t token, std::size_t x, std::size_t y) const {
    return forward_[token * k_ + x] + after(transitions, token, x, y);
  }

  static double log_sum(double a, double b) {
    const double high = std::max(a, b), low = std::min(a, b);
    return high + std::log1p(std::exp(low - high));
  }

  static double maximum(double a, double b) { return std::max(a, b); }

 private:
  double after(const std::vector<double>& transitions, std::size_t t, std::size_t x, std::size_t y) const {
    return transitions[x * k_ + y] + scores_[(t + 1) * k_ + y] + backward_[(t + 1) * k_ + y];
  }

  std::size_t k_, length_ = 0;
  double total_ = 0;
  std::vector<double> scores_, forward_, backward_;
};

/// Call `use(feature, value)` for every feature of a token.
template <class Use>
void for_features(const Sequences& sequences, std::int64_t token, const Use& use) {
  for (std::int64_t f = sequences.tokens[token]; f < sequences.tokens[token + 1]; ++f) {
    use(sequences.ids[f], static_cast<double>(sequences.values[f]));
  }
}

}  // namespace dragoman::sequence
