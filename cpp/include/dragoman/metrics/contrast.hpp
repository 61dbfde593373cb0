#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/metrics/batch.hpp"

namespace dragoman::metrics {

/// For each word, in order, whether the other text of the same segment still has one of its kind: found[k] is 1 for as
/// many first occurrences of a word as the other text has. Linear in both. Ids are not negative.
std::vector<std::uint8_t> found_words(const IdBatch& words, const IdBatch& others, unsigned n_threads);

/// N-grams of references and how often systems have them where a reference of the segment does.
struct NgramMatches {
  // The n-grams as a tree: n-gram k is n-gram parents[k] followed by words[k], -1 standing for none. A parent comes
  // before its children.
  std::vector<std::int32_t> parents;
  std::vector<std::int32_t> words;
  std::vector<std::int64_t> counts;  // counts[s * parents.size() + k]: matches of system s
};

/// The n-grams up to `order`, in each segment matched at most as often as the reference that has it most often. Each
/// segment is digested once for all systems. Linear in the text times the order.
NgramMatches match_ngrams(std::size_t order, std::span<const IdBatch> systems, std::span<const IdBatch> refs,
                          Presence present, unsigned n_threads);

}  // namespace dragoman::metrics
