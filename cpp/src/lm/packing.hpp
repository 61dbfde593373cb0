#pragma once

#include <cmath>
#include <limits>
#include <stdexcept>

#include "dragoman/lm/ngram.hpp"
#include "dragoman/text/word_table.hpp"

namespace dragoman::lm {

// How a logarithm of a probability and a back-off weight carry one bit more each: see Model::Entry.
inline constexpr float kNoExtension = std::numeric_limits<float>::quiet_NaN();

inline float packed(float log_p, bool extends_left) { return extends_left ? -std::fabs(log_p) : std::fabs(log_p); }
inline float unpacked(float packed) { return -std::fabs(packed); }
inline bool extends_left(float packed) { return std::signbit(packed); }
inline float weight(float log_backoff) { return std::isnan(log_backoff) ? 0.0F : log_backoff; }

inline void check_words(const text::WordTable& words) {
  if (words.size() < 3 || words.word(kUnk) != "<unk>" || words.word(kBos) != "<s>" || words.word(kEos) != "</s>") {
    throw std::logic_error("a language model's words begin with <unk>, <s> and </s>");
  }
}

}  // namespace dragoman::lm
