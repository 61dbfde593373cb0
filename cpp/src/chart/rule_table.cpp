#include "dragoman/chart/rule_table.hpp"

#include <algorithm>
#include <map>

namespace dragoman::chart {

Node RuleTable::after_inner(Node node, TokenId word) const noexcept {
  const auto own = steps_.subspan(nodes_[node].step, nodes_[node + 1].step - nodes_[node].step);
  const auto found = std::ranges::lower_bound(own, word, {}, &Step::word);
  return found != own.end() && found->word == word ? found->to : kNoNode;
}

Node RuleTable::find(std::span<const TokenId> symbols) const noexcept {
  Node node = kRoot;
  for (const TokenId symbol : symbols) {
    if (is_gap_symbol(symbol)) {
      const auto own = gaps(node);
      const auto found = std::ranges::lower_bound(own, label_of(symbol), {}, &Gap::label);
      node = found != own.end() && found->label == label_of(symbol) ? found->to : kNoNode;
    } else {
      node = after(node, symbol);
    }
    if (node == kNoNode) break;
  }
  return node;
}

void RuleTable::scores(std::uint32_t number, std::span<float> into) const noexcept {
  const std::size_t first = static_cast<std::size_t>(number) * n_scores_;
  if (is_quantised()) {
    for (std::size_t i = 0; i < n_scores_; ++i) into[i] = bins_[i * 256 + codes_[first + i]];
  } else {
    std::ranges::copy(scores_.subspan(first, n_scores_), into.begin());
  }
}

std::vector<std::pair<RuleTable::Kind, std::size_t>> RuleTable::kinds() const {
  std::map<Kind, std::size_t> counts;
  for (std::uint32_t i = 0; i < n_rules(); ++i) {
    const RuleView view = rule(i);
    Kind kind{0, true, view.label};
    for (const TokenId symbol : view.target) {
      if (graph::is_gap(symbol)) kind.is_monotone = graph::tail_of(symbol) == kind.n_gaps++ && kind.is_monotone;
    }
    ++counts[kind];
  }
  return {counts.begin(), counts.end()};
}

}  // namespace dragoman::chart
