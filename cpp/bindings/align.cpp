#include <nanobind/stl/vector.h>

#include "areas.hpp"
#include "arrays.hpp"
#include "dragoman/align/diagonal.hpp"
#include "dragoman/align/symmetrise.hpp"
#include "dragoman/core/errors.hpp"

namespace dragoman::bindings {

using namespace nb::literals;
using align::Side;
using text::TokenId;

namespace {

using Ids = Input<TokenId, 1>;
using Offsets = Input<std::int64_t, 1>;

Side side(const Ids& ids, const Offsets& offsets) {
  return {{ids.data(), ids.size()}, {offsets.data(), offsets.size()}};
}

nb::tuple diagonal(Ids source, Offsets source_offsets, Ids target, Offsets target_offsets,
                   const align::DiagonalOptions& options) {
  if (source_offsets.size() != target_offsets.size()) throw data_error("Source and target must have one line each.");
  std::vector<std::int32_t> links;
  std::vector<double> log_likelihoods, tensions;
  {
    nb::gil_scoped_release unlocked;
    const Side from = side(source, source_offsets), to = side(target, target_offsets);
    const auto model = align::train_diagonal(from, to, options);
    links = align::align_diagonal(model, from, to, options.n_threads);
    for (const auto& round : model.rounds) {
      log_likelihoods.push_back(round.log_likelihood);
      tensions.push_back(round.tension);
    }
  }
  return nb::make_tuple(owned_array(std::move(links)), log_likelihoods, tensions);
}

nb::tuple symmetrise(Input<std::int32_t, 1> forward, Input<std::int32_t, 1> backward, Offsets source_offsets,
                     Offsets target_offsets, align::Symmetrisation method, unsigned n_threads) {
  align::Links links;
  {
    nb::gil_scoped_release unlocked;
    links = align::symmetrise({forward.data(), forward.size()}, {backward.data(), backward.size()},
                              {source_offsets.data(), source_offsets.size()},
                              {target_offsets.data(), target_offsets.size()}, method, n_threads);
  }
  const std::size_t n = links.points.size() / 2;
  return nb::make_tuple(to_array(std::move(links.points), {n, 2}), owned_array(std::move(links.offsets)));
}

}  // namespace

void bind_align(nb::module_& m) {
  nb::class_<align::DiagonalOptions>(m, "DiagonalOptions")
      .def(nb::init<>())
      .def_rw("n_rounds", &align::DiagonalOptions::n_rounds)
      .def_rw("p_null", &align::DiagonalOptions::p_null)
      .def_rw("tension", &align::DiagonalOptions::tension)
      .def_rw("learn_tension", &align::DiagonalOptions::learn_tension)
      .def_rw("alpha", &align::DiagonalOptions::alpha)
      .def_rw("n_threads", &align::DiagonalOptions::n_threads);
  m.def("diagonal", &diagonal, "source"_a.noconvert(), "source_offsets"_a.noconvert(), "target"_a.noconvert(),
        "target_offsets"_a.noconvert(), "options"_a,
        nb::sig("def diagonal(source: NDArray[numpy.int32], source_offsets: NDArray[numpy.int64], target:"
                " NDArray[numpy.int32], target_offsets: NDArray[numpy.int64], options: DiagonalOptions) ->"
                " tuple[NDArray[numpy.int32], list[float], list[float]]"),
        "For each target word its source word or -1; log-likelihood and tension of each round.");
  nb::enum_<align::Symmetrisation>(m, "Symmetrisation")
      .value("intersection", align::Symmetrisation::intersection)
      .value("union", align::Symmetrisation::join)
      .value("grow_diag", align::Symmetrisation::grow_diag)
      .value("grow_diag_final", align::Symmetrisation::grow_diag_final)
      .value("grow_diag_final_and", align::Symmetrisation::grow_diag_final_and);
  m.def("symmetrise", &symmetrise, "forward"_a.noconvert(), "backward"_a.noconvert(), "source_offsets"_a.noconvert(),
        "target_offsets"_a.noconvert(), "method"_a, nb::kw_only(), "n_threads"_a = 1,
        nb::sig("def symmetrise(forward: NDArray[numpy.int32], backward: NDArray[numpy.int32], source_offsets:"
                " NDArray[numpy.int64], target_offsets: NDArray[numpy.int64], method: Symmetrisation, *, n_threads: int"
                " = 1) -> tuple[NDArray[numpy.uint16], NDArray[numpy.int64]]"),
        "Links of both directions as one set: points and offsets.");
}

}  // namespace dragoman::bindings
