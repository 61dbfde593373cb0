#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "dragoman/core/bytes.hpp"
#include "dragoman/grammar/score.hpp"
#include "dragoman/phrase/link_counts.hpp"

/// Rule extraction of a text that is larger than memory, in steps that see a part each; together they give the table
/// that `score_rules` gives of the whole, byte for byte:
///   1. `score_rules` with `as_run`: a part of the text → a sorted run of its rules; `phrase::count_links` beside it;
///   2. `merge_rules`: a range of source sides in the runs of all parts → the rules of the corpus, with their counts;
///   3. `add_up_rule_targets`: one shard of the target sides, over all ranges in their order → what p(s|t) needs;
///   4. `score_range`: one range → its lines of the table.
/// What passes between them are bytes that lie in memory or in mapped files, at multiples of eight.
namespace dragoman::grammar {

inline constexpr std::size_t kRuleShards = 64;  // of target sides

struct RuleRun {
  std::string_view rules;
  std::span<const RuleMark> marks;
};

struct MergedRules {
  std::vector<Bytes> targets;                   // by shard: what rules tell their target sides
  std::vector<std::uint64_t> counts_of_counts;  // [c]: rules met c times; those of ranges are added up
  std::uint64_t n_kept = 0;                     // rules that the test text can match
};

/// The rules whose source sides have keys from `begin` on and below `end`; those that are kept are given to `write`.
MergedRules merge_rules(std::span<const RuleRun> runs, const SourceKey& begin, const std::optional<SourceKey>& end,
                        const Symbols& symbols, const TestText& test,
                        const std::function<void(std::string_view)>& write);

/// Of one shard, what `merge_rules` gave of each range, in the order of ranges, with how many rules each has kept; the
/// answers are by range.
std::vector<Bytes> add_up_rule_targets(std::span<const std::string_view> ranges, std::span<const std::uint64_t> n_kept,
                                       const std::vector<std::uint64_t>& counts_of_counts, phrase::Smoothing smoothing);

/// The lines of a range; `answers` are those of all shards for it, `before` how many rules earlier ranges have kept.
RuleStatistics score_range(std::string_view rules, std::span<const std::string_view> answers, std::uint64_t before,
                           const phrase::LinkCountsView& links, const Symbols& symbols,
                           const std::vector<std::uint64_t>& counts_of_counts, const ScoreOptions& options,
                           const std::function<void(std::string_view)>& write);

}  // namespace dragoman::grammar
