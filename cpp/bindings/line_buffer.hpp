#pragma once

#include <nanobind/nanobind.h>

#include <string_view>

#include "dragoman/text/line_buffer.hpp"

namespace dragoman::bindings {

namespace nb = nanobind;

/// Lines of a bytes object of Python's, which lives as long as they do.
class BytesLines {
 public:
  explicit BytesLines(nb::bytes bytes) : owner_(std::move(bytes)), lines_(view(owner_)) {}

  const text::LineBuffer& lines() const noexcept { return lines_; }
  nb::bytes bytes() const { return owner_; }

 private:
  static text::LineBuffer view(const nb::bytes& bytes) {
    const std::string_view content(bytes.c_str(), bytes.size());
    nb::gil_scoped_release unlocked;
    return text::LineBuffer(content);
  }

  nb::bytes owner_;
  text::LineBuffer lines_;
};

}  // namespace dragoman::bindings
