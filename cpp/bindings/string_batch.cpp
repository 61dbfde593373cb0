#include "string_batch.hpp"

#include <algorithm>
#include <array>

#include "dragoman/core/errors.hpp"

namespace dragoman::bindings {
namespace {

/// Python stores a string as narrow as its highest character allows, and relies on it.
template <class Target, class Code>
void copy(std::span<const Code> codes, PyObject* str) {
  std::ranges::transform(codes, static_cast<Target*>(PyUnicode_DATA(str)),
                         [](Code code) { return static_cast<Target>(code); });
}

}  // namespace

StringBatch::StringBatch(nb::handle sequence) {
  if (PyUnicode_Check(sequence.ptr())) throw nb::type_error("expected a sequence of str, got one str");
  // A tuple of our own: the caller's list may change while the GIL is released.
  owner_ = nb::steal<nb::object>(PySequence_Tuple(sequence.ptr()));
  if (!owner_.is_valid()) nb::raise_python_error();
  const Py_ssize_t n = PyTuple_GET_SIZE(owner_.ptr());
  strings_.reserve(static_cast<std::size_t>(n));
  for (Py_ssize_t i = 0; i < n; ++i) {
    PyObject* const str = PyTuple_GET_ITEM(owner_.ptr(), i);
    if (!PyUnicode_Check(str)) throw nb::type_error("expected a sequence of str");
#if PY_VERSION_HEX < 0x030C0000
    if (PyUnicode_READY(str) != 0) nb::raise_python_error();
#endif
    strings_.push_back({PyUnicode_DATA(str), static_cast<std::size_t>(PyUnicode_GET_LENGTH(str)),
                        static_cast<unsigned>(PyUnicode_KIND(str))});
  }
}

template <class Code>
void StringBatch::check(std::size_t i, std::span<const Code> string) {
  bool has_surrogate = false;  // no early end: this way the loop runs on many characters at once
  for (const Code code : string) has_surrogate |= code >= 0xD800 && code < 0xE000;
  if (has_surrogate) {
    throw data_error("Line " + std::to_string(i + 1) + " holds a lone surrogate, which is no character.");
  }
}

template void StringBatch::check(std::size_t, std::span<const std::uint16_t>);
template void StringBatch::check(std::size_t, std::span<const std::uint32_t>);

void StringBatch::widen(std::size_t i, std::u32string& buffer) const {
  buffer.resize(strings_[i].length);
  visit(i, [&](const auto& string) { std::ranges::copy(string, buffer.begin()); });
}

template <class Code>
nb::object to_str(std::span<const Code> codes) {
  Code all = 0;
  for (const Code code : codes) all |= code;
  const Py_UCS4 highest = all < 0x80 ? 0x7F : all < 0x100 ? 0xFF : all < 0x10000 ? 0xFFFF : 0x10FFFF;
  nb::object str = nb::steal<nb::object>(PyUnicode_New(static_cast<Py_ssize_t>(codes.size()), highest));
  if (!str.is_valid()) nb::raise_python_error();
  if (highest <= 0xFF) {
    copy<std::uint8_t>(codes, str.ptr());
  } else if (highest == 0xFFFF) {
    copy<std::uint16_t>(codes, str.ptr());
  } else {
    copy<std::uint32_t>(codes, str.ptr());
  }
  return str;
}

template nb::object to_str(std::span<const std::uint8_t>);
template nb::object to_str(std::span<const std::uint16_t>);
template nb::object to_str(std::span<const std::uint32_t>);
template nb::object to_str(std::span<const char32_t>);

void Answers::emit(const nb::list& into, std::size_t i) {
  std::array<std::size_t, 5> begins{};  // by width
  for (const auto& [end, width] : ends_) {
    const auto cut = [&, end = end, width = width](const auto& text) {
      return to_str(std::span(text).subspan(begins[width], end - begins[width]));
    };
    nb::object str = width == 1 ? cut(narrow_) : width == 2 ? cut(wide_) : cut(widest_);
    PyList_SET_ITEM(into.ptr(), static_cast<Py_ssize_t>(i++), str.release().ptr());
    begins[width] = end;
  }
  narrow_.clear();
  wide_.clear();
  widest_.clear();
  ends_.clear();
}

}  // namespace dragoman::bindings
