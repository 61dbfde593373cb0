#include "dragoman/tune/line_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dragoman::tune {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

void LineSearch::envelope(std::size_t segment, std::span<const double> scores, std::span<const double> slopes) {
  const std::size_t begin = candidates_->begin(segment), n = candidates_->end(segment) - begin;
  const double* const a = scores.data() + begin;
  const double* const b = slopes.data() + begin;
  double least = b[0], most = b[0], top = a[0];
  for (std::size_t i = 1; i < n; ++i) {
    least = b[i] < least ? b[i] : least;
    most = b[i] > most ? b[i] : most;
    top = a[i] > top ? a[i] : top;
  }
  std::size_t first = n, last = n, peak = n;
  for (std::size_t i = 0; i < n; ++i) {
    if (b[i] == least && (first == n || a[i] > a[first])) first = i;
    if (b[i] == most && (last == n || a[i] > a[last])) last = i;
    if (a[i] == top && (peak == n || b[i] > b[peak])) peak = i;
  }
  const auto stats = candidates_->stats_of(begin + first);
  for (std::size_t k = 0; k < stats.size(); ++k) sum_[k] += stats[k];
  if (least == most) return;

  // Lines on the envelope are corners of the upper hull of the points (slope, score). Most points lie below the chords
  // from the first to the peak and from the peak to the last, and need no further look.
  corners_.clear();
  const double rise = a[peak] - a[first], run = b[peak] - b[first];
  const double fall = a[last] - a[peak], rest = b[last] - b[peak];
  for (std::size_t i = 0; i < n; ++i) {
    const double above = (a[i] - a[first]) * run - (b[i] - b[first]) * rise;
    const double behind = (a[i] - a[peak]) * rest - (b[i] - b[peak]) * fall;
    if ((b[i] < b[peak]) ? above > 0 : behind > 0) corners_.push_back(i);
  }
  if (peak != first && peak != last) corners_.push_back(peak);
  corners_.push_back(last);

  std::size_t best = first;
  double reached = -kInfinity;
  while (b[best] < most) {
    std::size_t next = last;
    double t = kInfinity;
    for (const std::size_t i : corners_) {
      const double steeper = b[i] - b[best];
      if (steeper <= 0) continue;
      const double crossing = (a[best] - a[i]) / steeper;
      // Of the lines that cross there the steepest is on top behind the crossing.
      if (crossing < t || (crossing == t && b[i] > b[next])) {
        t = crossing;
        next = i;
      }
    }
    reached = std::max(reached, t);  // rounding must not turn the order of crossings round
    changes_.push_back({reached, static_cast<std::uint32_t>(segment), static_cast<std::uint32_t>(begin + best),
                        static_cast<std::uint32_t>(begin + next)});
    best = next;
  }
}

Step LineSearch::best(std::span<const double> scores, std::span<const double> slopes) {
  const std::size_t width = candidates_->n_stats;
  sum_.assign(width, 0.0);
  changes_.clear();
  for (std::size_t segment = 0; segment < candidates_->n_segments(); ++segment) envelope(segment, scores, slopes);
  std::stable_sort(changes_.begin(), changes_.end(), [](const Change& x, const Change& y) { return x.t < y.t; });

  boundaries_.assign(1, -kInfinity);
  totals_.assign(sum_.begin(), sum_.end());
  for (std::size_t i = 0; i < changes_.size();) {
    const double t = changes_[i].t;
    for (; i < changes_.size() && changes_[i].t == t; ++i) {
      const auto from = candidates_->stats_of(changes_[i].from), to = candidates_->stats_of(changes_[i].to);
      for (std::size_t k = 0; k < width; ++k) sum_[k] += to[k] - from[k];
    }
    boundaries_.push_back(t);
    totals_.insert(totals_.end(), sum_.begin(), sum_.end());
  }
  values_.resize(boundaries_.size());
  (*objective_)(totals_, values_);

  Step found{0, -kInfinity};
  bool stays = false;
  for (std::size_t i = 0; i < boundaries_.size(); ++i) {
    const double low = boundaries_[i], high = i + 1 < boundaries_.size() ? boundaries_[i + 1] : kInfinity;
    const bool here = low <= 0 && 0 < high;
    if (!here && high - low < narrowest_ * std::max(1.0, std::abs(low))) continue;
    if (values_[i] < found.value || (values_[i] == found.value && (stays || !here))) continue;
    stays = here;
    found.value = values_[i];
    if (here) {
      found.t = 0;
    } else if (std::isinf(low)) {
      found.t = high - margin;
    } else if (std::isinf(high)) {
      found.t = low + margin;
    } else {
      found.t = low + (high - low) / 2;
    }
  }
  return found;
}

std::vector<double> totals_of_best(const Candidates& candidates, std::span<const double> scores) {
  std::vector<double> totals(candidates.n_stats, 0.0);
  for (std::size_t segment = 0; segment < candidates.n_segments(); ++segment) {
    const auto first = scores.begin() + candidates.offsets[segment],
               last = scores.begin() + candidates.offsets[segment + 1];
    const auto stats = candidates.stats_of(static_cast<std::size_t>(std::max_element(first, last) - scores.begin()));
    for (std::size_t k = 0; k < stats.size(); ++k) totals[k] += stats[k];
  }
  return totals;
}

}  // namespace dragoman::tune
