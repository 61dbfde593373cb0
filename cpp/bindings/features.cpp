#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "areas.hpp"
#include "arrays.hpp"
#include "dragoman/phrase/engine.hpp"
#include "dragoman/phrase/features.hpp"

namespace dragoman::bindings::features_area {

using namespace nb::literals;
using phrase::SparseParts;
using phrase::SparseWeights;

void bind(nb::module_& m) {
  nb::enum_<SparseParts>(m, "SparseParts", "What stands in the name of a sparse feature.")
      .value("none", SparseParts::none)
      .value("source_target", SparseParts::source_target)
      .value("source_source", SparseParts::source_source)
      .value("target_source", SparseParts::target_source)
      .value("target_target", SparseParts::target_target)
      .value("numbers", SparseParts::numbers);
  nb::class_<SparseWeights>(m, "SparseWeights", "Weights of sparse features.")
      .def(
          "__init__",
          [](SparseWeights* self, Input<std::uint64_t, 1> keys, Input<float, 1> weights) {
            new (self) SparseWeights({keys.data(), keys.size()}, {weights.data(), weights.size()});
          },
          "keys"_a.noconvert(), "weights"_a.noconvert(),
          nb::sig("def __init__(self, keys: NDArray[numpy.uint64], weights: NDArray[numpy.float32]) -> None"));
  m.def(
      "known_features",
      [] {
        std::vector<std::string> names;
        for (const auto name : phrase::known_features()) names.emplace_back(name);
        return names;
      },
      "The features that an engine can be given by name.");
  m.def(
      "sparse_parts", [](const std::string& name) { return phrase::parts_of(name); }, "name"_a,
      "What a feature's sparse values are named by.");
  m.def(
      "feature_resources",
      [](const std::string& name) {
        std::vector<std::string> names;
        for (const auto each : phrase::resources_of(name)) names.emplace_back(each);
        return names;
      },
      "name"_a, "The tables that a feature is made from.");
  m.attr("SPARSE_BITS") = static_cast<int>(phrase::kSparseBits);
  m.attr("SPARSE_SHIFT") = static_cast<int>(phrase::kSparseShift);
}

}  // namespace dragoman::bindings::features_area
