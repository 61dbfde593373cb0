#pragma once

#include <array>
#include <vector>

#include "dragoman/nbest/lists.hpp"

namespace dragoman::nbest {

/// How far the entries of a list lie apart, in edits (de Souza et al., WMT 2013). The central entry is the one with the
/// smallest mean distance to the others, of several the first.
struct Diversity {
  static constexpr std::array<int, 4> kNear{1, 2, 5, 10};

  double central = 0;            // its rank, from 0
  double mean_distance = 0;      // of the central entry to the others
  double top_to_central = 0;     // distance of the first entry to the central one
  std::array<double, 4> near{};  // entries other than the first within so many edits of it
  double repeats = 0;            // entries that are like the first, itself not counted
  double all_pairs = 0;          // mean distance of two entries
};

/// Of each list the first `most` entries count. Entries that are alike are compared once.
std::vector<Diversity> diversities(const Lists& lists, std::size_t most, unsigned n_threads);

}  // namespace dragoman::nbest
