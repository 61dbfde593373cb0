#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/core/huge_pages.hpp"

namespace dragoman::syntax {

/// A feature of a decision, known by a hash of its template and values. Two features that share 64 bits share weights.
using Feature = std::uint64_t;

/// One more value for a hash; the order of values matters. The 64×64→128 bit product folded onto itself.
inline Feature mix(Feature hash, std::uint64_t value) noexcept {
  const auto product = static_cast<unsigned __int128>((hash ^ value) + 0x243F6A8885A308D3) * 0x9E3779B97F4A7C15;
  return static_cast<Feature>(product) ^ static_cast<Feature>(product >> 64);
}

/// The most features that a decision may have.
inline constexpr std::size_t kMostFeatures = 192;

/// What a linear model learnt, as arrays: keys rise; key k has `counts[k]` of the entries, in order.
struct SparseWeights {
  std::vector<Feature> keys;
  std::vector<std::uint32_t> counts;
  std::vector<std::uint16_t> classes;
  std::vector<float> weights;

  /// Throws data_error if the arrays do not fit each other.
  void check() const;
};

/// The mean of several models; what is nearer to zero than `smallest` is left out. A model that lacks an entry has a
/// zero there. Perceptrons that met the same sentences in different orders differ by chance, their mean less so.
SparseWeights mean_of(std::span<const SparseWeights> models, double smallest);

/// A linear model to decide with: for every feature the classes that it speaks for or against.
class Weights {
 public:
  Weights() = default;
  /// Throws data_error if the arrays do not fit each other or name a class that is none.
  Weights(const SparseWeights& arrays, std::size_t n_classes);

  std::size_t n_classes() const noexcept { return n_classes_; }
  /// The sum of what the features say, one score for each class. At most kMostFeatures.
  void score(std::span<const Feature> features, std::span<float> scores) const noexcept;

 private:
  struct Slot {
    std::uint32_t check = 0;
    std::uint32_t begin = 0;  // 0: empty, since entry 0 is nobody's
  };
  struct Entry {
    std::uint16_t klass;
    std::uint16_t last;  // 1: the feature's last
    float weight;
  };

  std::size_t n_classes_ = 0;
  std::size_t mask_ = 0;
  std::vector<Slot, HugePages<Slot>> slots_ = std::vector<Slot, HugePages<Slot>>(1);
  std::vector<Entry, HugePages<Entry>> entries_;
};

/// A linear model while it learns: the averaged perceptron (Freund & Schapire 1999; Collins 2002). A weight's average
/// is kept by the time of its last change, so that a step costs no more than the weights it changes.
class Learner {
 public:
  explicit Learner(std::size_t n_classes);

  void score(std::span<const Feature> features, std::span<float> scores) const noexcept;
  /// Speak for one class and against another.
  void update(std::span<const Feature> features, std::uint16_t right, std::uint16_t wrong);
  /// One decision has passed.
  void tick() noexcept { ++now_; }

  /// The averages over all decisions so far.
  SparseWeights average() const;

 private:
  struct Row {
    Feature key = 0;
    std::uint32_t begin = 0;
    std::uint16_t size = 0;  // 0: an empty slot
    std::uint16_t capacity = 0;
  };
  struct Cell {
    std::uint16_t klass = 0;
    float weight = 0;
  };
  struct Past {
    std::int64_t since = 0;  // when the weight changed last
    double total = 0;        // of the weight over all decisions until then
  };

  std::size_t find(Feature key) const noexcept;
  void add(Row& row, std::uint16_t klass, float value);
  void grow();

  std::size_t n_classes_;
  std::size_t used_ = 0;
  std::int64_t now_ = 0;
  std::vector<Row> rows_;
  std::vector<Cell> cells_;
  std::vector<Past> past_;  // of the cells
};

}  // namespace dragoman::syntax
