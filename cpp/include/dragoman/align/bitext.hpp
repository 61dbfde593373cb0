#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/text/word_table.hpp"

namespace dragoman::align {

using text::TokenId;

/// Sentences as ids: the words of sentence i are [offsets[i], offsets[i + 1]).
struct Side {
  std::span<const TokenId> words;
  std::span<const std::int64_t> offsets;

  std::size_t size() const noexcept { return offsets.empty() ? 0 : offsets.size() - 1; }
  std::span<const TokenId> sentence(std::size_t i) const noexcept {
    return words.subspan(static_cast<std::size_t>(offsets[i]), static_cast<std::size_t>(offsets[i + 1] - offsets[i]));
  }
  /// Sentences [begin, end), on the same words.
  Side part(std::size_t begin, std::size_t end) const noexcept {
    return {words, offsets.subspan(begin, end - begin + 1)};
  }
};

/// For every word of one side, the place of the word on the other side that it comes from, or kNull.
inline constexpr std::int32_t kNull = -1;

/// Links that are known: those of sentence i are the pairs (source place, target place) from offsets[i] to
/// offsets[i + 1]. No offsets: nothing is known.
struct Anchors {
  std::span<const std::int32_t> points;
  std::span<const std::int64_t> offsets;

  std::span<const std::int32_t> sentence(std::size_t i) const noexcept {
    if (offsets.empty()) return {};
    return points.subspan(2 * static_cast<std::size_t>(offsets[i]),
                          2 * static_cast<std::size_t>(offsets[i + 1] - offsets[i]));
  }
  Anchors part(std::size_t begin, std::size_t end) const noexcept {
    return offsets.empty() ? Anchors{} : Anchors{points, offsets.subspan(begin, end - begin + 1)};
  }
};

/// What anchors leave possible: prior model I of Okita et al. (2010). An anchored word goes with its partners only, and
/// they with it; the rest of the sentence is free.
class Mask {
 public:
  /// `allowed()[s * n_target + t]`, s counted from 1 with the empty word as 0.
  void set(std::span<const std::int32_t> points, std::size_t n_source, std::size_t n_target) {
    allowed_.assign((n_source + 1) * n_target, 1);
    for (std::size_t at = 0; at < points.size(); at += 2) {
      const auto s = static_cast<std::size_t>(points[at]) + 1, t = static_cast<std::size_t>(points[at + 1]);
      for (std::size_t k = 0; k < n_target; ++k) allowed_[s * n_target + k] = 0;
      for (std::size_t k = 0; k <= n_source; ++k) allowed_[k * n_target + t] = 0;
    }
    for (std::size_t at = 0; at < points.size(); at += 2) {
      allowed_[(static_cast<std::size_t>(points[at]) + 1) * n_target + static_cast<std::size_t>(points[at + 1])] = 1;
    }
  }
  std::span<const std::uint8_t> allowed() const noexcept { return allowed_; }

  template <class Real>
  void apply(std::span<Real> cells) const noexcept {
    for (std::size_t at = 0; at < allowed_.size(); ++at) {
      if (!allowed_[at]) cells[at] = 0;
    }
  }

 private:
  std::vector<std::uint8_t> allowed_;
};

}  // namespace dragoman::align
