#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dragoman::metrics {

/// Each node of a taxonomy with all that lies above it, itself among them.
struct Ancestry {
  std::vector<std::int32_t> ancestors;  // of node n: [offsets[n], offsets[n + 1]), rising
  std::vector<std::int32_t> distances;  // edges up to each
  std::vector<std::int64_t> offsets;
  std::vector<std::int64_t> n_below;  // nodes at or below a node
};

/// The ancestry of nodes whose parents are [offsets[n], offsets[n + 1]); loops, which WordNet has, do no harm.
Ancestry ancestry(std::span<const std::int32_t> parents, std::span<const std::int64_t> offsets);

/// What is known of meanings, and which of them the words of a vocabulary have.
struct Meanings {
  std::span<const std::int32_t> ancestors, distances;
  std::span<const std::int64_t> ancestor_offsets;
  std::span<const double> content;       // information, from 0 at the root to 1 at a leaf
  std::span<const double> depth;         // of a node, the root's being 1
  std::span<const double> span;          // the log of twice the depth of the node's taxonomy
  std::span<const std::int32_t> senses;  // of word w: [sense_offsets[w], sense_offsets[w + 1])
  std::span<const std::int64_t> sense_offsets;
  std::span<const std::int32_t> lemmas;  // words of one lemma are alike, whatever they mean
};

/// Resnik, Lin, Jiang & Conrath, Pirrò & Seco, Wu & Palmer, path, Leacock & Chodorow; all from 0 to 1.
constexpr std::size_t kWordSimilarities = 7;
/// The same of sentences, and the matching by the most of all seven.
constexpr std::size_t kSaganFeatures = kWordSimilarities + 1;

using WordSimilarity = std::array<double, kWordSimilarities>;

/// How alike two words are by each measure, at the meanings where that is most.
WordSimilarity word_similarity(std::int32_t a, std::int32_t b, const Meanings& meanings);

/// Twice the weight of the heaviest matching of words, by the words of both sides, for each measure.
std::array<double, kSaganFeatures> sagan(std::span<const std::int32_t> hyp, std::span<const std::int32_t> ref,
                                         const Meanings& meanings);

}  // namespace dragoman::metrics
