#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dragoman/core/bytes.hpp"
#include "dragoman/text/code_units.hpp"
#include "dragoman/text/line_source.hpp"

namespace dragoman::bindings {

namespace nb = nanobind;

/// A Python sequence of str as a source of lines. ASCII strings are read where they are, others are encoded into the
/// reader's scratch; nothing is cached inside the Python strings. Made with the GIL, read without it.
class StrLines final : public text::LineSource {
 public:
  explicit StrLines(nb::handle lines);

  std::size_t size() const noexcept override;
  std::string_view line(std::size_t i, Bytes& scratch) const override;
  /// Line `i` in Latin-1 if Python keeps it so, in place.
  std::optional<std::string_view> latin1(std::size_t i) const noexcept;

 private:
  nb::object owner_;  // a tuple of our own: the caller's list may change while the GIL is released
};

/// Strings on their way to Python: recoded without the GIL, then made objects with it.
class StrBlock {
 public:
  void clear() noexcept;
  /// Add a string, valid UTF-8.
  void add(std::string_view utf8);
  /// Add a string in Latin-1 that `write(Bytes&)` appends; if that returns false, nothing is added.
  template <class Write>
  bool add_latin1(const Write& write) {
    const std::size_t before = units_.size();
    if (!write(units_)) return false;
    strs_.push_back(text::latin1_units(units_.view().substr(before)));
    return true;
  }
  /// Append the strings to `into` as Python objects.
  void emit(std::vector<nb::object>& into) const;
  nb::list to_list() const;

 private:
  std::vector<text::Units> strs_;
  Bytes units_;
};

/// One string as UTF-8; throws data_error at a lone surrogate.
std::string to_utf8(nb::str text);

/// A list that takes over the objects.
nb::list to_list(std::vector<nb::object>&& objects);

}  // namespace dragoman::bindings
