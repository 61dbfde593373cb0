#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "dragoman/grammar/span_labels.hpp"
#include "dragoman/phrase/extract.hpp"

namespace dragoman::grammar {

/// How two phrases that are neighbours in the source stand in the target: side by side or apart, in order or swapped.
enum class Reordering : std::uint8_t { monotone, apart, swap, swap_apart };

/// How often phrases with these source labels, together labelled `whole`, stood in each way.
struct ReorderingCounts {
  std::int32_t whole, first, second;
  std::array<std::uint32_t, 4> counts;
};

/// All pairs of neighbouring initial phrases of at most `longest` words whose source spans and union have labels (Li,
/// Tu, Zhou & van Genabith, WMT 2012). No phrase has unaligned words at its edges. Sorted by labels. Only listed spans
/// have labels; those of unions may have twice as many words.
std::vector<ReorderingCounts> count_reorderings(const phrase::AlignedBitext& bitext, const SpanLabels& labels,
                                                unsigned longest, unsigned n_threads);

}  // namespace dragoman::grammar
