#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

namespace dragoman::bindings {

namespace nb = nanobind;

/// A read-only NumPy argument: exact type, C order, no silent conversion (bind it with .noconvert()).
template <class T, int Dimensions>
using Input = nb::ndarray<const T, nb::ndim<Dimensions>, nb::c_contig, nb::device::cpu>;

/// The values of an argument, which lives as long as the call.
template <class T>
std::span<const T> span_of(const Input<T, 1>& array) {
  return {array.data(), array.size()};
}

/// A NumPy array that owns what `values` holds.
template <class T>
nb::ndarray<nb::numpy, T> to_array(std::vector<T>&& values, std::initializer_list<std::size_t> shape) {
  auto* const kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::ndarray<nb::numpy, T>(kept->data(), shape, owner);
}

/// A read-only NumPy array that owns what `values` holds.
template <class T>
auto owned_array(std::vector<T>&& values) {
  auto* const kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::ndarray<nb::numpy, const T, nb::ndim<1>>(kept->data(), {kept->size()}, owner);
}

/// A read-only NumPy array of what belongs to `owner`, which lives as long as the array.
template <class T>
auto borrowed_array(std::span<const T> values, nb::handle owner) {
  return nb::ndarray<nb::numpy, const T, nb::ndim<1>>(values.data(), {values.size()}, owner);
}

}  // namespace dragoman::bindings
