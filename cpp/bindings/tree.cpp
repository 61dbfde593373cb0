#include "areas.hpp"
#include "arrays.hpp"
#include "dragoman/tree/kernel.hpp"

namespace dragoman::bindings::tree_area {

using namespace nb::literals;

namespace {

auto gram(const tree::Forest& forest, Input<std::int64_t, 1> rows, Input<std::int64_t, 1> columns, bool partial,
          double width, double depth, bool normalised, unsigned n_threads) {
  std::vector<double> values;
  {
    nb::gil_scoped_release unlocked;
    values = forest.gram(partial ? tree::Parts::partial : tree::Parts::subset, {width, depth}, normalised,
                         span_of(rows), span_of(columns), n_threads);
  }
  return to_array(std::move(values), {rows.size(), columns.size()});
}

}  // namespace

void bind(nb::module_& m) {
  nb::class_<tree::Forest>(m, "Forest", "Ordered trees with labelled nodes, parents before their children.")
      .def(
          "__init__",
          [](tree::Forest* self, Input<std::int32_t, 1> labels, Input<std::int32_t, 1> parents,
             Input<std::int64_t, 1> offsets) {
            new (self) tree::Forest(span_of(labels), span_of(parents), span_of(offsets));
          },
          "labels"_a.noconvert(), "parents"_a.noconvert(), "offsets"_a.noconvert())
      .def("__len__", &tree::Forest::size)
      .def("gram", &gram, "rows"_a.noconvert(), "columns"_a.noconvert(), nb::kw_only(), "partial"_a, "width"_a,
           "depth"_a, "normalised"_a, "n_threads"_a = 1, "Tree kernel of all pairs: float64 (rows, columns).");
}

}  // namespace dragoman::bindings::tree_area
