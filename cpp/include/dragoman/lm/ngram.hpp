#pragma once

#include <cstddef>
#include <cstdint>

namespace dragoman::lm {

/// The number of a word in a language model.
using WordId = std::uint32_t;

// The three that every model has, before all others.
inline constexpr WordId kUnk = 0;
inline constexpr WordId kBos = 1;
inline constexpr WordId kEos = 2;

inline constexpr unsigned kMaxOrder = 9;

/// An n-gram of order K, last word first, so that a plain comparison puts those with the same ending together.
template <unsigned K>
struct Gram {
  WordId words[K];

  friend bool operator==(const Gram&, const Gram&) = default;
};

/// Suffix order: by the last word, then the one before it, …
template <unsigned K>
bool suffix_less(const Gram<K>& a, const Gram<K>& b) noexcept {
  for (unsigned i = 0; i < K; ++i) {
    if (a.words[i] != b.words[i]) return a.words[i] < b.words[i];
  }
  return false;
}

/// Context order: by the words before the last in suffix order, then the last; n-grams of one context are neighbours.
template <unsigned K>
bool context_less(const Gram<K>& a, const Gram<K>& b) noexcept {
  for (unsigned i = 1; i < K; ++i) {
    if (a.words[i] != b.words[i]) return a.words[i] < b.words[i];
  }
  return a.words[0] < b.words[0];
}

/// The n-gram without its first word.
template <unsigned K>
Gram<K - 1> shorter_suffix(const Gram<K>& gram) noexcept {
  Gram<K - 1> shorter;
  for (unsigned i = 0; i + 1 < K; ++i) shorter.words[i] = gram.words[i];
  return shorter;
}

/// The n-gram without its last word.
template <unsigned K>
Gram<K - 1> context_of(const Gram<K>& gram) noexcept {
  Gram<K - 1> context;
  for (unsigned i = 0; i + 1 < K; ++i) context.words[i] = gram.words[i + 1];
  return context;
}

}  // namespace dragoman::lm
