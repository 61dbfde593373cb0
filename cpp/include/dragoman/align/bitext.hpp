#pragma once

#include <cstdint>
#include <span>

#include "dragoman/text/word_table.hpp"

namespace dragoman::align {

using text::TokenId;

/// Sentences as ids: the words of sentence i are [offsets[i], offsets[i + 1]).
struct Side {
  std::span<const TokenId> words;
  std::span<const std::int64_t> offsets;

  std::size_t size() const noexcept { return offsets.empty() ? 0 : offsets.size() - 1; }
  std::span<const TokenId> sentence(std::size_t i) const noexcept {
    return words.subspan(static_cast<std::size_t>(offsets[i]), static_cast<std::size_t>(offsets[i + 1] - offsets[i]));
  }
};

/// For every word of one side, the place of the word on the other side that it comes from, or kNull.
inline constexpr std::int32_t kNull = -1;

}  // namespace dragoman::align
