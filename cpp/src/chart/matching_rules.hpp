#pragma once

#include <algorithm>
#include <unordered_set>
#include <vector>

#include "dragoman/chart/rule_table.hpp"

namespace dragoman::chart {

/// Finds the rules whose two sides a sentence pair can have, words where they stand and gaps of a word or more.
class MatchingRules {
 public:
  explicit MatchingRules(const RuleTable& table) : table_(table) {}

  /// Call `use(symbols, rule)` with the source side and the number of each, those of one source side together.
  template <class Use>
  void for_each(std::span<const TokenId> source, std::span<const TokenId> target, const Use& use) {
    source_ = source;
    target_ = target;
    seen_.clear();
    told_.clear();
    for (std::size_t begin = 0; begin < source.size(); ++begin) walk(kRoot, begin, use);
  }

 private:
  template <class Use>
  void walk(Node node, std::size_t at, const Use& use) {
    if (!seen_.insert(std::uint64_t{node} << 32 | at).second) return;
    const auto rules = table_.rules(node);
    if (rules.first < rules.last && told_.insert(node).second) {
      for (auto number = rules.first; number < rules.last; ++number) {
        if (occurs(table_.rule(number).target)) use(std::span<const TokenId>(symbols_), number);
      }
    }
    if (at == source_.size()) return;
    const auto go = [&](TokenId symbol, Node to, std::size_t end) {
      symbols_.push_back(symbol);
      walk(to, end, use);
      symbols_.pop_back();
    };
    if (const auto to = table_.after(node, source_[at]); to != kNoNode) go(source_[at], to, at + 1);
    for (const auto& gap : table_.gaps(node)) {
      for (std::size_t end = at + 1; end <= source_.size(); ++end) go(gap_symbol(gap.label), gap.to, end);
    }
  }

  /// True if the target has the words between gaps one behind the other, each as early as it can be.
  bool occurs(std::span<const TokenId> side) const {
    std::size_t at = 0;
    bool anywhere = true;  // whether the next word may stand further on
    for (std::size_t i = 0; i < side.size();) {
      if (graph::is_gap(side[i])) {
        ++at;
        ++i;
        anywhere = true;
        continue;
      }
      std::size_t end = i;
      while (end < side.size() && !graph::is_gap(side[end])) ++end;
      const auto words = side.subspan(i, end - i);
      if (at > target_.size()) return false;
      const auto found = std::ranges::search(target_.subspan(at), words);
      if (found.empty() || (!anywhere && found.begin() != target_.begin() + static_cast<std::ptrdiff_t>(at)))
        return false;
      at = static_cast<std::size_t>(found.end() - target_.begin());
      anywhere = false;
      i = end;
    }
    return at <= target_.size();
  }

  const RuleTable& table_;
  std::span<const TokenId> source_, target_;
  std::vector<TokenId> symbols_;
  std::unordered_set<std::uint64_t> seen_;  // nodes and the places where they were reached
  std::unordered_set<Node> told_;
};

}  // namespace dragoman::chart
