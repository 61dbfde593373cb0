#include "dragoman/tune/mira.hpp"

#include <algorithm>
#include <numeric>

#include "dragoman/tune/line_search.hpp"

namespace dragoman::tune {

BatchMira batch_mira(const Candidates& candidates, const Objective& objective, std::span<const double> start,
                     std::span<const std::uint8_t> moves, CounterStream stream, const BatchMiraOptions& options) {
  check(candidates);
  const std::size_t width = candidates.n_features, n_all = width + candidates.n_sparse, n_stats = candidates.n_stats,
                    n = candidates.n_segments();
  // Sums over all steps of so many weights would take longer than the steps: `late` has each change times the number of
  // steps before it, and the mean is what there is now less that, by the number of steps.
  std::vector<double> weights(start.begin(), start.end()), sum(width, 0.0), mean(n_all), step(n_all, 0.0);
  std::vector<double> late(candidates.n_sparse, 0.0);
  std::vector<std::size_t> touched;
  std::vector<double> scores, gains, totals, all(candidates.size());
  // The background starts with the whole tuning set as the given weights translate it, cut to one segment's size:
  // an empty one would make the first gains those of single segments.
  for (std::size_t c = 0; c < all.size(); ++c) all[c] = score_of(candidates, c, weights);
  std::vector<double> background = totals_of_best(candidates, all);
  for (double& value : background) value /= static_cast<double>(n);
  double segments = 1;  // in the background, decayed
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::uint64_t drawn = 0, seen = 0;

  BatchMira found;
  for (unsigned pass = 0; pass < options.passes; ++pass) {
    for (std::size_t i = n; i > 1; --i) {
      std::swap(order[i - 1], order[stream.below(drawn++, static_cast<std::uint32_t>(i))]);
    }
    for (const std::size_t segment : order) {
      const std::size_t begin = candidates.begin(segment), size = candidates.end(segment) - begin;
      scores.resize(size);
      gains.resize(size);
      totals.resize(size * n_stats);
      for (std::size_t c = 0; c < size; ++c) {
        scores[c] = score_of(candidates, begin + c, weights);
        const auto stats = candidates.stats_of(begin + c);
        for (std::size_t k = 0; k < n_stats; ++k) totals[c * n_stats + k] = background[k] + stats[k];
      }
      objective(totals, gains);
      const double unit = (segments + 1) * options.words / 100;
      std::size_t hope = 0, fear = 0, model = 0;
      for (std::size_t c = 0; c < size; ++c) {
        gains[c] *= unit;
        if (scores[c] + gains[c] > scores[hope] + gains[hope]) hope = c;
        if (scores[c] - gains[c] > scores[fear] - gains[fear]) fear = c;
        if (scores[c] > scores[model]) model = c;
      }
      const double loss = (gains[hope] - gains[fear]) - (scores[hope] - scores[fear]);
      if (gains[hope] > gains[fear] && loss > 0) {
        const auto good = candidates.features_of(begin + hope), bad = candidates.features_of(begin + fear);
        double norm = 0;
        for (std::size_t f = 0; f < width; ++f) {
          step[f] = moves[f] ? good[f] - bad[f] : 0;
          norm += step[f] * step[f];
        }
        touched.clear();
        const auto differ = [&](std::size_t candidate, double sign) {
          for_each_sparse(candidates, candidate, [&](std::size_t column, double value) {
            step[width + column] += sign * value;
            touched.push_back(width + column);
          });
        };
        differ(begin + hope, 1);
        differ(begin + fear, -1);
        std::ranges::sort(touched);
        touched.erase(std::ranges::unique(touched).begin(), touched.end());
        for (const std::size_t f : touched) norm += step[f] * step[f];
        if (norm > 0) {
          const double length = std::min(options.aggressiveness, loss / norm);
          for (std::size_t f = 0; f < width; ++f) weights[f] += length * step[f];
          for (const std::size_t f : touched) {
            weights[f] += length * step[f];
            late[f - width] += static_cast<double>(seen) * length * step[f];
          }
          ++found.updates;
        }
        for (const std::size_t f : touched) step[f] = 0;
      }
      const auto stats = candidates.stats_of(begin + model);
      for (std::size_t k = 0; k < n_stats; ++k) background[k] = options.decay * background[k] + stats[k];
      segments = options.decay * segments + 1;
      ++seen;
      for (std::size_t f = 0; f < width; ++f) sum[f] += weights[f];
    }
    for (std::size_t f = 0; f < width; ++f) mean[f] = sum[f] / static_cast<double>(seen);
    for (std::size_t f = width; f < n_all; ++f) mean[f] = weights[f] - late[f - width] / static_cast<double>(seen);
    for (std::size_t c = 0; c < all.size(); ++c) all[c] = score_of(candidates, c, mean);
    double value = 0;
    objective(totals_of_best(candidates, all), {&value, 1});
    const auto sparse = mean.begin() + static_cast<std::ptrdiff_t>(width);
    found.weights.insert(found.weights.end(), mean.begin(), sparse);
    if (found.values.empty() || value > *std::ranges::max_element(found.values))
      found.sparse.assign(sparse, mean.end());
    found.values.push_back(value);
  }
  return found;
}

}  // namespace dragoman::tune
