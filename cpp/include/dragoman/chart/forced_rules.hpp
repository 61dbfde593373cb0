#pragma once

#include <memory>

#include "dragoman/chart/rule_table.hpp"
#include "dragoman/grammar/extract.hpp"
#include "dragoman/phrase/forced.hpp"

namespace dragoman::chart {

/// What phrase::forced_use does, by hierarchical rules without labels. The table has the counts of the target side, the
/// source side and the rule as its last three scores (as all scores their logarithms), and the numbers of the bitext's
/// words; `span` is how many source words a rule with gaps may cover. `weights` are those of an engine with the other
/// scores and no language model. How often rules were used is not counted.
phrase::ForcedUse forced_rules(const RuleTable& table, const phrase::AlignedBitext& bitext,
                               const grammar::Symbols& symbols, const grammar::HieroOptions& hiero, unsigned span,
                               std::span<const TokenId> copies, std::span<const float> weights,
                               const phrase::DecodeOptions& limits, const phrase::ForcedOptions& options);

/// The rules that are used, without their counts; of a word that would be left without a rule of its own, the `restore`
/// most probable.
std::unique_ptr<RuleTable> prune_rules(const RuleTable& table, std::span<const std::uint8_t> used, unsigned restore,
                                       bool quantised);

}  // namespace dragoman::chart
