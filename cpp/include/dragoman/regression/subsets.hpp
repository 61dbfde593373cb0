#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dragoman::regression {

/// One fold of cross-validation, in sums that serve every set of columns.
struct HeldOut {
  std::span<const double> left;   ///< columns × columns: Zᵀ Z / n + penalty, of the other folds, centred
  std::span<const double> right;  ///< columns: Zᵀ y / n
  std::span<const double> held;   ///< columns × rows of the fold, centred by the other folds' means
  double mean;                    ///< of the other folds' scores
};

/// What a set is judged by, of the predictions for all folds together. Less is better.
enum class Loss { mae, rmse, pearson, spearman, delta_avg };

/// The best set of each size.
struct BestSets {
  std::vector<std::uint32_t> masks;  ///< of 1, 2, … columns; bit i is column i
  std::vector<double> losses;
};

constexpr std::size_t kMostColumns = 24;

/// Try every set of columns by ridge regression, held out fold by fold. Sets follow each other by one column (Gray
/// code), each step a principal pivot of the sums: O(columns² + columns · rows). Sets are cut into blocks that start
/// from the sums themselves, so that rounding does not pile up and threads do not change a bit. Of equal sets of one
/// size, the one whose columns come first. `worth` has the worth of each rank for `delta_avg` (see stats) and the rank
/// of each score for `spearman`, else it is empty; `sign` is −1 where a high score is bad. Throws `data_error` for more
/// than `kMostColumns` columns.
BestSets best_subsets(std::span<const HeldOut> folds, std::span<const double> gold, std::size_t n_columns, Loss loss,
                      std::span<const double> worth, double sign, unsigned n_threads);

}  // namespace dragoman::regression
