#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace dragoman::align {

/// Weights of jumps from one source place to the next by their width: −max … max one by one, all that are wider in one
/// class for each side. [0] is the class of wide jumps back, [max + 1] that of staying, the last that of wide jumps on.
class Jumps {
 public:
  Jumps() = default;
  explicit Jumps(std::size_t max) : max_(max), weights_(2 * max + 3, 1) { mirror(); }
  explicit Jumps(std::vector<double> weights) : max_((weights.size() - 3) / 2), weights_(std::move(weights)) {
    mirror();
  }

  std::size_t max() const noexcept { return max_; }
  std::span<const double> weights() const noexcept { return weights_; }
  /// The class of a jump to place `to` (from 0 on) from context `from`: 0 before the first word, else place + 1.
  std::size_t index(std::size_t from, std::size_t to) const noexcept {
    const auto width = static_cast<std::ptrdiff_t>(to + 1) - static_cast<std::ptrdiff_t>(from);
    const auto limit = static_cast<std::ptrdiff_t>(max_) + 1;
    return static_cast<std::size_t>(std::clamp(width, -limit, limit) + limit);
  }
  double weight(std::size_t from, std::size_t to) const noexcept { return weights_[index(from, to)]; }

  /// Of each context of a sentence of n words, the sum of the weights of all jumps.
  void normalisers(std::size_t n, std::vector<double>& sums) const;
  /// out[to] = Σ values[from] · weight(from, to), over n + 1 contexts and n places. Linear in n · min(n, max).
  void forward(std::span<const double> values, std::span<double> out) const;
  /// out[from] = Σ weight(from, to) · values[to].
  void backward(std::span<const double> values, std::span<double> out) const;
  /// by class: Σ from[context] · to[place], added to `sums`; a class's weight is not part of it.
  void correlate(std::span<const double> from, std::span<const double> to, std::span<double> sums) const;

 private:
  void mirror();

  std::size_t max_ = 0;
  std::vector<double> weights_, mirrored_;
};

}  // namespace dragoman::align
