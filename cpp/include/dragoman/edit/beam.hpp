#pragma once

#include <algorithm>
#include <cmath>

namespace dragoman::edit {

/// The cells of the edit-distance matrix that TER looks at: a strip around the diagonal that leads from corner to
/// corner. Rows are hypothesis words, columns reference words; row 0 is whole. A path may only use cells of the strip,
/// so that the distance of long sentences can exceed the true one. This is sacreBLEU's strip (lib_ter.py of 2.6.0);
/// its right edge is one column nearer than its left one, and it widens where one word faces more than 50.
class Beam {
 public:
  static constexpr int kWidth = 25;  // columns on either side of the diagonal

  Beam(int n_hyp, int n_ref) : n_hyp_(n_hyp), n_ref_(n_ref) {
    slope_ = n_hyp > 0 ? static_cast<double>(n_ref) / n_hyp : 1.0;
    width_ = kWidth < slope_ / 2 ? static_cast<int>(std::ceil(slope_ / 2 + kWidth)) : kWidth;
  }

  int width() const noexcept { return width_; }

  /// First column of row i.
  int first(int i) const noexcept { return i == 0 ? 0 : std::max(0, diagonal(i) - width_); }

  /// The column behind the last one of row i.
  int end(int i) const noexcept {
    return i == 0 || i == n_hyp_ ? n_ref_ + 1 : std::min(n_ref_ + 1, diagonal(i) + width_);
  }

  /// True if every row is whole.
  bool covers_all() const noexcept { return n_hyp_ == 0 || (first(n_hyp_) == 0 && end(1) == n_ref_ + 1); }

 private:
  int diagonal(int i) const noexcept { return static_cast<int>(std::floor(i * slope_)); }

  int n_hyp_;
  int n_ref_;
  int width_;
  double slope_;
};

}  // namespace dragoman::edit
