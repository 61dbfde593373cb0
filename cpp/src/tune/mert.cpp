#include "dragoman/tune/mert.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>

#include "dragoman/core/parallel.hpp"
#include "dragoman/tune/line_search.hpp"

namespace dragoman::tune {

namespace {

/// The features column by column: an axis is a column, and every search reads one or a sum of them.
std::vector<double> columns_of(const Candidates& candidates) {
  const std::size_t n = candidates.size(), width = candidates.n_features;
  std::vector<double> columns(n * width);
  for (std::size_t c = 0; c < n; ++c) {
    for (std::size_t f = 0; f < width; ++f) columns[f * n + c] = candidates.features[c * width + f];
  }
  return columns;
}

class Ascent {
 public:
  Ascent(const Candidates& candidates, const std::vector<double>& columns, const Objective& objective,
         std::span<const double> scales, const MertOptions& options)
      : candidates_(&candidates),
        columns_(&columns),
        objective_(&objective),
        scales_(scales),
        options_(&options),
        search_(candidates, objective),
        n_(candidates.size()),
        random_slopes_(n_) {
    for (std::size_t f = 0; f < scales.size(); ++f) {
      if (scales[f] > 0) axes_.push_back(f);
    }
  }

  Summit run(std::span<const double> start, CounterStream stream) {
    stream_ = stream;
    drawn_ = 0;
    Summit summit;
    summit.weights.assign(start.begin(), start.end());
    scores_.assign(n_, 0.0);
    add(scores_, start);
    summit.start_value = summit.value = value_here();
    for (; summit.sweeps < options_->most_sweeps; ++summit.sweeps) {
      const double before = summit.value;
      sweep(summit);
      if (summit.value - before < options_->tolerance) break;
      // Steps add rounding; a fresh sum keeps the scores those of the weights.
      scores_.assign(n_, 0.0);
      add(scores_, summit.weights);
      summit.value = value_here();
    }
    return summit;
  }

 private:
  void add(std::vector<double>& into, std::span<const double> weights) const {
    for (std::size_t f = 0; f < weights.size(); ++f) {
      const double* const column = columns_->data() + f * n_;
      if (weights[f] == 0) continue;
      for (std::size_t c = 0; c < n_; ++c) into[c] += weights[f] * column[c];
    }
  }

  double value_here() const {
    double value = 0;
    (*objective_)(totals_of_best(*candidates_, scores_), {&value, 1});
    return value;
  }

  void sweep(Summit& summit) {
    for (std::size_t i = axes_.size(); i > 1; --i) {
      std::swap(axes_[i - 1], axes_[stream_.below(drawn_++, static_cast<std::uint32_t>(i))]);
    }
    std::vector<double> direction(scales_.size());
    for (const std::size_t f : axes_) {
      std::fill(direction.begin(), direction.end(), 0.0);
      direction[f] = 1;
      step(summit, direction, {columns_->data() + f * n_, n_});
    }
    for (unsigned r = 0; r < options_->random_directions; ++r) {
      std::fill(direction.begin(), direction.end(), 0.0);
      for (unsigned k = 0; k < options_->features_of_direction && !axes_.empty(); ++k) {
        const std::size_t f = axes_[stream_.below(drawn_++, static_cast<std::uint32_t>(axes_.size()))];
        const double uniform = static_cast<double>(stream_.bits(drawn_++) >> 11) * 0x1p-53;
        direction[f] = scales_[f] * (2 * uniform - 1);
      }
      random_slopes_.assign(n_, 0.0);
      add(random_slopes_, direction);
      step(summit, direction, random_slopes_);
    }
  }

  void step(Summit& summit, const std::vector<double>& direction, std::span<const double> slopes) {
    ++summit.searches;
    const Step found = search_.best(scores_, slopes);
    if (found.t == 0 || found.value <= summit.value) return;
    summit.value = found.value;
    for (std::size_t f = 0; f < direction.size(); ++f) summit.weights[f] += found.t * direction[f];
    for (std::size_t c = 0; c < n_; ++c) scores_[c] += found.t * slopes[c];
  }

  const Candidates* candidates_;
  const std::vector<double>* columns_;
  const Objective* objective_;
  std::span<const double> scales_;
  const MertOptions* options_;
  LineSearch search_;
  std::size_t n_;
  std::vector<std::size_t> axes_;
  std::vector<double> scores_, random_slopes_;
  CounterStream stream_{0};
  std::uint64_t drawn_ = 0;
};

}  // namespace

std::vector<Summit> ascend(const Candidates& candidates, const Objective& objective, std::span<const double> starts,
                           std::span<const double> scales, CounterStream stream, const MertOptions& options) {
  check(candidates);
  const std::size_t width = candidates.n_features, n_starts = starts.size() / width;
  const std::vector<double> columns = columns_of(candidates);
  std::vector<Summit> summits(n_starts);
  std::atomic<std::size_t> next{0};
  for_each_chunk(std::min<std::size_t>(options.n_threads, n_starts), options.n_threads, [&](const Chunk&) {
    for (std::size_t i = next++; i < n_starts; i = next++) {
      // The order of the axes is shuffled on from sweep to sweep, so each start gets an ascent of its own.
      Ascent ascent(candidates, columns, objective, scales, options);
      summits[i] = ascent.run(starts.subspan(i * width, width), {stream.bits(i)});
    }
  });
  return summits;
}

}  // namespace dragoman::tune
