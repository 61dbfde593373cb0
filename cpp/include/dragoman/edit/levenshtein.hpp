#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/edit/operation.hpp"

namespace dragoman::edit {

/// Edit distances of sequences of ids, any numbers. One object per thread: it keeps its working space from call to
/// call.
class Levenshtein {
 public:
  using Ids = std::span<const std::int32_t>;

  /// Fewest insertions, deletions and substitutions. Bit-parallel (Myers 1999): O(h · r / 64) time, O(h + r) space.
  int distance(Ids hyp, Ids ref);

  /// The same with swaps of two neighbours as one edit, no item being edited twice (Damerau's distance in its
  /// restricted form, "optimal string alignment"; Hyyrö 2003). The same time and space.
  int damerau(Ids hyp, Ids ref);

  /// The steps of a shortest way from left to right; of several, the one that, seen from the end, prefers match or
  /// substitution to deletion to insertion. O(h · r / 64) space; throws data_error above 1 GiB.
  std::vector<Operation> operations(Ids hyp, Ids ref);

 private:
  struct Step {
    std::uint64_t diagonal;  // cells equal to their diagonal neighbour
    std::uint64_t down;      // cells one more than their neighbour above
  };
  struct Slot {
    std::int32_t id;
    std::int32_t number;
    std::uint32_t round;
  };

  template <bool kSwaps, class Keep>
  int run(Ids hyp, Ids ref, const Keep& keep);
  void number(Ids hyp, Ids ref);

  std::vector<Slot> slots_;  // ids of the current reference, open addressing
  std::uint32_t round_ = 0;  // slots of earlier rounds are empty
  std::vector<std::int32_t> hyp_,
      ref_;  // ids renumbered 0, 1, …; hypothesis items foreign to the reference share a number
  std::vector<std::uint64_t> matches_;  // by number, for the current block of the reference
  std::vector<std::uint8_t> carries_;   // by hypothesis item, what the block to the left hands over
  std::vector<Step> steps_;
};

}  // namespace dragoman::edit
