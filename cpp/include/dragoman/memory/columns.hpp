#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "dragoman/memory/side.hpp"

namespace dragoman::memory {

/// How often each unit has a token, for tokens that many units have: one byte a unit, up to 255, so that counting what
/// units share with a query is adding up columns, which processors do quickly.
class Columns {
 public:
  /// Note the last unit of the side.
  void add(const Side& side);

  /// The column of a token; null if few units have it.
  const std::uint8_t* column(TokenId token) const noexcept {
    const auto found = columns_.find(token);
    return found == columns_.end() ? nullptr : found->second.data();
  }
  std::size_t bytes() const noexcept { return columns_.size() * n_units_; }

 private:
  static constexpr std::size_t kFewest = 4096;  // units; below it, lists of units are as quick
  static constexpr std::size_t kShare = 32;     // a token of more than one unit in so many gets a column

  std::size_t n_units_ = 0;
  std::unordered_map<TokenId, std::vector<std::uint8_t>> columns_;
};

}  // namespace dragoman::memory
