#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/phrase/extract.hpp"

namespace dragoman::phrase {

/// A phrase pair of a sentence pair: [source_begin, source_end) and [target_begin, target_end).
struct PhraseSpan {
  std::uint16_t source_begin, source_end, target_begin, target_end;
};

/// The alignment of one sentence pair, looked at from both sides.
class SentenceAlignment {
 public:
  void set(std::size_t n_source, std::size_t n_target, std::span<const Point> points) {
    n_source_ = n_source;
    n_target_ = n_target;
    low_.assign(n_target, kNone);
    high_.assign(n_target, 0);
    n_links_.assign(n_source, 0);
    links_.assign(n_source * n_target, false);
    for (const Point& point : points) {
      low_[point.target] = std::min(low_[point.target], point.source);
      high_[point.target] = std::max<std::uint16_t>(high_[point.target], point.source + 1);
      if (!links_[point.source * n_target + point.target]) ++n_links_[point.source];
      links_[point.source * n_target + point.target] = true;
    }
  }

  std::size_t n_source() const noexcept { return n_source_; }
  std::size_t n_target() const noexcept { return n_target_; }
  bool linked(std::size_t source, std::size_t target) const noexcept { return links_[source * n_target_ + target]; }
  bool source_is_free(std::size_t source) const noexcept { return n_links_[source] == 0; }
  bool target_is_free(std::size_t target) const noexcept { return low_[target] == kNone; }

  /// Call `use(PhraseSpan)` for every consistent phrase pair with at most `longest` words on each side, in the
  /// order of target begin, target end, source begin (falling), source end.
  template <class Use>
  void for_each_phrase(std::size_t longest, const Use& use) const {
    for (std::size_t begin = 0; begin < n_target_; ++begin) {
      std::uint16_t low = kNone, high = 0;
      for (std::size_t end = begin; end < std::min(n_target_, begin + longest); ++end) {
        low = std::min(low, low_[end]);
        high = std::max(high, high_[end]);
        if (low == kNone || high - low > static_cast<int>(longest)) {
          if (low == kNone) continue;
          break;
        }
        if (!closed(low, high, begin, end + 1)) continue;
        for (int source_begin = low;; --source_begin) {
          for (std::size_t source_end = high;; ++source_end) {
            if (source_end - static_cast<std::size_t>(source_begin) > longest) break;
            use(PhraseSpan{static_cast<std::uint16_t>(source_begin), static_cast<std::uint16_t>(source_end),
                           static_cast<std::uint16_t>(begin), static_cast<std::uint16_t>(end + 1)});
            if (source_end >= n_source_ || !source_is_free(source_end)) break;
          }
          if (source_begin == 0 || !source_is_free(static_cast<std::size_t>(source_begin) - 1)) break;
          if (static_cast<std::size_t>(high - source_begin) >= longest) break;
        }
      }
    }
  }

 private:
  static constexpr std::uint16_t kNone = 0xFFFF;

  /// True if no word of the source span is linked to a target word outside.
  bool closed(std::size_t low, std::size_t high, std::size_t begin, std::size_t end) const noexcept {
    for (std::size_t source = low; source < high; ++source) {
      std::uint16_t inside = 0;
      for (std::size_t target = begin; target < end; ++target) inside += linked(source, target) ? 1 : 0;
      if (inside != n_links_[source]) return false;
    }
    return true;
  }

  std::size_t n_source_ = 0, n_target_ = 0;
  std::vector<std::uint16_t> low_, high_;  // of each target word: its source words lie in [low, high)
  std::vector<std::uint16_t> n_links_;     // of each source word
  std::vector<bool> links_;
};

}  // namespace dragoman::phrase
