#include "string_batch.hpp"

#include <array>

namespace dragoman::bindings {
namespace {

template <class Code>
bool has_surrogate(std::span<const Code> codes) {
  bool found = false;  // no early end: this way the loop runs on many characters at once
  for (const Code code : codes) found |= code >= 0xD800 && code < 0xE000;
  return found;
}

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
    const String string{PyUnicode_DATA(str), static_cast<std::size_t>(PyUnicode_GET_LENGTH(str)),
                        static_cast<unsigned>(PyUnicode_KIND(str))};
    if ((string.width == 2 && has_surrogate(string.as<std::uint16_t>())) ||
        (string.width == 4 && has_surrogate(string.as<std::uint32_t>()))) {
      throw data_error("Line " + std::to_string(i + 1) + " holds a lone surrogate, which is no character.");
    }
    strings_.push_back(string);
  }
}

void StringBatch::widen(std::size_t i, std::u32string& buffer) const {
  const String& string = strings_[i];
  const auto fill = [&](const auto& codes) { std::ranges::copy(codes, buffer.begin()); };
  buffer.resize(string.length);
  if (string.width == 1) {
    fill(string.as<std::uint8_t>());
  } else if (string.width == 2) {
    fill(string.as<std::uint16_t>());
  } else {
    fill(string.as<std::uint32_t>());
  }
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

Strings to_list(std::vector<Answers>& chunks, std::size_t n_strings) {
  nb::list result = nb::steal<nb::list>(PyList_New(static_cast<Py_ssize_t>(n_strings)));
  if (!result.is_valid()) nb::raise_python_error();
  Py_ssize_t i = 0;
  for (Answers& chunk : chunks) {
    std::array<std::size_t, 5> begins{};  // by width
    for (const auto& [end, width] : chunk.ends) {
      const auto cut = [&, end = end, width = width](const auto& text) {
        return to_str(std::span(text).subspan(begins[width], end - begins[width]));
      };
      nb::object str = width == 1 ? cut(chunk.narrow) : width == 2 ? cut(chunk.wide) : cut(chunk.widest);
      PyList_SET_ITEM(result.ptr(), i++, str.release().ptr());
      begins[width] = end;
    }
    chunk = Answers{};  // memory goes back as the strings are made
  }
  return Strings(std::move(result));
}

Strings to_list(std::vector<WideAnswers>& chunks, std::size_t n_strings) {
  nb::list result = nb::steal<nb::list>(PyList_New(static_cast<Py_ssize_t>(n_strings)));
  if (!result.is_valid()) nb::raise_python_error();
  Py_ssize_t i = 0;
  for (WideAnswers& chunk : chunks) {
    std::size_t begin = 0;
    for (const std::size_t end : chunk.ends) {
      nb::object str = to_str(std::span<const char32_t>(chunk.text).subspan(begin, end - begin));
      PyList_SET_ITEM(result.ptr(), i++, str.release().ptr());
      begin = end;
    }
    chunk = WideAnswers{};
  }
  return Strings(std::move(result));
}

}  // namespace dragoman::bindings
