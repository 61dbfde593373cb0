#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "dragoman/core/bytes.hpp"
#include "dragoman/phrase/extract.hpp"
#include "dragoman/phrase/link_counts.hpp"

/// Phrase extraction of a text that is larger than memory, in steps that see a part each; together they give the table
/// that `extract` gives of the whole, byte for byte:
///   1. `collect_pairs`: a part of the text → sorted runs of its phrase pairs, one for each range of source phrases,
///   and
///      how often its words were linked;
///   2. `merge_pairs`: the runs of one range, of all parts in their order → the pairs of the corpus, with their counts;
///   3. `add_up_targets`: one shard of the target phrases, over all ranges in their order → what p(s|t) needs;
///   4. `score_pairs`: one range → its rows of the table;
///   5. `PhraseTable::write_joined`: the tables of all ranges → one.
/// What passes between them are bytes that lie in memory or in mapped files, at multiples of eight.
namespace dragoman::phrase {

struct CollectedPairs {
  std::vector<Bytes> runs;  // by range
  LinkCounts links;
};
/// Weights of sentence pairs are not looked at: sums of them would depend on the cut.
CollectedPairs collect_pairs(const AlignedBitext& bitext, const ExtractOptions& options);

/// What smoothing must know of the whole corpus; that of ranges is added up.
struct PairStatistics {
  std::vector<std::uint64_t> counts_of_counts;  // [c]: pairs met c times
  std::uint64_t n_pairs = 0, n_instances = 0;
  std::array<std::uint64_t, 6> orientations{};
};

struct MergedPairs {
  Bytes pairs;
  std::vector<Bytes> targets;  // by shard: hashes and counts of the pairs, in their order
  PairStatistics statistics;
};
MergedPairs merge_pairs(std::span<const std::string_view> runs);

/// Of one shard, what `merge_pairs` gave of each range, in the order of ranges; so is the answer.
std::vector<Bytes> add_up_targets(std::span<const std::string_view> ranges, const PairStatistics& statistics,
                                  Smoothing smoothing);

/// The rows of a range; `targets` are the answers of all shards for it.
std::unique_ptr<PhraseTable> score_pairs(std::string_view pairs, std::span<const std::string_view> targets,
                                         const LinkCountsView& links, const PairStatistics& statistics,
                                         const ExtractOptions& options);

}  // namespace dragoman::phrase
