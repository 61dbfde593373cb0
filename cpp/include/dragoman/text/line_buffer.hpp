#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "dragoman/text/line_source.hpp"

namespace dragoman::text {

/// Lines of a run of UTF-8, as they lie there: nothing is copied, and whoever holds the bytes must outlive this. A line
/// ends at LF; carriage returns before it are dropped, the last line may lack its end.
class LineBuffer final : public LineSource {
 public:
  /// Throws data_error if the bytes are not UTF-8.
  explicit LineBuffer(std::string_view bytes);

  std::size_t size() const noexcept override { return begins_.size() - 1; }
  std::string_view line(std::size_t i, Bytes& scratch) const override;

 private:
  std::string_view bytes_;
  std::vector<std::size_t> begins_;  // of the lines, and where one more would begin
};

/// The length of the longest beginning of `bytes` that is UTF-8 (no overlong forms, no surrogates).
std::size_t valid_utf8(std::string_view bytes) noexcept;

}  // namespace dragoman::text
