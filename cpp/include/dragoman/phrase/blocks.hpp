#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "dragoman/core/arena.hpp"
#include "dragoman/phrase/options.hpp"

namespace dragoman::phrase {

/// A block of source words that is translated in one piece, on top of those before it that it cannot be joined with.
/// Stacks share their lower parts and are unique: equal stacks have one address.
struct Block {
  Span span;
  Span room;  // where an inversion transduction grammar lets the next block be; see BlockStacks::allows
  const Block* below;
  std::uint32_t number;  // in the order of making
};

/// The permutation parser of Cherry, Moore & Quirk (WMT 2012): shift a block, then join those on top of the stack.
class BlockStacks {
 public:
  /// Forget all stacks; the next sentence has so many words.
  void start(std::size_t n_words, Hierarchy hierarchy, bool itg);

  /// The stack of nothing translated: [0, 0), which a first block at the beginning joins.
  const Block* empty() const noexcept { return empty_; }
  const Block* shift(const Block* top, Span block);
  /// True if a grammar can build what comes of this shift: the block lies in the room left or right of the top (the
  /// paper's one-stack constraint).
  bool allows(const Block* top, Span block) const noexcept {
    const bool left = top->room.begin <= block.begin && block.end <= top->span.begin;
    const bool right = top->span.end <= block.begin && block.end <= top->room.end;
    return !itg_ || left || right;
  }

 private:
  const Block* unique(Span span, Span room, const Block* below);
  /// Join the fewest blocks on top that make one; null: none do.
  const Block* reduced(const Block* top);

  Arena arena_;
  std::vector<const Block*> slots_;
  std::size_t n_blocks_ = 0;
  const Block* empty_ = nullptr;
  std::size_t most_ = 2;  // blocks that are joined at once
  bool itg_ = false;
};

/// How many blocks the largest join of an unrestricted parser takes: 2 for what a grammar can build, else 4 or more; 1
/// if there is nothing to join. Blocks in the order of the target.
std::size_t permutation_complexity(std::span<const Span> blocks);

}  // namespace dragoman::phrase
