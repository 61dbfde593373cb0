#pragma once

#include <cmath>
#include <limits>

namespace dragoman::lm {

// How a logarithm of a probability and a back-off weight carry one bit more each: see Model::Entry.
inline constexpr float kNoExtension = std::numeric_limits<float>::quiet_NaN();

inline float packed(float log_p, bool extends_left) { return extends_left ? -std::fabs(log_p) : std::fabs(log_p); }
inline float unpacked(float packed) { return -std::fabs(packed); }
inline bool extends_left(float packed) { return std::signbit(packed); }
inline float weight(float log_backoff) { return std::isnan(log_backoff) ? 0.0F : log_backoff; }

}  // namespace dragoman::lm
