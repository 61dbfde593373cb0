#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <tuple>
#include <vector>

#include "areas.hpp"
#include "arrays.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/regression/subsets.hpp"

namespace dragoman::bindings::regression_area {

using namespace nb::literals;

namespace {

using Fold = std::tuple<Input<double, 2>, Input<double, 1>, Input<double, 2>, double>;

regression::Loss loss_called(const std::string& name) {
  if (name == "mae") return regression::Loss::mae;
  if (name == "rmse") return regression::Loss::rmse;
  if (name == "pearson") return regression::Loss::pearson;
  if (name == "spearman") return regression::Loss::spearman;
  if (name == "delta-avg") return regression::Loss::delta_avg;
  throw data_error("Sets are not judged by '" + name + "'.");
}

auto best_subsets(const std::vector<Fold>& folds, Input<double, 1> gold, const std::string& loss,
                  Input<double, 1> worth, double sign, unsigned n_threads) {
  std::vector<regression::HeldOut> parts;
  std::size_t rows = 0;
  std::size_t n = folds.empty() ? 0 : std::get<0>(folds.front()).shape(0);
  for (const auto& [left, right, held, mean] : folds) {
    if (left.shape(0) != n || left.shape(1) != n || right.shape(0) != n || held.shape(0) != n) {
      throw data_error("The sums of a fold have other columns.");
    }
    parts.push_back({{left.data(), left.size()}, span_of(right), {held.data(), held.size()}, mean});
    rows += held.shape(1);
  }
  const regression::Loss judged = loss_called(loss);
  if (rows != gold.size()) throw data_error("The folds have other sentences than the scores.");
  const bool ranks = judged == regression::Loss::delta_avg || judged == regression::Loss::spearman;
  if (ranks && worth.size() != gold.size()) throw data_error("Every rank has a worth.");
  regression::BestSets best;
  {
    nb::gil_scoped_release unlocked;
    best = regression::best_subsets(parts, span_of(gold), n, judged, span_of(worth), sign, n_threads);
  }
  return std::make_tuple(to_array(std::move(best.masks), {n}), to_array(std::move(best.losses), {n}));
}

}  // namespace

void bind(nb::module_& regression) {
  regression.def(
      "best_subsets", &best_subsets, "folds"_a, "gold"_a, "loss"_a, "worth"_a, nb::kw_only(), "sign"_a = 1.0,
      "n_threads"_a = 1,
      "The best set of 1, 2, … columns by ridge regression held out fold by fold: masks (bit i is column i) and "
      "losses. A fold is (Z'Z/n + penalty, Z'y/n, held rows with a row a column, mean).");
}

}  // namespace dragoman::bindings::regression_area
