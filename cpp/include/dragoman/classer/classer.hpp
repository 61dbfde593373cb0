#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dragoman::classer {

/// What is wrong with a word (Popović & Ney, CL 2011; Popović, WMT 2012). A hypothesis has no missing words and a
/// reference no extra ones.
enum class Label : std::uint8_t { kCorrect, kInflection, kReordering, kMissing, kExtra, kLexical };

/// A sentence as ids of its full forms and of their base forms, of equal length.
struct Sentence {
  std::span<const std::int32_t> full;
  std::span<const std::int32_t> base;
};

struct Labels {
  std::int64_t edits = 0;  // Levenshtein distance of the full forms
  std::vector<Label> hyp;
  std::vector<Label> ref;
};

/// Label every word of a hypothesis and of its reference. Time and memory: product of the two lengths.
/// Throws data_error if full and base forms differ in number.
Labels classify(Sentence hyp, Sentence ref);

}  // namespace dragoman::classer
