#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/align/jumps.hpp"
#include "dragoman/align/sampler.hpp"
#include "dragoman/core/random.hpp"

namespace dragoman::align {

/// Jump probabilities by width, without classes: as wide as the longest sentence needs.
class JumpTable {
 public:
  JumpTable(const Jumps& jumps, std::size_t longest) : middle_(longest + 2), p_(2 * longest + 5) {
    const double total = [&] {
      double sum = 0;
      for (const double weight : jumps.weights()) sum += weight;
      return sum;
    }();
    const std::size_t max = jumps.max();
    for (std::size_t at = 0; at < p_.size(); ++at) {
      const auto width = static_cast<std::ptrdiff_t>(at) - static_cast<std::ptrdiff_t>(middle_);
      const auto limit = static_cast<std::ptrdiff_t>(max) + 1;
      const auto index = static_cast<std::size_t>(std::clamp(width, -limit, limit) + limit);
      p_[at] = static_cast<float>(jumps.weights()[index] / total);
    }
  }
  /// p_[width] may be asked for.
  const float* middle() const noexcept { return p_.data() + middle_; }

 private:
  std::size_t middle_;
  std::vector<float> p_;
};

/// φ(f + 1) / φ(f) by source word: what one target word more costs.
class FertilityRatios {
 public:
  FertilityRatios() = default;
  explicit FertilityRatios(std::span<const float> fertilities) : ratios_(fertilities.size(), 1) {
    for (std::size_t at = 0; at < fertilities.size(); at += kFertilities) {
      for (std::size_t f = 0; f + 1 < kFertilities; ++f) {
        ratios_[at + f] = fertilities[at + f + 1] / fertilities[at + f];
      }
      ratios_[at + kFertilities - 1] = ratios_[at + kFertilities - 2];
    }
  }
  bool empty() const noexcept { return ratios_.empty(); }
  const float* of(TokenId word) const noexcept {
    static constexpr float kOnes[kFertilities] = {1, 1, 1, 1, 1, 1, 1, 1};
    const std::size_t at = static_cast<std::size_t>(word) * kFertilities;
    return at < ratios_.size() ? ratios_.data() + at : kOnes;
  }

 private:
  std::vector<float> ratios_;
};

/// Draws the links of one sentence pair anew, word by word. Scratch of one thread.
class GibbsSentence {
 public:
  /// `words` gives the weight of a pair (`weight(s, t)`, the empty word being s = 0) and is told of links that go and
  /// come (`remove(s, t)`, `add(s, t)`). With `kept`, the conditional probabilities are added to it.
  template <class Words>
  void resample(Words& words, std::span<const TokenId> source, std::span<std::int32_t> links, const JumpTable& jumps,
                const FertilityRatios& fertilities, double p_null, const Mask* mask, CounterStream random,
                std::uint64_t& counter, float* kept) {
    const std::size_t n_source = source.size(), n_target = links.size();
    const float* const jump = jumps.middle();
    const auto null_share = static_cast<float>(p_null), word_share = static_cast<float>(1 - p_null);
    weights_.resize(n_source + 1);
    n_linked_.assign(n_source, 0);
    ratios_.resize(n_source);
    for (std::size_t s = 0; s < n_source; ++s) ratios_[s] = fertilities.of(source[s]);
    next_.resize(n_target + 1);
    next_[n_target] = static_cast<std::int32_t>(n_source);
    for (std::size_t t = n_target; t-- > 0;) {
      next_[t] = links[t] == kNull ? next_[t + 1] : links[t];
      if (links[t] != kNull) ++n_linked_[static_cast<std::size_t>(links[t])];
    }
    std::int32_t before = -1;  // the place of the last link
    for (std::size_t t = 0; t < n_target; ++t) {
      const std::int32_t old = links[t], next = next_[t + 1];
      words.remove(static_cast<std::size_t>(old + 1), t);
      if (old != kNull) --n_linked_[static_cast<std::size_t>(old)];
      const float* const from = jump - before;  // [place]: from the last link to there
      const float* const to = jump + next;      // [−place]: from there to the next one
      weights_[0] = words.weight(0, t) * null_share * from[next];
      for (std::size_t s = 0; s < n_source; ++s) {
        const std::size_t linked = std::min<std::size_t>(n_linked_[s], kFertilities - 1);
        const auto place = static_cast<std::ptrdiff_t>(s);
        weights_[s + 1] = words.weight(s + 1, t) * from[place] * to[-place] * ratios_[s][linked] * word_share;
      }
      if (mask != nullptr) {
        for (std::size_t s = 0; s <= n_source; ++s) {
          if (!mask->allowed()[s * n_target + t]) weights_[s] = 0;
        }
      }
      double total = 0;
      for (const float weight : weights_) total += static_cast<double>(weight);
      std::size_t drawn = 0;
      if (total > 0) {
        double left = static_cast<double>(random.bits(counter++) >> 11) * 0x1p-53 * total;
        // Rounding may leave a little at the end: the last word with a weight takes it.
        for (std::size_t s = 0; s <= n_source; ++s) {
          if (weights_[s] <= 0) continue;
          drawn = s;
          left -= static_cast<double>(weights_[s]);
          if (left < 0) break;
        }
        if (kept != nullptr) {
          const auto scale = static_cast<float>(1 / total);
          for (std::size_t s = 0; s <= n_source; ++s) kept[s * n_target + t] += weights_[s] * scale;
        }
      }
      words.add(drawn, t);
      links[t] = static_cast<std::int32_t>(drawn) - 1;
      if (links[t] == kNull) continue;
      ++n_linked_[static_cast<std::size_t>(links[t])];
      before = links[t];
    }
  }

  /// How many target words each source word has, after `resample`.
  std::span<const std::uint32_t> n_linked() const noexcept { return n_linked_; }

 private:
  std::vector<float> weights_;
  std::vector<std::uint32_t> n_linked_;
  std::vector<const float*> ratios_;
  std::vector<std::int32_t> next_;
};

}  // namespace dragoman::align
