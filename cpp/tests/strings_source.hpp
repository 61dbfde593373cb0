#pragma once

#include <string>
#include <vector>

#include "dragoman/text/line_source.hpp"

/// Lines for tests.
class Strings final : public dragoman::text::LineSource {
 public:
  explicit Strings(std::vector<std::string> lines) : lines_(std::move(lines)) {}
  std::size_t size() const noexcept override { return lines_.size(); }
  std::string_view line(std::size_t i, dragoman::Bytes&) const override { return lines_[i]; }

 private:
  std::vector<std::string> lines_;
};
