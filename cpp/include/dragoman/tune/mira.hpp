#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/core/random.hpp"
#include "dragoman/tune/candidates.hpp"
#include "dragoman/tune/objective.hpp"

namespace dragoman::tune {

struct BatchMiraOptions {
  double aggressiveness = 0.01;  // C, the longest step
  double decay = 0.999;          // of the background document, at each segment
  double words = 10;             // of a mean reference: the unit of gains, as Chiang et al. (EMNLP 2008) have it
  unsigned passes = 60;
};

/// The averaged weights after each pass and what they are worth on the candidates; of sparse features, those of the
/// pass that is worth most.
struct BatchMira {
  std::vector<double> weights;  // (passes, n_features)
  std::vector<double> values;
  std::vector<double> sparse;
  std::uint64_t updates = 0;
};

/// Batch k-best MIRA (Cherry & Foster, NAACL 2012, Algorithm 2): in each pass, over the segments in random order, one
/// update from the fear candidate (score − gain largest) to the hope candidate (score + gain largest). The gain is the
/// objective, as a share of 1, of a decayed background document with the candidate in it, times the document's words.
/// Only features with `moves[f]` change. The objective's unit is per cent.
BatchMira batch_mira(const Candidates& candidates, const Objective& objective, std::span<const double> start,
                     std::span<const std::uint8_t> moves, CounterStream stream, const BatchMiraOptions& options);

}  // namespace dragoman::tune
