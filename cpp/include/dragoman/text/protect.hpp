#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/text/encoding.hpp"

namespace dragoman::text {

/// A run of code points of a line, [begin, end).
struct Span {
  std::size_t begin;
  std::size_t end;
};

/// Things that a tokeniser may be told to leave whole, one bit each. What they match is told in
/// src/dragoman/text/protected.py, whose order this is.
enum Pattern : std::uint32_t {
  kUrl = 1 << 0,
  kEmail = 1 << 1,
  kTag = 1 << 2,
  kPlaceholder = 1 << 3,
  kHandle = 1 << 4,
  kHashtag = 1 << 5,
  kEntity = 1 << 6,
};

/// Append the places where the chosen patterns match, in no particular order, possibly overlapping.
/// Linear in the line; nothing here backtracks.
template <CodeUnit Code>
void find_patterns(std::span<const Code> line, std::uint32_t patterns, std::vector<Span>& found);

/// Sort and thin out: of overlapping spans the leftmost stays, of those that begin together the longest.
void settle_overlaps(std::vector<Span>& spans);

}  // namespace dragoman::text
