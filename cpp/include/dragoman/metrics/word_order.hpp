#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/metrics/batch.hpp"
#include "dragoman/metrics/token_masks.hpp"
#include "dragoman/metrics/unique_contexts.hpp"

namespace dragoman::metrics {

/// The match of GTM (Turian, Shen & Melamed 2003) and the lengths of hypothesis and reference.
///
/// The match is (Σ length^e)^(1/e) over the runs of words that stand in one piece in both texts, no word being used
/// twice. For e = 1 it is the number of words in common; for a larger e long runs count more, and the largest match is
/// found greedily, as in the authors' program: the longest run first, of equals the one that comes first in the
/// hypothesis, then in the reference. O(h log h) for h pairs of equal words; throws segment_error if they are too many.
class GtmScorer {
 public:
  using Segment = Tokens;

  explicit GtmScorer(double exponent) : exponent_(exponent) {}

  std::size_t width() const noexcept { return 3; }
  void digest(std::span<const Segment> refs);
  void score(Segment hyp, std::span<double> row);

 private:
  struct Run {
    std::size_t hyp, ref, length;
    /// For a heap: the run that is taken later.
    bool operator<(const Run& other) const noexcept {
      if (length != other.length) return length < other.length;
      return hyp != other.hyp ? hyp > other.hyp : ref > other.ref;
    }
  };
  void find_runs(Segment hyp);

  double exponent_;
  Segment ref_;
  TokenIndex index_;
  std::vector<std::vector<std::size_t>> positions_;  // of each word of the reference
  std::vector<Run> heap_;
  std::vector<char> hyp_used_, ref_used_;
};

/// How RIBES tells apart words that stand more than once: by a context that stands exactly once in both texts.
enum class RibesContext {
  kPaper,  // the word and the next one, else the one before and the word (Isozaki et al. 2010, fig. 2)
  kTool,   // the shortest to the left or to the right, of two equally short ones the left (RIBES.py from 1.02.4 on)
};

/// The parts of RIBES (Isozaki et al. 2010): normalised Kendall's τ of the word order, unigram precision, and brevity
/// penalty. O(n log² n) through suffix arrays, whatever repeats.
class RibesScorer {
 public:
  using Segment = Tokens;

  explicit RibesScorer(RibesContext context) : context_(context) {}

  std::size_t width() const noexcept { return 3; }
  void digest(std::span<const Segment> refs) { ref_ = refs.empty() ? Segment{} : refs[0]; }
  void score(Segment hyp, std::span<double> row);

 private:
  RibesContext context_;
  Segment ref_;
  UniqueContexts contexts_;
  std::vector<std::size_t> order_, merged_;
};

}  // namespace dragoman::metrics
