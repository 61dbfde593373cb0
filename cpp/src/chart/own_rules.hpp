#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "dragoman/chart/rule_table.hpp"
#include "dragoman/core/hash.hpp"
#include "dragoman/grammar/extract.hpp"

namespace dragoman::chart {

/// How much of the counts of rules, and of their sides, comes from one sentence pair. Gaps are told apart by their
/// order alone.
class OwnRules {
 public:
  struct Counts {
    double source = 0, target = 0, rule = 0;
  };

  OwnRules(const phrase::AlignedBitext& bitext, std::unique_ptr<grammar::RuleSource> source)
      : bitext_(bitext), source_(std::move(source)) {}

  void count(std::size_t sentence) {
    clear();
    const auto source_at = static_cast<std::size_t>(bitext_.source_offsets[sentence]);
    const auto target_at = static_cast<std::size_t>(bitext_.target_offsets[sentence]);
    source_->rules(sentence, [&](const grammar::RuleSpans& rule, std::uint64_t count) {
      const double share = static_cast<double>(count) / static_cast<double>(grammar::kOne);
      put(source_side_, bitext_.source.subspan(source_at), rule, &phrase::PhraseSpan::source_begin,
          &phrase::PhraseSpan::source_end);
      put(target_side_, bitext_.target.subspan(target_at), rule, &phrase::PhraseSpan::target_begin,
          &phrase::PhraseSpan::target_end);
      const auto source = hash_of(source_side_);
      sources_[source] += share;
      targets_[hash_of(target_side_)] += share;
      rules_[hash_of(target_side_, source)] += share;
    });
  }
  void clear() {
    sources_.clear();
    targets_.clear();
    rules_.clear();
  }

  /// What is known of a rule of a table.
  Counts of(std::span<const TokenId> source, const RuleView& rule) {
    source_side_.clear();
    for (TokenId gap = -1; const TokenId symbol : source) {
      source_side_.push_back(is_gap_symbol(symbol) ? gap-- : symbol);
    }
    target_side_.clear();
    for (const TokenId symbol : rule.target) {
      target_side_.push_back(graph::is_gap(symbol) ? -1 - static_cast<TokenId>(graph::tail_of(symbol)) : symbol);
    }
    const auto hash = hash_of(source_side_);
    return {found(sources_, hash), found(targets_, hash_of(target_side_)), found(rules_, hash_of(target_side_, hash))};
  }

 private:
  using Sums = std::unordered_map<std::uint64_t, double>;

  static std::uint64_t hash_of(std::span<const TokenId> side, std::uint64_t seed = 0) {
    return hash_bytes({reinterpret_cast<const char*>(side.data()), side.size_bytes()}, seed);
  }
  static double found(const Sums& sums, std::uint64_t hash) {
    const auto at = sums.find(hash);
    return at == sums.end() ? 0 : at->second;
  }

  /// The symbols of one side: words, and −1, −2 … for the gaps in the order of the source.
  static void put(std::vector<TokenId>& side, std::span<const TokenId> words, const grammar::RuleSpans& rule,
                  std::uint16_t phrase::PhraseSpan::* begin, std::uint16_t phrase::PhraseSpan::* end) {
    side.clear();
    for (std::size_t i = rule.whole.*begin; i < rule.whole.*end;) {
      std::size_t gap = 0;
      while (gap < rule.gaps.size() && rule.gaps[gap].span.*begin != i) ++gap;
      if (gap == rule.gaps.size()) {
        side.push_back(words[i++]);
      } else {
        side.push_back(-1 - static_cast<TokenId>(gap));
        i = rule.gaps[gap].span.*end;
      }
    }
  }

  const phrase::AlignedBitext& bitext_;
  std::unique_ptr<grammar::RuleSource> source_;
  Sums sources_, targets_, rules_;
  std::vector<TokenId> source_side_, target_side_;
};

}  // namespace dragoman::chart
