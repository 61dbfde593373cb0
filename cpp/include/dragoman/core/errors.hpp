#pragma once

#include <stdexcept>
#include <string>

namespace dragoman {

/// The caller's data is wrong. The message says which item; the Python room adds which file.
/// Our own faults are std::logic_error.
class data_error : public std::runtime_error {
 public:
  explicit data_error(const std::string& message) : std::runtime_error(message) {}
};

/// A segment that a kernel cannot take, a data error; what hands out segments adds which one it was.
class segment_error : public data_error {
 public:
  explicit segment_error(const std::string& message) : data_error(message) {}
};

}  // namespace dragoman
