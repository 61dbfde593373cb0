#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/metrics/batch.hpp"
#include "dragoman/metrics/edit_column.hpp"
#include "dragoman/metrics/token_masks.hpp"

namespace dragoman::metrics {

/// Word error rate: insertions, deletions and substitutions to the reference, and the reference's length.
/// O(n · m / 64), see EditColumn.
class WerScorer {
 public:
  using Segment = Tokens;

  std::size_t width() const noexcept { return 2; }
  void digest(std::span<const Segment> refs) { masks_.digest(refs.empty() ? Segment{} : refs[0]); }
  void score(Segment hyp, std::span<double> row);

 private:
  TokenMasks masks_;
  EditColumn column_;
};

/// Position-independent error rate (Tillmann et al. 1997): the longer text's length less the words in common, and the
/// reference's length. O(n + m).
class PerScorer {
 public:
  using Segment = Tokens;

  std::size_t width() const noexcept { return 2; }
  void digest(std::span<const Segment> refs);
  void score(Segment hyp, std::span<double> row);

 private:
  TokenIndex index_;
  std::vector<std::int64_t> counts_, left_;  // of each word of the reference; what the hypothesis has left of it
  std::size_t ref_length_ = 0;
};

/// CDER (Leusch, Ueffing & Ney 2006): edits to the reference where a jump to any place of the hypothesis costs as much
/// as one edit. Every word of the reference is covered once; words of the hypothesis may be covered several times or
/// not at all. Also the reference's length. O(n · m / 64): because of the jumps, the costs of having covered the
/// reference so far and of standing at a place of the hypothesis differ by at most one, so a bit per place is all there
/// is to know.
class CderScorer {
 public:
  using Segment = Tokens;

  std::size_t width() const noexcept { return 2; }
  void digest(std::span<const Segment> refs) { ref_ = refs.empty() ? Segment{} : refs[0]; }
  void score(Segment hyp, std::span<double> row);

 private:
  Segment ref_;
  TokenMasks masks_;                       // of the hypothesis
  std::vector<std::uint64_t> low_, next_;  // places that cost the least; the others cost one more
};

/// Longest common subsequence, and the lengths of hypothesis and reference (ROUGE-L, Lin 2004).
/// O(n · m / 64), bit-parallel (Hyyrö 2004).
class LcsScorer {
 public:
  using Segment = Tokens;

  std::size_t width() const noexcept { return 3; }
  void digest(std::span<const Segment> refs) { masks_.digest(refs.empty() ? Segment{} : refs[0]); }
  void score(Segment hyp, std::span<double> row);

 private:
  TokenMasks masks_;
  std::vector<std::uint64_t> open_;  // bits of reference positions not yet gained
};

}  // namespace dragoman::metrics
