#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "dragoman/edit/operation.hpp"

namespace dragoman::edit {

/// A word as a number: within one segment, words of the reference are 0, 1, … and all other words -1.
using Word = std::int32_t;

/// The limits of the search for shifts: those of tercom, and sacreBLEU's own on the number of candidates.
inline constexpr int kMaxShiftSize = 10;          // words moved together
inline constexpr int kMaxShiftDistance = 50;      // between the positions of the block in hypothesis and reference
inline constexpr int kMaxShiftCandidates = 1000;  // looked at in one segment; the round that reaches it is dropped

/// A block of words was moved: words [from, from + length) now begin at `to`, counted after the move.
struct Shift {
  std::int32_t from;
  std::int32_t length;
  std::int32_t to;
};

/// How a hypothesis becomes the reference: shifts in their order, then operations on the shifted words from left to
/// right.
struct TerTrace {
  std::int32_t edits = 0;  // shifts and operations other than match
  std::vector<Shift> shifts;
  std::vector<Operation> operations;
};

/// Translation edit rate (Snover et al. 2006) as sacreBLEU 2.6.0 counts it, edit for edit. One object per thread: it
/// keeps its working space from segment to segment.
class TerAligner {
 public:
  TerAligner();
  ~TerAligner();
  TerAligner(TerAligner&&) noexcept;

  /// The number of edits: shifts found greedily, then the distance within the beam. With h and r words the time is
  /// O(rounds · (h + candidates · h)), one machine word a row; candidates are at most 1000 in all rounds together.
  int edits(std::span<const Word> hyp, std::span<const Word> ref);

  /// The same, with all edits spelt out; without shifts on demand.
  TerTrace trace(std::span<const Word> hyp, std::span<const Word> ref, bool with_shifts = true);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dragoman::edit
