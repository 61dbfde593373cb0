#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dragoman::metrics {

/// Numbers 1, 2, 3 … for the words of one segment's references. Words are compared, not only their hashes. `clear` is
/// O(1). A segment has so few words that the table stays in the processor's nearest cache.
class WordIds {
 public:
  static constexpr std::uint32_t kNone = 0;

  WordIds();
  void clear();
  /// The number of a word, a new one if need be.
  std::uint32_t add(std::string_view word);
  /// The number of a word, or kNone.
  std::uint32_t find(std::string_view word) const noexcept;

 private:
  struct Place {
    std::uint64_t hash = 0;
    std::uint32_t id = 0;
    std::uint32_t generation = 0;
  };
  struct Word {
    std::size_t begin;
    std::size_t length;
  };

  std::size_t home(std::uint64_t hash) const noexcept { return hash & (places_.size() - 1); }
  bool is(std::uint32_t id, std::string_view word) const noexcept;
  void grow();

  std::vector<Place> places_;  // open addressing, a power of two, at most half full
  std::vector<Word> words_;
  std::string text_;  // the words one behind the other
  std::uint32_t generation_ = 1;
};

}  // namespace dragoman::metrics
