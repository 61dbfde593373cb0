#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/phrase/extract.hpp"
#include "dragoman/phrase/table.hpp"

namespace dragoman::phrase {

/// What a target span [begin, end) is called.
struct TargetLabel {
  std::int32_t begin, end, label;
};

/// The labels of target spans: those of sentence i are [offsets[i], offsets[i + 1]). Spans that are not listed have
/// none.
struct TargetLabels {
  std::span<const TargetLabel> spans;
  std::span<const std::int64_t> offsets;
  std::size_t n_labels;
};

/// How labels are oriented in a bitext, and which the pairs of a table have there.
struct LabelOrientations {
  struct PairLabel {
    std::uint32_t pair;  // its number in the table
    std::int32_t label;
    double mass;
  };
  std::vector<std::array<double, 6>> of_labels;  // before and behind: monotone, swap, discontinuous; sums of weights
  std::vector<PairLabel> of_pairs;               // by pair, then by label
};

/// Counted over all phrase pairs of at most `longest` words (Mehay & Brew, WMT 2012). Of the kind `word`, a phrase is
/// oriented to any phrase of at most `longest` words beside it (Tillmann 2004), which is what its decoder asks, not to
/// single words; `hierarchical` to any block. Linear in the bitext; the result does not depend on threads.
/// Throws data_error for labels outside their sentences.
LabelOrientations label_orientations(const PhraseTable& table, const AlignedBitext& bitext, const TargetLabels& labels,
                                     Orientation kind, unsigned longest, unsigned n_threads);

}  // namespace dragoman::phrase
