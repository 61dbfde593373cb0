#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <string_view>

#include "dragoman/text/line_buffer.hpp"
#include "strings.hpp"

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

/// Lines for a kernel, from a line buffer or from a sequence of str. Made with the GIL, read without it.
class AnyLines {
 public:
  explicit AnyLines(nb::handle lines) : owner_(nb::borrow(lines)) {
    if (nb::isinstance<BytesLines>(lines)) {
      source_ = &nb::cast<const BytesLines&>(lines).lines();
    } else {
      source_ = &strs_.emplace(lines);
    }
  }
  AnyLines(const AnyLines&) = delete;
  AnyLines& operator=(const AnyLines&) = delete;

  const text::LineSource& source() const noexcept { return *source_; }

 private:
  nb::object owner_;
  std::optional<StrLines> strs_;
  const text::LineSource* source_;
};

}  // namespace dragoman::bindings
