#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/core/random.hpp"
#include "dragoman/tune/candidates.hpp"
#include "dragoman/tune/objective.hpp"

namespace dragoman::tune {

struct MertOptions {
  unsigned random_directions = 10;     // tried in each sweep besides the axes
  unsigned features_of_direction = 4;  // that a random direction changes together; few are quick
  unsigned most_sweeps = 30;
  double tolerance = 1e-3;  // a sweep that gains less ends the ascent; in units of the objective
  unsigned n_threads = 1;
};

/// Where an ascent ended.
struct Summit {
  std::vector<double> weights;
  double value = 0;
  double start_value = 0;
  std::uint32_t sweeps = 0;
  std::uint64_t searches = 0;  // along lines
};

/// Minimum error rate training on candidate lists (Och, ACL 2003). From every start (a row of `starts`) weights climb
/// by exact searches along the axes and along random directions, taking every step that gains at once. Only features
/// with a scale above 0 move; in a random direction a few change by numbers uniform in [−scale, scale]. The order and
/// the directions come from the stream and the number of the start, so that nothing depends on the number of threads.
std::vector<Summit> ascend(const Candidates& candidates, const Objective& objective, std::span<const double> starts,
                           std::span<const double> scales, CounterStream stream, const MertOptions& options);

}  // namespace dragoman::tune
