#include "strings.hpp"

#include <cstring>
#include <span>
#include <string>

#include "dragoman/core/errors.hpp"

namespace dragoman::bindings {
StrLines::StrLines(nb::handle lines) {
  if (PyUnicode_Check(lines.ptr())) throw nb::type_error("expected a sequence of str, got one str");
  owner_ = nb::steal<nb::object>(PySequence_Tuple(lines.ptr()));
  if (!owner_.is_valid()) nb::raise_python_error();
  for (std::size_t i = 0; i < size(); ++i) {
    PyObject* const line = PyTuple_GET_ITEM(owner_.ptr(), static_cast<Py_ssize_t>(i));
    if (!PyUnicode_Check(line)) throw nb::type_error("expected a sequence of str");
#if PY_VERSION_HEX < 0x030C0000
    if (PyUnicode_READY(line) != 0) nb::raise_python_error();
#endif
  }
}

std::size_t StrLines::size() const noexcept { return static_cast<std::size_t>(PyTuple_GET_SIZE(owner_.ptr())); }

std::string_view StrLines::line(std::size_t i, Bytes& scratch) const {
  PyObject* const str = PyTuple_GET_ITEM(owner_.ptr(), static_cast<Py_ssize_t>(i));
  const auto length = static_cast<std::size_t>(PyUnicode_GET_LENGTH(str));
  const void* const data = PyUnicode_DATA(str);
  if (PyUnicode_IS_ASCII(str)) return {static_cast<const char*>(data), length};
  scratch.clear();
  const auto encode = [&]<class Unit>(const Unit* units) {
    return text::append_utf8(std::span<const Unit>(units, length), scratch);
  };
  const auto kind = PyUnicode_KIND(str);
  const bool good = kind == PyUnicode_1BYTE_KIND   ? encode(static_cast<const Py_UCS1*>(data))
                    : kind == PyUnicode_2BYTE_KIND ? encode(static_cast<const Py_UCS2*>(data))
                                                   : encode(static_cast<const Py_UCS4*>(data));
  if (!good) throw data_error("Line " + std::to_string(i + 1) + " holds a lone surrogate, which is no character.");
  return scratch.view();
}

std::optional<std::string_view> StrLines::latin1(std::size_t i) const noexcept {
  PyObject* const str = PyTuple_GET_ITEM(owner_.ptr(), static_cast<Py_ssize_t>(i));
  if (PyUnicode_KIND(str) != PyUnicode_1BYTE_KIND) return std::nullopt;
  return std::string_view(static_cast<const char*>(PyUnicode_DATA(str)),
                          static_cast<std::size_t>(PyUnicode_GET_LENGTH(str)));
}

void StrBlock::clear() noexcept {
  strs_.clear();
  units_.clear();
}

void StrBlock::add(std::string_view utf8) { strs_.push_back(text::append_units(utf8, units_)); }

void StrBlock::emit(std::vector<nb::object>& into) const {
  const char* units = units_.data();
  for (const text::Units& made : strs_) {
    nb::object str = nb::steal<nb::object>(PyUnicode_New(static_cast<Py_ssize_t>(made.length), made.max_char));
    if (!str.is_valid()) nb::raise_python_error();
    const std::size_t bytes = made.length * made.width();
    if (bytes != 0) std::memcpy(PyUnicode_DATA(str.ptr()), units, bytes);
    units += bytes;
    into.push_back(std::move(str));
  }
}

nb::list StrBlock::to_list() const {
  std::vector<nb::object> strs;
  strs.reserve(strs_.size());
  emit(strs);
  return bindings::to_list(std::move(strs));
}

std::string to_utf8(nb::str text) {
  Py_ssize_t size = 0;
  const char* const bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (bytes == nullptr) {
    PyErr_Clear();
    throw data_error("The word holds a lone surrogate, which is no character.");
  }
  return {bytes, static_cast<std::size_t>(size)};
}

nb::list to_list(std::vector<nb::object>&& objects) {
  auto list = nb::steal<nb::list>(PyList_New(static_cast<Py_ssize_t>(objects.size())));
  if (!list.is_valid()) nb::raise_python_error();
  for (std::size_t i = 0; i < objects.size(); ++i) {
    PyList_SET_ITEM(list.ptr(), static_cast<Py_ssize_t>(i), objects[i].release().ptr());
  }
  return list;
}

}  // namespace dragoman::bindings
