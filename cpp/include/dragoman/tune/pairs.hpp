#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/core/random.hpp"

namespace dragoman::tune {

struct PairOptions {
  unsigned draws = 5000;    // Γ, pairs drawn from the candidates of each segment
  unsigned kept = 50;       // Ξ, of those the ones that differ most
  double threshold = 0.05;  // α, pairs that differ less are not looked at
  unsigned n_threads = 1;
};

/// Pairs of candidates to learn a ranking from (Hopkins & May, EMNLP 2011, Fig. 4): (better, worse), flat, segment
/// after segment, those of the largest difference first. Both members are drawn independently.
std::vector<std::int64_t> sample_pairs(std::span<const double> gains, std::span<const std::int64_t> offsets,
                                       CounterStream stream, const PairOptions& options);

}  // namespace dragoman::tune
