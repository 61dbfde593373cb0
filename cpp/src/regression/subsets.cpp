#include "dragoman/regression/subsets.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"

namespace dragoman::regression {

namespace {

constexpr unsigned kBlockBits = 10;  // sets of a block: few enough that 1,024 pivots lose no digit that counts
constexpr double kWorst = std::numeric_limits<double>::infinity();

/// Whether the columns of `a` come before those of `b`, both of one size: at the lowest column that only one has.
bool before(std::uint32_t a, std::uint32_t b) {
  const std::uint32_t differ = a ^ b;
  return differ != 0 && (a & (differ & (~differ + 1U))) != 0;
}

/// The sums of a fold with some columns pivoted in: their last column then holds the weights of these.
class Sums {
 public:
  Sums(const HeldOut& fold, std::size_t n) : n_(n), side_(n + 1), cells_(side_ * side_, 0.0) {
    for (std::size_t i = 0; i < n; ++i) {
      std::copy_n(fold.left.begin() + static_cast<std::ptrdiff_t>(i * n), n, &cells_[i * side_]);
      cells_[i * side_ + n] = fold.right[i];
    }
  }

  /// Take a column in, or out again: the principal pivot is its own inverse.
  void pivot(std::size_t k) {
    double* const row = &cells_[k * side_];
    const double inverse = 1.0 / row[k];
    for (std::size_t j = 0; j < side_; ++j) row[j] *= inverse;
    for (std::size_t i = 0; i < n_; ++i) {
      if (i == k) continue;
      double* const other = &cells_[i * side_];
      const double factor = other[k];
      for (std::size_t j = 0; j < side_; ++j) other[j] -= factor * row[j];
      other[k] = -factor * inverse;
    }
    row[k] = inverse;
  }

  double weight(std::size_t k) const { return cells_[k * side_ + n_]; }

 private:
  std::size_t n_;
  std::size_t side_;
  std::vector<double> cells_;
};

class Judge {
 public:
  Judge(std::span<const double> gold, Loss loss, std::span<const double> worth, double sign)
      : gold_(gold), loss_(loss), worth_(worth), sign_(sign), order_(gold.size()), ranks_(gold.size()) {}

  double operator()(std::span<const double> predicted) {
    const auto n = static_cast<double>(gold_.size());
    switch (loss_) {
      case Loss::mae: {
        double sum = 0.0;
        for (std::size_t i = 0; i < gold_.size(); ++i) sum += std::abs(gold_[i] - predicted[i]);
        return sum / n;
      }
      case Loss::rmse: {
        double sum = 0.0;
        for (std::size_t i = 0; i < gold_.size(); ++i) sum += (gold_[i] - predicted[i]) * (gold_[i] - predicted[i]);
        return std::sqrt(sum / n);
      }
      case Loss::pearson:
        return pearson(gold_, predicted);
      case Loss::spearman:
        return pearson(worth_, ranks(predicted));
      case Loss::delta_avg:
        return delta_avg(predicted);
    }
    return kWorst;
  }

 private:
  static double pearson(std::span<const double> gold, std::span<const double> predicted) {
    const auto n = static_cast<double>(gold.size());
    const double x = std::accumulate(predicted.begin(), predicted.end(), 0.0) / n;
    const double y = std::accumulate(gold.begin(), gold.end(), 0.0) / n;
    double xx = 0.0, yy = 0.0, xy = 0.0;
    for (std::size_t i = 0; i < gold.size(); ++i) {
      xx += (predicted[i] - x) * (predicted[i] - x);
      yy += (gold[i] - y) * (gold[i] - y);
      xy += (predicted[i] - x) * (gold[i] - y);
    }
    return xx > 0.0 && yy > 0.0 ? -xy / std::sqrt(xx * yy) : kWorst;
  }

  /// From 1 on; equal predictions share the mean of their ranks.
  std::span<const double> ranks(std::span<const double> predicted) {
    std::iota(order_.begin(), order_.end(), 0U);
    std::sort(order_.begin(), order_.end(),
              [&](std::uint32_t a, std::uint32_t b) { return predicted[a] < predicted[b]; });
    for (std::size_t i = 0, end = 0; i < order_.size(); i = end) {
      while (end < order_.size() && predicted[order_[end]] == predicted[order_[i]]) ++end;
      for (std::size_t j = i; j < end; ++j) ranks_[order_[j]] = 0.5 * static_cast<double>(i + end + 1);
    }
    return ranks_;
  }

  double delta_avg(std::span<const double> predicted) {
    std::iota(order_.begin(), order_.end(), 0U);
    std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
      const double left = sign_ * predicted[a], right = sign_ * predicted[b];
      return left != right ? left > right : a < b;
    });
    if (predicted[order_.front()] == predicted[order_.back()]) return kWorst;
    double sum = 0.0;
    for (std::size_t rank = 0; rank < order_.size(); ++rank) sum += sign_ * gold_[order_[rank]] * worth_[rank];
    return -sum;
  }

  std::span<const double> gold_;
  Loss loss_;
  std::span<const double> worth_;
  double sign_;
  std::vector<std::uint32_t> order_;
  std::vector<double> ranks_;
};

/// Every set whose high columns are `high`: the low ones by Gray code.
class Block {
 public:
  Block(std::span<const HeldOut> folds, std::span<const double> gold, std::size_t n, Judge judge)
      : folds_(folds), n_(n), judge_(std::move(judge)), predicted_(gold.size()) {
    for (const HeldOut& fold : folds) fresh_.emplace_back(fold, n);
  }

  void run(std::uint32_t high, unsigned low_bits, BestSets& best) {
    std::vector<Sums> sums = fresh_;
    for (std::uint32_t rest = high; rest != 0; rest &= rest - 1)
      turn(sums, static_cast<std::size_t>(std::countr_zero(rest)));
    std::uint32_t mask = high;
    if (mask != 0) keep(sums, mask, best);
    for (std::uint32_t step = 1; step < (1U << low_bits); ++step) {
      const auto column = static_cast<std::size_t>(std::countr_zero(step));
      turn(sums, column);
      mask ^= 1U << column;
      if (mask != 0) keep(sums, mask, best);
    }
  }

 private:
  static void turn(std::vector<Sums>& sums, std::size_t column) {
    for (Sums& each : sums) each.pivot(column);
  }

  void keep(const std::vector<Sums>& sums, std::uint32_t mask, BestSets& best) {
    double* out = predicted_.data();
    for (std::size_t f = 0; f < folds_.size(); ++f) {
      const std::size_t rows = folds_[f].held.size() / n_;
      std::fill_n(out, rows, folds_[f].mean);
      for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const auto k = static_cast<std::size_t>(std::countr_zero(rest));
        const double weight = sums[f].weight(k);
        const double* const column = folds_[f].held.data() + k * rows;
        for (std::size_t i = 0; i < rows; ++i) out[i] += weight * column[i];
      }
      out += rows;
    }
    const double loss = judge_(predicted_);
    const auto size = static_cast<std::size_t>(std::popcount(mask)) - 1;
    if (loss < best.losses[size] || (loss == best.losses[size] && before(mask, best.masks[size]))) {
      best.losses[size] = loss;
      best.masks[size] = mask;
    }
  }

  std::span<const HeldOut> folds_;
  std::size_t n_;
  Judge judge_;
  std::vector<double> predicted_;
  std::vector<Sums> fresh_;
};

BestSets nothing_yet(std::size_t n) {
  BestSets best{std::vector<std::uint32_t>(n), std::vector<double>(n, kWorst)};
  for (std::size_t size = 0; size < n; ++size) best.masks[size] = (2U << size) - 1U;
  return best;
}

}  // namespace

BestSets best_subsets(std::span<const HeldOut> folds, std::span<const double> gold, std::size_t n_columns, Loss loss,
                      std::span<const double> worth, double sign, unsigned n_threads) {
  if (n_columns == 0 || n_columns > kMostColumns) throw data_error("Sets are tried of 1 to 24 columns.");
  const auto low_bits = static_cast<unsigned>(std::min<std::size_t>(kBlockBits, n_columns));
  const std::size_t n_blocks = std::size_t{1} << (n_columns - low_bits);
  std::vector<BestSets> found(std::max<std::size_t>(1, std::min<std::size_t>(n_threads, n_blocks)),
                              nothing_yet(n_columns));
  for_each_chunk(n_blocks, n_threads, [&](Chunk chunk) {
    Block block(folds, gold, n_columns, Judge(gold, loss, worth, sign));
    for (std::size_t b = chunk.begin; b < chunk.end; ++b) {
      block.run(static_cast<std::uint32_t>(b) << low_bits, low_bits, found[chunk.index]);
    }
  });
  BestSets best = nothing_yet(n_columns);
  for (const BestSets& each : found) {
    for (std::size_t size = 0; size < n_columns; ++size) {
      const bool earlier = each.losses[size] == best.losses[size] && before(each.masks[size], best.masks[size]);
      if (each.losses[size] >= best.losses[size] && !earlier) continue;
      best.losses[size] = each.losses[size];
      best.masks[size] = each.masks[size];
    }
  }
  return best;
}

}  // namespace dragoman::regression
