#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "dragoman/phrase/sorted_points.hpp"

namespace dragoman::phrase {

/// A phrase pair of a sentence pair: [source_begin, source_end) and [target_begin, target_end).
struct PhraseSpan {
  std::uint16_t source_begin, source_end, target_begin, target_end;
};

/// The alignment of one sentence pair, looked at from both sides.
class SentenceAlignment {
 public:
  /// The sentence pair whose source begins at `source_at` of the whole text.
  void set(PointsView points, std::size_t source_at, std::size_t n_source, std::size_t n_target) {
    points_ = points;
    source_at_ = source_at;
    n_source_ = n_source;
    n_target_ = n_target;
    of_target_.assign(n_target, Extent{});
    of_source_.assign(n_source, Extent{});
    for (std::size_t source = 0; source < n_source; ++source) {
      for (auto p = points.at(source_at + source); p < points.at(source_at + source + 1); ++p) {
        const auto target = points.target(p);
        of_source_[source].add(target);
        of_target_[target].add(static_cast<std::uint16_t>(source));
      }
    }
  }

  std::size_t n_source() const noexcept { return n_source_; }
  std::size_t n_target() const noexcept { return n_target_; }
  bool linked(std::size_t source, std::size_t target) const noexcept {
    for (auto p = points_.at(source_at_ + source); p < points_.at(source_at_ + source + 1); ++p) {
      if (points_.target(p) == target) return true;
    }
    return false;
  }
  bool source_is_free(std::size_t source) const noexcept { return of_source_[source].empty(); }
  bool target_is_free(std::size_t target) const noexcept { return of_target_[target].empty(); }

  /// Call `use(PhraseSpan)` for every target span and the smallest source span it makes a consistent phrase pair with,
  /// both of at most `longest` words, in the order of target begin and end. Quadratic in the words.
  template <class Use>
  void for_each_tight(std::size_t longest, const Use& use) const {
    for (std::size_t begin = 0; begin < n_target_; ++begin) {
      Extent sources, back;  // what the target span is linked to, and what that is linked to
      for (std::size_t end = begin; end < std::min(n_target_, begin + longest); ++end) {
        const Extent& more = of_target_[end];
        if (!more.empty()) {
          const Extent before = sources;
          sources.join(more);
          if (sources.end - sources.begin > static_cast<int>(longest)) break;
          for (std::size_t s = sources.begin; s < sources.end; ++s) {
            if (!before.empty() && s == before.begin) s = before.end;  // those have been joined
            if (s < sources.end) back.join(of_source_[s]);
          }
          if (back.begin < begin) break;  // and stays so for longer spans
        }
        if (sources.empty() || back.end > end + 1) continue;
        use(PhraseSpan{sources.begin, sources.end, static_cast<std::uint16_t>(begin),
                       static_cast<std::uint16_t>(end + 1)});
      }
    }
  }

  /// Call `use(PhraseSpan)` for every consistent phrase pair with at most `longest` words on each side, in the
  /// order of target begin, target end, source begin (falling), source end.
  template <class Use>
  void for_each_phrase(std::size_t longest, const Use& use) const {
    for_each_tight(longest, [&](const PhraseSpan& tight) {
      PhraseSpan span = tight;
      for (;; --span.source_begin) {
        for (span.source_end = tight.source_end;; ++span.source_end) {
          if (static_cast<std::size_t>(span.source_end - span.source_begin) > longest) break;
          use(static_cast<const PhraseSpan&>(span));
          if (span.source_end >= n_source_ || !source_is_free(span.source_end)) break;
        }
        if (span.source_begin == 0 || !source_is_free(span.source_begin - 1u)) break;
        if (static_cast<std::size_t>(tight.source_end - span.source_begin) >= longest) break;
      }
    });
  }

  /// Call `use(PhraseSpan)` for every target span that is consistent with a source span.
  template <class Use>
  void for_each_target(std::size_t begin, std::size_t end, std::size_t longest, const Use& use) const {
    for_each_partner(of_source_, of_target_, begin, end, longest, [&](std::uint16_t first, std::uint16_t last) {
      use(PhraseSpan{static_cast<std::uint16_t>(begin), static_cast<std::uint16_t>(end), first, last});
    });
  }

  /// The number of source spans that are consistent with a target span.
  std::uint64_t n_sources(std::size_t begin, std::size_t end, std::size_t longest) const {
    std::uint64_t n = 0;
    for_each_partner(of_target_, of_source_, begin, end, longest, [&](std::uint16_t, std::uint16_t) { ++n; });
    return n;
  }

 private:
  /// The smallest span around some words, [begin, end).
  struct Extent {
    std::uint16_t begin = 0xFFFF;
    std::uint16_t end = 0;

    bool empty() const noexcept { return end == 0; }
    void add(std::uint16_t word) noexcept {
      begin = std::min(begin, word);
      end = std::max<std::uint16_t>(end, word + 1);
    }
    void join(const Extent& other) noexcept {
      begin = std::min(begin, other.begin);
      end = std::max(end, other.end);
    }
  };

  /// The spans of the other side, with at most `longest` words, that make a phrase pair with [begin, end) of this one.
  template <class Use>
  static void for_each_partner(const std::vector<Extent>& here, const std::vector<Extent>& there, std::size_t begin,
                               std::size_t end, std::size_t longest, const Use& use) {
    Extent tight;
    for (std::size_t word = begin; word < end; ++word) tight.join(here[word]);
    if (tight.empty()) return;
    for (std::size_t word = tight.begin; word < tight.end; ++word) {
      if (!there[word].empty() && (there[word].begin < begin || there[word].end > end)) return;
    }
    for (std::size_t first = tight.begin; tight.end - first <= longest; --first) {
      for (std::size_t last = tight.end; last - first <= longest; ++last) {
        use(static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(last));
        if (last == there.size() || !there[last].empty()) break;
      }
      if (first == 0 || !there[first - 1].empty()) break;
    }
  }

  PointsView points_;
  std::size_t source_at_ = 0, n_source_ = 0, n_target_ = 0;
  std::vector<Extent> of_target_, of_source_;  // the words on the other side that each is linked to
};

}  // namespace dragoman::phrase
