#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "dragoman/phrase/extract.hpp"
#include "dragoman/phrase/lexicon.hpp"
#include "dragoman/phrase/smoothing.hpp"

namespace dragoman::phrase {

// Instances are cut into parts by their source phrase. The number is fixed, so the table does not depend on threads.
inline constexpr std::size_t kSourceRanges = 64;

/// Throws data_error for what phrases cannot be extracted from.
void check_extraction(const AlignedBitext& bitext, const ExtractOptions& options);

/// What the counts of a phrase pair and of its two phrases say.
struct PairCounts {
  Evidence met;
  std::array<double, 6> orientations;  // the mass of each
  std::uint32_t n_of_target;           // pairs of its target phrase
  double target_total;
  float log_source_given_target;
};

/// The scores of a pair as they stand in a table; `overall` are the shares of orientations in the whole corpus.
inline std::array<float, 13> pair_scores(const PairCounts& pair, const LexicalWeights& weights, const Marginal& source,
                                         const PhraseSmoothing& smoothing, const ExtractOptions& options,
                                         const std::array<double, 6>& overall) {
  std::array<float, 13> all{};
  all[0] = pair.log_source_given_target;
  all[1] = static_cast<float>(weights.log_source);
  all[2] = static_cast<float>(std::log(smoothing.probability(pair.met, source, pair.n_of_target)));
  all[3] = static_cast<float>(weights.log_target);
  unsigned next = 4;
  if (options.orientation != Orientation::none) {
    for (unsigned f = 0; f < 6; ++f) {
      const double smooth = options.orientation_smoothing;
      const double p = (pair.orientations[f] + smooth * overall[f]) / (pair.met.mass + smooth);
      all[next++] = static_cast<float>(std::log(std::max(p, 1e-9)));
    }
  }
  all[next++] = static_cast<float>(pair.met.mass);
  all[next++] = static_cast<float>(source.total);
  all[next] = static_cast<float>(pair.target_total);
  return all;
}

inline unsigned n_scores_of(const ExtractOptions& options) {
  return (options.orientation == Orientation::none ? 4 : 10) + (options.keep_counts ? 3 : 0);
}

/// Of the translations of one source phrase, [begin, size), the most probable first, and only so many of them.
template <class Scored>
void keep_best(std::vector<Scored>& scored, std::size_t begin, const ExtractOptions& options) {
  std::stable_sort(scored.begin() + static_cast<std::ptrdiff_t>(begin), scored.end(),
                   [](const Scored& a, const Scored& b) {
                     if (a.scores[2] != b.scores[2]) return a.scores[2] > b.scores[2];
                     return a.scores[3] > b.scores[3];
                   });
  if (options.translations_per_phrase > 0 && scored.size() - begin > options.translations_per_phrase) {
    scored.resize(begin + options.translations_per_phrase);
  }
}

inline std::uint64_t hash_of_link(std::uint64_t hash, std::uint8_t s, std::uint8_t t) noexcept {
  hash = (hash + (static_cast<std::uint64_t>(s) << 8 | t) + 1) * 0x9E3779B97F4A7C15ULL;
  return hash ^ hash >> 29;
}

}  // namespace dragoman::phrase
