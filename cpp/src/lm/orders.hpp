#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "dragoman/lm/estimate.hpp"

// Private to estimate.cpp: from adjusted counts of every order to a language model.
namespace dragoman::lm {

template <unsigned K>
struct Counted {
  Gram<K> gram;
  std::uint32_t low, high;  // the count, in halves: a record has no padding

  std::uint64_t count() const noexcept { return low | static_cast<std::uint64_t>(high) << 32; }
  void set(std::uint64_t count) noexcept {
    low = static_cast<std::uint32_t>(count);
    high = static_cast<std::uint32_t>(count >> 32);
  }
};

template <unsigned K>
struct BySuffix {
  static bool less(const auto& a, const auto& b) noexcept { return suffix_less<K>(a.gram, b.gram); }
  static bool join(Counted<K>& a, const Counted<K>& b) noexcept {
    a.set(a.count() + b.count());
    return true;
  }
  static bool join(const auto&, const auto&) noexcept { return false; }
};

/// From adjusted counts to the model. Models of every order share this code, since compiling it takes long: it has the
/// levels of the highest order there is, and uses those of its own.
class Orders {
 public:
  explicit Orders(const EstimateOptions& options);
  ~Orders();

  /// The words that stay, by number.
  void keep(std::vector<char>&& kept);
  /// Take the adjusted counts of the orders `from + 1` to `to` of an n-gram; `seen` are the counts as they were.
  void take(const WordId* words, unsigned from, unsigned to, const std::uint64_t* adjusted, const std::uint64_t* seen);
  std::vector<OrderStatistics> finish(NGramSink& sink);

 private:
  class Levels;
  std::unique_ptr<Levels> levels_;
};

}  // namespace dragoman::lm
