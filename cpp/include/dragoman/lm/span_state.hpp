#pragma once

#include <array>

#include "dragoman/lm/model.hpp"

namespace dragoman::lm {

/// What a model must know of words that stand somewhere in a sentence, with others to come before them as well as
/// behind: charts put such spans together in any order. The right half is a State; the left half has the first words,
/// as far as what comes before them can change their probability. Unused places are zero.
struct SpanState {
  std::array<WordId, kMaxOrder - 1> left{};
  std::uint32_t n_left = 0;
  bool is_open = true;  // the left half has all words of the span
  State right;

  friend bool operator==(const SpanState& a, const SpanState& b) noexcept {
    return a.n_left == b.n_left && a.is_open == b.is_open && a.left == b.left && a.right == b.right;
  }
};

/// Put a word behind a span; its log10 p.
inline float append(const Model& model, SpanState& span, WordId word) {
  State after;
  const float log_p = model.score(span.right, word, after).log_p;
  // The word may still be told apart by what comes before the span if all words of the span matter for it.
  span.is_open = span.is_open && span.n_left + 1 < model.order() && span.right.length == span.n_left;
  if (span.is_open) span.left[span.n_left++] = word;
  span.right = after;
  return log_p;
}

/// Put a span behind another; how much that changes the sum of the log10 p of its words.
inline float append(const Model& model, SpanState& span, const SpanState& part) {
  if (span.is_open && span.n_left == 0) {
    span = part;
    return 0;
  }
  float change = 0;
  State alone, after;
  std::uint32_t i = 0;
  // While the past reaches beyond the part it matters; behind that the part's words are what they were.
  for (; i < part.n_left && span.right.length > i; ++i) {
    change -= model.score(alone, part.left[i], after).log_p;
    alone = after;
    change += append(model, span, part.left[i]);
  }
  if (i == part.n_left && part.is_open) return change;
  span.right = part.right;
  span.is_open = false;
  return change;
}

/// How much it changes the log10 p of a span to be a whole sentence, its end included.
inline float finish(const Model& model, const SpanState& span) {
  SpanState sentence;
  sentence.is_open = false;
  sentence.right = model.begin();
  const float change = append(model, sentence, span);
  State after;
  return change + model.score(sentence.right, kEos, after).log_p;
}

}  // namespace dragoman::lm
