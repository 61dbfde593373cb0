#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "dragoman/metrics/batch.hpp"

namespace dragoman::metrics {

/// Cut a stream of words into as many pieces as `refs` has segments, so that the edits between each piece and the
/// nearest of its segment's references are fewest in sum (Matusov et al. 2005). Gives the place where each piece
/// begins. Of equally good cuts the earlier one is taken, which leaves superfluous words to the later piece.
///
/// O(n · m / 64) time and O(n) memory for n words against m words of references, by dividing the segments in two halves
/// again and again (Hirschberg 1975).
std::vector<std::size_t> resegment(Tokens stream, std::span<const std::vector<Tokens>> refs);

}  // namespace dragoman::metrics
