#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dragoman/core/errors.hpp"
#include "dragoman/phrase/extract.hpp"

namespace dragoman::phrase {

/// The points of a text in the order of its source words, as they lie somewhere.
struct PointsView {
  std::span<const std::uint64_t> offsets;  // by source word of the whole text, one more
  std::span<const std::uint16_t> targets;

  /// Where the points of a source word begin, which is counted over the whole text; they end where the next one's
  /// begin.
  std::uint64_t at(std::size_t source_word) const noexcept { return offsets[source_word]; }
  /// The target word of a point, counted from its sentence's first.
  std::uint16_t target(std::uint64_t point) const noexcept { return targets[point]; }
};

/// The points of a bitext in the order of its source words, each once. The links of a consistent phrase pair are those
/// of its source words and hence lie together.
class SortedPoints {
 public:
  /// Throws data_error for a point outside its sentences, and for offsets or weights that are none.
  explicit SortedPoints(const AlignedBitext& bitext) {
    check_offsets(bitext.source_offsets, bitext.source.size(), "source");
    check_offsets(bitext.target_offsets, bitext.target.size(), "target");
    check_offsets(bitext.point_offsets, bitext.points.size(), "alignment");
    check_weights(bitext);
    offsets_.reserve(bitext.source.size() + 1);
    targets_.reserve(bitext.points.size());
    std::vector<Point> points;
    const auto earlier = [](const Point& a, const Point& b) {
      return a.source != b.source ? a.source < b.source : a.target < b.target;
    };
    for (std::size_t i = 0; i < bitext.size(); ++i) {
      const auto n_source = static_cast<std::size_t>(bitext.source_offsets[i + 1] - bitext.source_offsets[i]);
      const auto n_target = static_cast<std::size_t>(bitext.target_offsets[i + 1] - bitext.target_offsets[i]);
      if (std::max(n_source, n_target) > kLongestSentence) refuse(i, n_source, n_target);
      const auto first = bitext.points.begin() + bitext.point_offsets[i];
      points.assign(first, bitext.points.begin() + bitext.point_offsets[i + 1]);
      for (const Point& point : points) {
        if (point.source >= n_source || point.target >= n_target) refuse(i, n_source, n_target, point);
      }
      if (!std::is_sorted(points.begin(), points.end(), earlier)) std::sort(points.begin(), points.end(), earlier);
      std::size_t next = 0;
      for (std::size_t source = 0; source < n_source; ++source) {
        offsets_.push_back(targets_.size());
        for (; next < points.size() && points[next].source == source; ++next) {
          const bool again =
              next > 0 && points[next - 1].source == source && points[next - 1].target == points[next].target;
          if (!again) targets_.push_back(points[next].target);
        }
      }
    }
    offsets_.push_back(targets_.size());
  }

  PointsView view() const noexcept { return {offsets_, targets_}; }
  std::uint64_t at(std::size_t source_word) const noexcept { return offsets_[source_word]; }
  std::uint16_t target(std::uint64_t point) const noexcept { return targets_[point]; }
  std::size_t size() const noexcept { return targets_.size(); }

 private:
  static constexpr std::size_t kLongestSentence = 4000;  // orientations take memory quadratic in the words

  static void check_offsets(std::span<const std::int64_t> offsets, std::size_t size, const char* what) {
    bool good = offsets.empty() || (offsets.front() == 0 && offsets.back() == static_cast<std::int64_t>(size));
    for (std::size_t i = 1; i < offsets.size() && good; ++i) good = offsets[i - 1] <= offsets[i];
    if (!good) {
      throw data_error(std::string("The offsets of the ") + what + " must rise from 0 to its size, " +
                       std::to_string(size) + ".");
    }
  }
  static void check_weights(const AlignedBitext& bitext) {
    if (!bitext.weights.empty() && bitext.weights.size() != bitext.size()) {
      throw data_error("There are " + std::to_string(bitext.weights.size()) + " weights for " +
                       std::to_string(bitext.size()) + " sentence pairs.");
    }
    if (std::ranges::any_of(bitext.weights, [](float weight) { return !(weight >= 0) || std::isinf(weight); })) {
      throw data_error("The weight of a sentence pair is a number from 0 on.");
    }
  }
  [[noreturn]] static void refuse(std::size_t pair, std::size_t n_source, std::size_t n_target) {
    throw data_error("Sentence pair " + std::to_string(pair + 1) + " has " + std::to_string(n_source) + " and " +
                     std::to_string(n_target) + " words; phrases are extracted from sentences of at most " +
                     std::to_string(kLongestSentence) + ". Leave it out: dragoman corpus clean.");
  }
  [[noreturn]] static void refuse(std::size_t pair, std::size_t n_source, std::size_t n_target, const Point& point) {
    throw data_error("Sentence pair " + std::to_string(pair + 1) + " has " + std::to_string(n_source) + " and " +
                     std::to_string(n_target) + " words, but its alignment has the point " +
                     std::to_string(point.source) + "-" + std::to_string(point.target) + ", counted from 0.");
  }

  std::vector<std::uint64_t> offsets_;  // by source word of the whole text, one more
  std::vector<std::uint16_t> targets_;
};

}  // namespace dragoman::phrase
