#pragma once

#include <string>
#include <vector>

#include "arrays.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/tune/objective.hpp"

namespace dragoman::bindings {

/// BLEU runs in the core; any other objective is a function from (rows, statistics) to (rows), called with the GIL.
inline tune::Objective objective_of(nb::handle given, std::size_t n_stats) {
  if (nb::isinstance<tune::BleuObjective>(given)) {
    const auto bleu = nb::cast<tune::BleuObjective>(given);
    if (bleu.width() != n_stats) throw data_error("BLEU's statistics have another order than its objective.");
    return bleu;
  }
  return [given, n_stats](std::span<const double> totals, std::span<double> into) {
    nb::gil_scoped_acquire locked;
    std::vector<double> copy(totals.begin(), totals.end());
    const auto answer = given(to_array(std::move(copy), {into.size(), n_stats}));
    const auto values = nb::cast<nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>>(answer);
    if (values.size() != into.size()) throw data_error("An objective must give one value for each row.");
    std::copy_n(values.data(), into.size(), into.begin());
  };
}

inline void check_width(std::size_t got, std::size_t wanted, const char* what) {
  if (got == wanted) return;
  throw data_error("There are " + std::to_string(wanted) + " features, got " + std::to_string(got) + " " + what + ".");
}

}  // namespace dragoman::bindings
