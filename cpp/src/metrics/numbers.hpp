#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

// What the metrics that compare words by their numbers share.
namespace dragoman::metrics {

inline std::size_t index(std::signed_integral auto number) { return static_cast<std::size_t>(number); }

/// FNV-1a, over words.
inline std::uint64_t phrase_hash(std::span<const std::int32_t> phrase) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const auto word : phrase) hash = (hash ^ static_cast<std::uint32_t>(word)) * 0x100000001b3u;
  return hash;
}

/// Whether two rising lists have a number in common.
inline bool share_one(std::span<const std::int32_t> a, std::span<const std::int32_t> b) {
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i] == b[j]) return true;
    a[i] < b[j] ? ++i : ++j;
  }
  return false;
}

}  // namespace dragoman::metrics
