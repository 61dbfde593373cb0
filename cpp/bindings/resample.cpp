#include "dragoman/resample/resample.hpp"

#include "areas.hpp"
#include "arrays.hpp"
#include "dragoman/core/errors.hpp"

namespace dragoman::bindings::resample_area {

using namespace nb::literals;

namespace {

resample::Rows rows_of(const Input<double, 2>& rows) {
  return {{rows.data(), rows.size()}, rows.shape(0), rows.shape(1)};
}

using Kernel = std::vector<double> (*)(const resample::Rows&, resample::Trials, CounterStream, unsigned);

template <Kernel kernel>
auto random_totals(Input<double, 2> rows, std::size_t n_trials, std::uint64_t key, std::size_t first_trial,
                   unsigned n_threads) {
  std::vector<double> totals;
  {
    nb::gil_scoped_release unlocked;
    totals = kernel(rows_of(rows), {first_trial, n_trials}, CounterStream{key}, n_threads);
  }
  return to_array(std::move(totals), {n_trials, rows.shape(1)});
}

auto counted_totals(Input<double, 2> rows, Input<std::uint16_t, 2> counts, unsigned n_threads) {
  if (counts.shape(1) != rows.shape(0)) throw data_error("The counts must have one column per segment.");
  std::vector<double> totals;
  {
    nb::gil_scoped_release unlocked;
    totals = resample::counted_totals(rows_of(rows), {counts.data(), counts.size()}, n_threads);
  }
  return to_array(std::move(totals), {counts.shape(0), rows.shape(1)});
}

auto dealt_totals(Input<double, 2> rows, std::size_t n_slots, std::size_t n_trials, std::uint64_t key,
                  std::size_t first_trial, unsigned n_threads) {
  std::vector<double> totals;
  {
    nb::gil_scoped_release unlocked;
    totals = resample::dealt_totals(rows_of(rows), n_slots, {first_trial, n_trials}, CounterStream{key}, n_threads);
  }
  return to_array(std::move(totals), {n_trials, rows.shape(1)});
}

}  // namespace

void bind(nb::module_& area) {
  area.def("bootstrap_totals", &random_totals<resample::bootstrap_totals>, "rows"_a.noconvert(), "n_trials"_a, "key"_a,
           nb::kw_only(), "first_trial"_a = 0, "n_threads"_a = 1,
           "Column sums of bootstrap samples of the rows: float64 (trials, columns).");
  area.def("coin_totals", &random_totals<resample::coin_totals>, "rows"_a.noconvert(), "n_trials"_a, "key"_a,
           nb::kw_only(), "first_trial"_a = 0, "n_threads"_a = 1,
           "Column sums over random halves of the rows: float64 (trials, columns).");
  area.def("counted_totals", &counted_totals, "rows"_a.noconvert(), "counts"_a.noconvert(), nb::kw_only(),
           "n_threads"_a = 1, "Column sums with given uint16 counts (trials, rows): float64 (trials, columns).");
  area.def("dealt_totals", &dealt_totals, "rows"_a.noconvert(), "n_slots"_a, "n_trials"_a, "key"_a, nb::kw_only(),
           "first_trial"_a = 0, "n_threads"_a = 1,
           "Column sums when each row's `n_slots` groups of columns are dealt anew: float64 (trials, columns).");
}

}  // namespace dragoman::bindings::resample_area
