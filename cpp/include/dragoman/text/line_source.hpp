#pragma once

#include <cstddef>
#include <string_view>

#include "dragoman/core/bytes.hpp"

namespace dragoman::text {

/// Lines that kernels read, whatever holds them. Several threads may ask at once, each with a scratch of its own.
class LineSource {
 public:
  virtual ~LineSource() = default;

  virtual std::size_t size() const noexcept = 0;

  /// Line `i` as UTF-8, perhaps written into `scratch`; good until the same scratch is used again.
  /// Throws data_error where the line is no text (a lone surrogate).
  virtual std::string_view line(std::size_t i, Bytes& scratch) const = 0;
};

}  // namespace dragoman::text
