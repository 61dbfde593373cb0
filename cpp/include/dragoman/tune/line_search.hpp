#pragma once

#include <span>
#include <vector>

#include "dragoman/tune/candidates.hpp"
#include "dragoman/tune/objective.hpp"

namespace dragoman::tune {

/// A step along a line and what the tuning set is worth after it.
struct Step {
  double t = 0;
  double value = 0;
};

/// The exact search along a line of Och (ACL 2003): on the line, each candidate's score is a straight line over t; the
/// upper envelope of a segment's lines tells which candidate is best where; sweeping over all segments' envelopes gives
/// the sums of statistics, and hence the objective, of every interval in which no segment changes its best candidate.
/// One object serves one thread for many searches and keeps its memory.
class LineSearch {
 public:
  /// Intervals narrower than `narrowest`, relative to where they lie, are passed over: rounding would miss them.
  LineSearch(const Candidates& candidates, const Objective& objective, double narrowest = 1e-9)
      : candidates_(&candidates), objective_(&objective), narrowest_(narrowest) {}

  /// The best step along the line on which candidate c scores `scores[c] + t * slopes[c]`. Of equal intervals the one
  /// that holds t = 0 wins, then the first. The step leads to the middle of its interval; beyond the outermost
  /// boundaries, to `margin` behind them.
  Step best(std::span<const double> scores, std::span<const double> slopes);

  static constexpr double margin = 0.1;

 private:
  struct Change {
    double t;
    std::uint32_t segment, from, to;
  };

  void envelope(std::size_t segment, std::span<const double> scores, std::span<const double> slopes);

  const Candidates* candidates_;
  const Objective* objective_;
  double narrowest_;
  std::vector<Change> changes_;
  std::vector<std::size_t> corners_;
  std::vector<double> totals_, sum_, values_, boundaries_;
};

/// The sums of the statistics of every segment's best candidate; of equal scores the first wins.
std::vector<double> totals_of_best(const Candidates& candidates, std::span<const double> scores);

}  // namespace dragoman::tune
