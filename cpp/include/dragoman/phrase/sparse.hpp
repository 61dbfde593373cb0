#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include "dragoman/phrase/table.hpp"

namespace dragoman::phrase {

/// The name of a sparse feature as one number: which family it is of, and two words or small numbers. It can be read
/// back, so nothing collides and a weight can be shown by its words.
using SparseKey = std::uint64_t;

/// In a sparse feature's name: a word that no vocabulary has, and the borders of the sentence.
enum : TokenId { kSparseUnknown = -1, kSparseBegin = -2, kSparseEnd = -3 };

constexpr unsigned kSparseBits = 29;  // of each word
constexpr TokenId kSparseShift = 3;   // so that the words above are not negative

constexpr SparseKey sparse_key(unsigned family, TokenId a, TokenId b) {
  const auto code = [](TokenId word) {
    return static_cast<std::uint64_t>(word + kSparseShift) & ((std::uint64_t{1} << kSparseBits) - 1);
  };
  return static_cast<std::uint64_t>(family) << (2 * kSparseBits) | code(a) << kSparseBits | code(b);
}

/// A sparse feature of a translation and its value.
struct SparseValue {
  SparseKey key;
  float value;
};

/// Weights of sparse features; those without one weigh nothing.
class SparseWeights {
 public:
  SparseWeights() = default;
  /// Throws data_error if there is not one weight for each key, or a key comes twice.
  SparseWeights(std::span<const SparseKey> keys, std::span<const float> weights);

  float of(SparseKey key) const noexcept {
    if (slots_.empty()) return 0;
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t slot = place(key) & mask;; slot = (slot + 1) & mask) {
      if (slots_[slot].key == key) return slots_[slot].value;
      if (slots_[slot].key == kFree) return 0;
    }
  }
  /// Differs for other weights.
  std::uint64_t identity() const noexcept { return identity_; }

 private:
  static constexpr SparseKey kFree = ~SparseKey{0};
  static std::size_t place(SparseKey key) noexcept { return (key * 0x9E3779B97F4A7C15ULL) >> 32; }

  std::vector<SparseValue> slots_;  // open addressing
  std::uint64_t identity_ = 0;
};

/// What a search weighs features by.
struct Weights {
  std::span<const float> dense;
  const SparseWeights* sparse = nullptr;

  Weights(std::span<const float> all) : dense(all) {}
  Weights(const std::vector<float>& all) : dense(all) {}
  Weights(std::span<const float> all, const SparseWeights* more) : dense(all), sparse(more) {}

  float of(SparseKey key) const noexcept { return sparse ? sparse->of(key) : 0.0F; }
  std::uint64_t sparse_identity() const noexcept { return sparse ? sparse->identity() : 0; }
};

}  // namespace dragoman::phrase
