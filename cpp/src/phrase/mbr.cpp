#include "dragoman/phrase/mbr.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "dragoman/core/hash.hpp"
#include "dragoman/core/parallel.hpp"

namespace dragoman::phrase {

namespace {

constexpr std::size_t kOrder = 4;

/// Matches and totals of orders 1 to 4, length of hypothesis and reference.
using RiskCounts = std::array<double, 2 * kOrder + 2>;

struct NGram {
  std::uint64_t key;  // order and words
  std::uint32_t count;
};

/// The n-grams of a translation, sorted by key.
std::vector<NGram> ngrams_of(std::span<const TokenId> words) {
  std::vector<std::uint64_t> keys;
  for (std::size_t n = 1; n <= kOrder; ++n) {
    for (std::size_t i = 0; i + n <= words.size(); ++i) {
      const auto part = words.subspan(i, n);
      const auto hash = hash_bytes({reinterpret_cast<const char*>(part.data()), part.size_bytes()});
      keys.push_back((hash & ~std::uint64_t{3}) | (n - 1));
    }
  }
  std::ranges::sort(keys);
  std::vector<NGram> all;
  for (const auto key : keys) {
    if (all.empty() || all.back().key != key) all.push_back({key, 0});
    ++all.back().count;
  }
  return all;
}

struct RiskCandidate {
  std::vector<NGram> ngrams;
  double length;
  double probability;
};

RiskCounts compare(const RiskCandidate& hyp, const RiskCandidate& ref) {
  RiskCounts counts{};
  for (auto a = hyp.ngrams.begin(), b = ref.ngrams.begin(); a != hyp.ngrams.end() && b != ref.ngrams.end();) {
    if (a->key < b->key) {
      ++a;
    } else if (b->key < a->key) {
      ++b;
    } else {
      counts[a->key & 3] += std::min(a->count, b->count);
      ++a, ++b;
    }
  }
  for (std::size_t n = 0; n < kOrder; ++n) {
    counts[kOrder + n] = std::max(0.0, hyp.length - static_cast<double>(n));
  }
  counts[2 * kOrder] = hyp.length;
  counts[2 * kOrder + 1] = ref.length;
  return counts;
}

double bleu(const RiskCounts& counts, bool smoothed) {
  double log_p = 0;
  for (std::size_t n = 0; n < kOrder; ++n) {
    const double more = smoothed && n > 0 ? 1 : 0;
    if (counts[n] + more <= 0) return 0;
    log_p += std::log((counts[n] + more) / (counts[kOrder + n] + more)) / kOrder;
  }
  const double hyp = counts[2 * kOrder], ref = counts[2 * kOrder + 1];
  return std::exp(log_p + (hyp < ref ? 1 - ref / hyp : 0));
}

/// The same pair seen from the other side: matches are clipped alike.
RiskCounts turned(RiskCounts counts) {
  std::swap(counts[2 * kOrder], counts[2 * kOrder + 1]);
  for (std::size_t n = 0; n < kOrder; ++n) {
    counts[kOrder + n] = std::max(0.0, counts[2 * kOrder] - static_cast<double>(n));
  }
  return counts;
}

std::vector<RiskCandidate> candidates_of(std::span<const TokenId> words, std::span<const std::int64_t> word_offsets,
                                         std::span<const double> scores, std::size_t begin, std::size_t end,
                                         double scale) {
  std::vector<RiskCandidate> all(end - begin);
  const double top = *std::ranges::max_element(scores.subspan(begin, end - begin));
  double sum = 0;
  for (std::size_t p = begin; p < end; ++p) {
    const auto first = static_cast<std::size_t>(word_offsets[p]), last = static_cast<std::size_t>(word_offsets[p + 1]);
    RiskCandidate& each = all[p - begin];
    each.ngrams = ngrams_of(words.subspan(first, last - first));
    each.length = static_cast<double>(last - first);
    each.probability = std::exp(scale * (scores[p] - top));
    sum += each.probability;
  }
  for (RiskCandidate& each : all) each.probability /= sum;
  return all;
}

/// What each candidate may expect to match, by the probability of the others.
std::vector<RiskCounts> expected(const std::vector<RiskCandidate>& all) {
  std::vector<RiskCounts> sums(all.size(), RiskCounts{});
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const RiskCandidate& ref : all) {
      const RiskCounts counts = compare(all[i], ref);
      for (std::size_t k = 0; k < counts.size(); ++k) sums[i][k] += ref.probability * counts[k];
    }
  }
  return sums;
}

}  // namespace

std::vector<float> pairwise_gains(std::span<const TokenId> words, std::span<const std::int64_t> word_offsets,
                                  std::span<const std::int64_t> path_offsets, unsigned n_threads) {
  const std::size_t n = path_offsets.empty() ? 0 : path_offsets.size() - 1;
  std::vector<std::size_t> squares(n + 1, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const auto size = static_cast<std::size_t>(path_offsets[i + 1] - path_offsets[i]);
    squares[i + 1] = squares[i] + size * size;
  }
  std::vector<float> gains(squares[n]);
  const std::vector<double> alike(word_offsets.empty() ? 0 : word_offsets.size() - 1, 0.0);
  for_each_chunk(n, n_threads, [&](const Chunk& chunk) {
    for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
      const auto begin = static_cast<std::size_t>(path_offsets[i]), end = static_cast<std::size_t>(path_offsets[i + 1]);
      if (begin == end) continue;
      const auto all = candidates_of(words, word_offsets, alike, begin, end, 1);
      float* square = gains.data() + squares[i];
      for (std::size_t a = 0; a < all.size(); ++a) {
        for (std::size_t b = a; b < all.size(); ++b) {
          const RiskCounts counts = compare(all[a], all[b]);
          square[a * all.size() + b] = static_cast<float>(bleu(counts, true));
          square[b * all.size() + a] = static_cast<float>(bleu(turned(counts), true));
        }
      }
    }
  });
  return gains;
}

std::vector<std::int64_t> minimum_risk(std::span<const TokenId> words, std::span<const std::int64_t> word_offsets,
                                       std::span<const double> scores, std::span<const std::int64_t> path_offsets,
                                       const MbrOptions& options) {
  const std::size_t n = path_offsets.empty() ? 0 : path_offsets.size() - 1;
  std::vector<std::int64_t> chosen(n, -1);
  std::vector<std::vector<RiskCounts>> counts(options.document ? n : 0);
  for_each_chunk(n, options.n_threads, [&](const Chunk& chunk) {
    for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
      const auto begin = static_cast<std::size_t>(path_offsets[i]), end = static_cast<std::size_t>(path_offsets[i + 1]);
      if (begin == end) continue;
      chosen[i] = 0;
      const auto all = candidates_of(words, word_offsets, scores, begin, end, options.scale);
      if (options.document) {
        counts[i] = expected(all);
        continue;
      }
      double best = -1;
      for (std::size_t c = 0; c < all.size(); ++c) {
        double gain = 0;
        for (const RiskCandidate& ref : all) gain += ref.probability * bleu(compare(all[c], ref), true);
        // Earlier ones score better: a later one must be clearly more like the others.
        if (gain > best + 1e-12) {
          best = gain;
          chosen[i] = static_cast<std::int64_t>(c);
        }
      }
    }
  });
  if (!options.document) return chosen;
  // Expected counts of the whole text: each sentence in turn takes what is best for the text as the others stand, until
  // nothing changes.
  RiskCounts total{};
  const auto add = [&](const RiskCounts& more, double sign) {
    for (std::size_t k = 0; k < total.size(); ++k) total[k] += sign * more[k];
  };
  for (std::size_t i = 0; i < n; ++i) {
    if (chosen[i] >= 0) add(counts[i][0], 1);
  }
  constexpr int kRounds = 10;
  bool changed = true;
  for (int round = 0; round < kRounds && changed; ++round) {
    changed = false;
    for (std::size_t i = 0; i < n; ++i) {
      if (chosen[i] < 0) continue;
      const auto now = static_cast<std::size_t>(chosen[i]);
      add(counts[i][now], -1);
      std::size_t best = now;
      const auto gain = [&](std::size_t c) {
        RiskCounts sum = total;
        for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += counts[i][c][k];
        return bleu(sum, false);
      };
      double best_gain = gain(now);
      for (std::size_t c = 0; c < counts[i].size(); ++c) {
        const double each = gain(c);
        if (each > best_gain + 1e-12) best_gain = each, best = c;
      }
      changed = changed || best != now;
      chosen[i] = static_cast<std::int64_t>(best);
      add(counts[i][best], 1);
    }
  }
  return chosen;
}

}  // namespace dragoman::phrase
