#pragma once

#include <string>
#include <vector>

#include "arrays.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/tune/objective.hpp"

namespace dragoman::bindings {

/// BLEU, METEOR and means of segments run in the core; any other objective is a function from (rows, statistics) to
/// (rows), called with the GIL.
inline tune::Objective objective_of(nb::handle given, std::size_t n_stats) {
  if (nb::isinstance<tune::BleuObjective>(given)) {
    const auto bleu = nb::cast<tune::BleuObjective>(given);
    if (bleu.width() != n_stats) throw data_error("BLEU's statistics have another order than its objective.");
    return bleu;
  }
  if (nb::isinstance<tune::MeanObjective>(given)) {
    if (tune::MeanObjective::width() != n_stats) throw data_error("A mean has two statistics: a sum and a number.");
    return nb::cast<tune::MeanObjective>(given);
  }
  if (nb::isinstance<tune::MeteorObjective>(given)) {
    const auto meteor = nb::cast<tune::MeteorObjective>(given);
    if (meteor.width() != n_stats) throw data_error("METEOR's statistics have another width than its objective.");
    return meteor;
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
