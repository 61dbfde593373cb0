#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/phrase/lexicon.hpp"

namespace dragoman::phrase {

/// How often words were aligned to each other and to nothing, for a text that grows: counts that lie in a file are not
/// touched, those of later sentences stand beside them.
class LexicalCounts {
 public:
  struct Slot {
    std::uint64_t key = 0;  // 0: free
    std::uint64_t count = 0;
  };
  /// The arrays of a file.
  struct Arrays {
    std::span<const Slot> slots;
    std::span<const std::uint64_t> source_totals, target_totals;  // by word + 1; the empty word's first
  };

  LexicalCounts() = default;
  explicit LexicalCounts(const Arrays& file) : file_(file) {}

  static constexpr TokenId kNull = -1;
  void add(TokenId source, TokenId target, std::uint64_t count = 1);

  /// p(source | target), p(target | source); as floats, which is how tables are made of them.
  float source_given_target(TokenId source, TokenId target) const noexcept {
    return probability(count(source, target), total(file_.target_totals, target_totals_, target));
  }
  float target_given_source(TokenId source, TokenId target) const noexcept {
    return probability(count(source, target), total(file_.source_totals, source_totals_, source));
  }
  float source_given_null(TokenId source) const noexcept {
    return count(source, kNull) == 0 ? kLeastLexical : source_given_target(source, kNull);
  }
  float target_given_null(TokenId target) const noexcept {
    return count(kNull, target) == 0 ? kLeastLexical : target_given_source(kNull, target);
  }

  /// All counts in arrays of their own, as a file takes them; what lay in a file is copied.
  void gather();
  /// After `gather`.
  Arrays arrays() const noexcept { return {slots_, source_totals_, target_totals_}; }

 private:
  static std::uint64_t key(TokenId source, TokenId target) noexcept {
    return (static_cast<std::uint64_t>(source + 2) << 32) | static_cast<std::uint32_t>(target + 2);
  }
  static std::size_t place(std::span<const Slot> slots, std::uint64_t key) noexcept {
    std::uint64_t mixed = key * 0x9E3779B97F4A7C15ULL;
    mixed ^= mixed >> 32;
    std::size_t slot = mixed & (slots.size() - 1);
    while (slots[slot].key != 0 && slots[slot].key != key) slot = (slot + 1) & (slots.size() - 1);
    return slot;
  }
  static float probability(std::uint64_t count, std::uint64_t total) noexcept {
    return static_cast<float>(static_cast<double>(count) / static_cast<double>(total));
  }
  static std::uint64_t total(std::span<const std::uint64_t> file, const std::vector<std::uint64_t>& more,
                             TokenId word) noexcept {
    const auto at = static_cast<std::size_t>(word + 1);
    return (at < file.size() ? file[at] : 0) + (at < more.size() ? more[at] : 0);
  }
  std::uint64_t count(TokenId source, TokenId target) const noexcept {
    const std::uint64_t wanted = key(source, target);
    std::uint64_t sum = file_.slots.empty() ? 0 : file_.slots[place(file_.slots, wanted)].count;
    if (!slots_.empty()) sum += slots_[place(slots_, wanted)].count;
    return sum;
  }

  Arrays file_;
  std::vector<Slot> slots_;
  std::size_t n_used_ = 0;
  std::vector<std::uint64_t> source_totals_, target_totals_;
};

}  // namespace dragoman::phrase
