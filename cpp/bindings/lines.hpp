#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <string_view>
#include <vector>

#include "dragoman/core/errors.hpp"

namespace dragoman::bindings {

namespace nb = nanobind;

/// A Python sequence of str, seen as UTF-8. The views stay good while this object lives, also without the GIL.
class Lines {
 public:
  explicit Lines(nb::handle lines) {
    if (PyUnicode_Check(lines.ptr())) throw nb::type_error("expected a sequence of str, got one str");
    // A tuple of our own: the caller's list may change while the GIL is released.
    owner_ = nb::steal<nb::object>(PySequence_Tuple(lines.ptr()));
    if (!owner_.is_valid()) nb::raise_python_error();
    const auto n = static_cast<std::size_t>(PyTuple_GET_SIZE(owner_.ptr()));
    views_.reserve(n);
    for (std::size_t i = 0; i < n; ++i) {
      PyObject* const line = PyTuple_GET_ITEM(owner_.ptr(), static_cast<Py_ssize_t>(i));
      if (!PyUnicode_Check(line)) throw nb::type_error("expected a sequence of str");
      Py_ssize_t size = 0;
      const char* const bytes = PyUnicode_AsUTF8AndSize(line, &size);
      if (bytes == nullptr) {
        PyErr_Clear();
        throw data_error("Line " + std::to_string(i + 1) + " holds a lone surrogate, which is no character.");
      }
      views_.emplace_back(bytes, static_cast<std::size_t>(size));
    }
  }

  const std::vector<std::string_view>& views() const { return views_; }

 private:
  nb::object owner_;
  std::vector<std::string_view> views_;
};

}  // namespace dragoman::bindings
