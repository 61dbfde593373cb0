#pragma once

#include "dragoman/grammar/score.hpp"

namespace dragoman::grammar {

/// Which phrase pairs have no words at their edges that are aligned to nothing.
enum class Tight : std::uint8_t { none, gaps, all };

/// Hierarchical rules (Chiang, Computational Linguistics 33, 2007).
struct HieroOptions {
  unsigned longest = 10;  // words of an initial phrase, on either side; at most 255
  unsigned symbols = 5;   // of a rule's source side
  unsigned gaps = 2;
  unsigned shortest_gap = 1;   // source words
  bool adjacent_gaps = false;  // gaps side by side in the source
  bool aligned_word = true;    // a rule has a pair of aligned words
  Tight tight = Tight::gaps;
  bool fractional = true;  // the rules of an initial phrase share one count; else each has one
  unsigned shallow = 0;    // how deep rules with gaps may stand in each other; 0: as deep as they like
};

/// The labels of either side, and what may be a rule or a gap: a phrase pair must be allowed by both.
struct BitextLabels {
  SpanLabels source, target;
};

/// The rules of one sentence pair after another; all that it is given must outlive it.
std::unique_ptr<RuleSource> hiero_rules(const AlignedBitext& bitext, const phrase::SortedPoints& points,
                                        const Symbols& symbols, const BitextLabels& labels,
                                        const HieroOptions& options);

/// The rules of an aligned bitext, scored and written. If they are shallow, labels are depths: a rule without gaps has
/// the first, one with gaps the one behind the deepest of theirs (de Gispert et al., Computational Linguistics 36,
/// 2010). Throws data_error for labels that do not fit the sentences.
RuleStatistics extract_hiero(const AlignedBitext& bitext, const Symbols& symbols, const BitextLabels& labels,
                             const HieroOptions& options, const TestText& test, const ScoreOptions& scoring,
                             const std::function<void(std::string_view)>& write);

}  // namespace dragoman::grammar
