#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "dragoman/phrase/engine.hpp"
#include "dragoman/phrase/table.hpp"

namespace dragoman::phrase {

/// A source word and a target word of one sentence pair that are aligned.
struct Point {
  std::uint16_t source;
  std::uint16_t target;
};

/// Sentence pairs as ids, with their word alignment: those of pair i are [offsets[i], offsets[i + 1]).
struct AlignedBitext {
  std::span<const TokenId> source, target;
  std::span<const std::int64_t> source_offsets, target_offsets;
  std::span<const Point> points;
  std::span<const std::int64_t> point_offsets;
  std::span<const float> weights = {};  // what each pair counts when phrases are extracted, 0 or more; none: 1 each

  double weight(std::size_t pair) const noexcept { return weights.empty() ? 1.0 : weights[pair]; }
  std::size_t size() const noexcept { return source_offsets.empty() ? 0 : source_offsets.size() - 1; }
};

/// How phrase probabilities are made from counts (Foster, Kuhn & Johnson, EMNLP 2006).
enum class Smoothing : std::uint8_t { none, good_turing, kneser_ney };

struct ExtractOptions {
  unsigned longest = 7;                         // words of a phrase, on either side; at most 255
  Smoothing smoothing = Smoothing::none;        // of p(s|t) and p(t|s)
  Orientation orientation = Orientation::word;  // none: no orientation scores
  double orientation_smoothing = 0.5;           // weight of the orientations of all phrases together
  unsigned translations_per_phrase = 100;       // of one source phrase, the most probable; 0: all
  bool keep_counts = true;                      // three more scores: how often pair, source and target were met
  unsigned n_threads = 1;
};

struct ExtractStatistics {
  std::uint64_t n_instances = 0;  // phrase pairs of sentence pairs
  std::uint64_t n_pairs = 0;      // different ones
  std::uint64_t n_kept = 0;
  std::array<double, 6> orientations{};  // before and behind: monotone, swap, discontinuous; sums of weights
};

/// All phrase pairs that are consistent with the alignment (Och & Ney 2004), with four scores each (log): p(s|t), its
/// lexical weight, p(t|s), its lexical weight; six of orientation, if asked for; three counts, if asked for. Linear in
/// the bitext. With weights of sentence pairs all counts are sums of weights, and a pair of weight 0 is not there.
/// Throws data_error for a point outside its sentences and for weights that are none.
std::unique_ptr<PhraseTable> extract(const AlignedBitext& bitext, const ExtractOptions& options,
                                     ExtractStatistics& statistics);

}  // namespace dragoman::phrase
