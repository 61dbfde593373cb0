#pragma once

#include <cstdint>
#include <span>

#include "dragoman/phrase/options.hpp"

namespace dragoman::phrase {

/// Which source words are translated: bits, and what the search often asks about them. Each set of words has one
/// address.
struct Coverage {
  std::span<const std::uint64_t> blocks;
  std::uint32_t number;     // in the order of making
  std::uint32_t first_gap;  // the first word that is not
  std::uint32_t n_covered;
  float future;  // the best that the rest can get

  bool covers(std::size_t word) const noexcept { return (blocks[word / 64] >> (word % 64)) & 1; }
  /// True if no word of [begin, end) is covered.
  bool is_free(std::size_t begin, std::size_t end) const noexcept {
    for (std::size_t word = begin; word < end; ++word) {
      if (covers(word)) return false;
    }
    return true;
  }
  bool is_full(std::size_t begin, std::size_t end) const noexcept {
    for (std::size_t word = begin; word < end; ++word) {
      if (!covers(word)) return false;
    }
    return true;
  }
};

/// The place of a block next to one before it.
inline unsigned orientation_to(Span previous, Span block) {
  return block.begin == previous.end ? kMonotone : block.end == previous.begin ? kSwap : kDiscontinuous;
}

/// The place of a block among the covered words that surround the one before (Cherry et al. 2012, L2R test on the
/// coverage vector before this block).
inline unsigned orientation_to_covered(const Coverage& covered, Span previous, Span block) {
  if (block.begin >= previous.end && covered.is_full(previous.end, block.begin)) return kMonotone;
  if (block.end <= previous.begin && covered.is_full(block.end, previous.begin)) return kSwap;
  return kDiscontinuous;
}

/// The place of the previous block among those behind it, told when the next block comes (R2L test: the words between
/// are still uncovered).
inline unsigned orientation_behind(Orientation kind, const Coverage& covered, Span previous, Span block) {
  if (kind == Orientation::word) return orientation_to(previous, block);
  if (block.begin >= previous.end && covered.is_free(previous.end, block.begin)) return kMonotone;
  if (block.end <= previous.begin && covered.is_free(block.end, previous.begin)) return kSwap;
  return kDiscontinuous;
}

}  // namespace dragoman::phrase
