#pragma once

#include <cstdint>
#include <vector>

#include "dragoman/lm/model.hpp"
#include "dragoman/text/line_source.hpp"

namespace dragoman::lm {

/// The tokens of many lines, each with its probability: those of line i are [offsets[i], offsets[i + 1]).
struct ScoredTokens {
  std::vector<float> log_p;              // log10
  std::vector<std::uint8_t> n_matched;   // length of the longest n-gram found
  std::vector<std::uint8_t> unknown;     // 1: not in the model's vocabulary
  std::vector<std::int64_t> offsets;
};

/// Score lines whose tokens white space separates. `bos`: a line begins as a sentence; `eos`: its end is scored too, as
/// its last token.
ScoredTokens score_lines(const Model& model, const text::LineSource& lines, bool bos, bool eos, unsigned n_threads);

/// log10 of whole lines alone, in float64: what most callers want.
std::vector<double> score_totals(const Model& model, const text::LineSource& lines, bool bos, bool eos,
                                 unsigned n_threads);

}  // namespace dragoman::lm
