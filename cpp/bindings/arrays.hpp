#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <initializer_list>
#include <utility>
#include <vector>

namespace dragoman::bindings {

namespace nb = nanobind;

/// A read-only NumPy argument: exact type, C order, no silent conversion (bind it with .noconvert()).
template <class T, int Dimensions>
using Input = nb::ndarray<const T, nb::ndim<Dimensions>, nb::c_contig, nb::device::cpu>;

/// A NumPy array that owns what `values` holds.
template <class T>
nb::ndarray<nb::numpy, T> to_array(std::vector<T>&& values, std::initializer_list<std::size_t> shape) {
  auto* const kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::ndarray<nb::numpy, T>(kept->data(), shape, owner);
}

}  // namespace dragoman::bindings
