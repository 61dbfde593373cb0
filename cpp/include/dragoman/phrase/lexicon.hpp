#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "dragoman/phrase/sentence_phrases.hpp"

namespace dragoman::phrase {

/// The logarithm of a product that may be smaller than any double.
class LogProduct {
 public:
  void multiply(double factor) noexcept {
    product_ *= factor;
    if (product_ > 1e-250) return;
    log_ += std::log(product_);
    product_ = 1;
  }
  double log() const noexcept { return log_ + std::log(product_); }

 private:
  double product_ = 1, log_ = 0;
};

/// For words that the empty word was never aligned to, as they can stand in a phrase.
inline constexpr float kLeastLexical = 1e-7F;

struct LexicalWeights {
  double log_source;  // log of Π over source words of the mean p(source | target word) over those they are linked to
  double log_target;  // the same the other way round
};

/// A phrase pair has no holes.
struct NoHoles {
  static constexpr bool source(std::size_t) noexcept { return false; }
  static constexpr bool target(std::size_t) noexcept { return false; }
};

/// The lexical weights of a phrase pair whose sentences begin at these places of their texts (Koehn, Och & Marcu, NAACL
/// 2003). `model` has the probabilities of a point (places of both words, number of the point) and of free words;
/// `holes` says which words, by their places in their sentences, are none of the pair's.
template <class Points, class Model, class Holes = NoHoles>
LexicalWeights lexical_weights(const Points& points, std::size_t source_at, std::size_t target_at,
                               const PhraseSpan& span, const Model& model, const Holes& holes = {}) {
  std::array<double, 256> sums;
  std::array<std::uint8_t, 256> counts;
  const std::size_t n_target = span.target_end - span.target_begin;
  std::fill_n(sums.begin(), n_target, 0.0);
  std::fill_n(counts.begin(), n_target, std::uint8_t{0});
  LogProduct source, target;
  for (std::size_t s = source_at + span.source_begin; s < source_at + span.source_end; ++s) {
    if (holes.source(s - source_at)) continue;
    double sum = 0;
    const auto first = points.at(s), last = points.at(s + 1);
    for (auto p = first; p < last; ++p) {
      const std::size_t place = target_at + points.target(p);
      sum += model.source_given_target(s, place, p);
      const std::size_t t = points.target(p) - span.target_begin;
      sums[t] += model.target_given_source(s, place, p);
      ++counts[t];
    }
    source.multiply(first == last ? model.source_given_null(s) : sum / static_cast<double>(last - first));
  }
  for (std::size_t t = 0; t < n_target; ++t) {
    if (holes.target(span.target_begin + t)) continue;
    target.multiply(counts[t] == 0 ? model.target_given_null(target_at + span.target_begin + t) : sums[t] / counts[t]);
  }
  return {source.log(), target.log()};
}

/// How often words were aligned, and hence p(target | source) and p(source | target), with the empty word on either
/// side (Koehn, Och & Marcu, NAACL 2003). The probabilities of every point of the bitext are kept, so that weighting a
/// phrase pair reads memory in its order.
class Lexicon {
 public:
  Lexicon(const AlignedBitext& bitext, const SortedPoints& points);

  LexicalWeights weights(std::size_t sentence, const PhraseSpan& span) const {
    return weights(sentence, span, NoHoles{});
  }
  template <class Holes>
  LexicalWeights weights(std::size_t sentence, const PhraseSpan& span, const Holes& holes) const {
    return lexical_weights(points_, static_cast<std::size_t>(bitext_.source_offsets[sentence]),
                           static_cast<std::size_t>(bitext_.target_offsets[sentence]), span, *this, holes);
  }

  double source_given_target(std::size_t, std::size_t, std::uint64_t point) const noexcept {
    return source_given_target_[point];
  }
  double target_given_source(std::size_t, std::size_t, std::uint64_t point) const noexcept {
    return target_given_source_[point];
  }
  double source_given_null(std::size_t place) const noexcept {
    return source_given_null_[static_cast<std::size_t>(bitext_.source[place])];
  }
  double target_given_null(std::size_t place) const noexcept {
    return target_given_null_[static_cast<std::size_t>(bitext_.target[place])];
  }

 private:
  struct Slot {
    std::uint64_t key = 0;  // 0: free
    double count = 0;
  };

  static constexpr TokenId kNull = -1;
  static std::uint64_t key(TokenId source, TokenId target) noexcept {
    return (static_cast<std::uint64_t>(source + 2) << 32) | static_cast<std::uint32_t>(target + 2);
  }
  void add(TokenId source, TokenId target, double weight);
  std::size_t place(std::uint64_t key) const noexcept;

  const AlignedBitext& bitext_;
  const SortedPoints& points_;
  std::vector<Slot> slots_;
  std::size_t n_used_ = 0;
  std::vector<double> source_totals_, target_totals_;             // by word + 1
  std::vector<float> source_given_target_, target_given_source_;  // by point
  std::vector<float> source_given_null_, target_given_null_;      // by word
};

}  // namespace dragoman::phrase
