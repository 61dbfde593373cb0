#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "dragoman/phrase/lexicon.hpp"

namespace dragoman::grammar {

using phrase::AlignedBitext;
using phrase::TokenId;

/// Relative frequencies of aligned words for any two words, whether or not a rule links them; the empty word is one of
/// those that a word is aligned to.
class WordPairs {
 public:
  WordPairs(const AlignedBitext& bitext, const phrase::SortedPoints& points) {
    std::vector<bool> linked(bitext.target.size());
    for (std::size_t i = 0; i < bitext.size(); ++i) {
      const double weight = bitext.weight(i);
      if (weight == 0) continue;
      const auto target_at = static_cast<std::size_t>(bitext.target_offsets[i]);
      for (auto s = static_cast<std::size_t>(bitext.source_offsets[i]);
           s < static_cast<std::size_t>(bitext.source_offsets[i + 1]); ++s) {
        if (points.at(s) == points.at(s + 1)) add(bitext.source[s], kNull, weight);
        for (auto p = points.at(s); p < points.at(s + 1); ++p) {
          const std::size_t t = target_at + points.target(p);
          linked[t] = true;
          add(bitext.source[s], bitext.target[t], weight);
        }
      }
      for (auto t = target_at; t < static_cast<std::size_t>(bitext.target_offsets[i + 1]); ++t) {
        if (!linked[t]) add(kNull, bitext.target[t], weight);
      }
    }
  }

  /// Π over the words of 1 − Π over the given ones of 1 − p(word | given).
  double noisy_or(std::span<const TokenId> words, std::span<const TokenId> given, bool of_target) const {
    phrase::LogProduct product;
    for (const TokenId word : words) {
      double none = 1;
      for (const TokenId other : given) none *= 1 - probability(word, other, of_target);
      product.multiply(std::max<double>(1 - none, phrase::kLeastLexical));
    }
    return product.log();
  }

  /// Π over the words of the mean p(word | given), the empty word being one of those given.
  double mean(std::span<const TokenId> words, std::span<const TokenId> given, bool of_target) const {
    phrase::LogProduct product;
    for (const TokenId word : words) {
      double sum = probability(word, kNull, of_target);
      for (const TokenId other : given) sum += probability(word, other, of_target);
      product.multiply(std::max<double>(sum / static_cast<double>(given.size() + 1), phrase::kLeastLexical));
    }
    return product.log();
  }

  /// How many words are less probable than the average of each given one's, that is to say inserted (Huck & Ney 2012).
  unsigned n_inserted(std::span<const TokenId> words, std::span<const TokenId> given, bool of_target) const {
    unsigned n = 0;
    for (const TokenId word : words) {
      bool is_inserted = true;
      for (const TokenId other : given) {
        is_inserted = is_inserted && probability(word, other, of_target) < 1.0 / total(other, of_target).n_words;
      }
      n += is_inserted ? 1 : 0;
    }
    return n;
  }

 private:
  static constexpr TokenId kNull = -1;
  struct Total {
    double count = 0;
    std::uint32_t n_words = 0;  // different ones of the other side: the mean probability is one in so many
  };

  static std::uint64_t key(TokenId source, TokenId target) noexcept {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(source)) << 32 | static_cast<std::uint32_t>(target);
  }

  void add(TokenId source, TokenId target, double weight) {
    double& count = counts_[key(source, target)];
    for (auto& [totals, word] : {std::pair{&sources_, source}, std::pair{&targets_, target}}) {
      const auto at = static_cast<std::size_t>(word + 1);
      if (at >= totals->size()) totals->resize(at + at / 2 + 1);
      (*totals)[at].count += weight;
      (*totals)[at].n_words += count == 0 ? 1 : 0;
    }
    count += weight;
  }

  /// Of a given word: of the source if probabilities are those of target words.
  const Total& total(TokenId given, bool of_target) const {
    return (of_target ? sources_ : targets_)[static_cast<std::size_t>(given + 1)];
  }

  double probability(TokenId word, TokenId given, bool of_target) const {
    const auto place = counts_.find(of_target ? key(given, word) : key(word, given));
    return place == counts_.end() ? 0 : place->second / total(given, of_target).count;
  }

  std::unordered_map<std::uint64_t, double> counts_;
  std::vector<Total> sources_, targets_;  // by word + 1
};

}  // namespace dragoman::grammar
