#include <algorithm>
#include <cmath>

#include "rule_table_header.hpp"

namespace dragoman::chart {

std::unique_ptr<RuleTable> RuleTable::on_file(std::string_view file, std::shared_ptr<const void> owner) {
  const auto header = read_header<Header>(file, kRuleTable);
  check_header(header, file, kRuleTable, true, size_with(sizeof header, header.sizes, file));
  auto table = std::make_unique<RuleTable>();
  const char* place = file.data() + sizeof header;
  std::size_t number = 0;
  bool fits = true;
  const auto take = [&]<class T>(std::span<const T>& values) {
    fits = fits && header.sizes[number] % sizeof(T) == 0;
    values = {reinterpret_cast<const T*>(place), header.sizes[number] / sizeof(T)};
    place += filled_up(header.sizes[number++]);
  };
  std::span<const std::uint32_t> names;
  take(names);
  take(table->root_);
  take(table->nodes_);
  take(table->steps_);
  take(table->gaps_);
  take(table->entries_);
  take(table->words_);
  take(table->links_);
  take(table->scores_);
  take(table->bins_);
  take(table->codes_);
  check_arrays(fits && names.size() % 2 == 0, kRuleTable);
  for (std::size_t i = 0; i < names.size(); i += 2) table->labels_.emplace_back(names[i], names[i + 1]);
  table->n_scores_ = header.n_scores;
  table->n_sources_ = header.n_sources;
  table->n_target_words_ = header.n_target_words;
  table->n_source_labels_ = header.n_source_labels;
  table->n_target_labels_ = header.n_target_labels;
  table->file_ = file;
  table->owner_ = std::move(owner);
  check_arrays(table->is_sound(), kRuleTable);
  return table;
}

std::unique_ptr<RuleTable> RuleTable::on_bytes(Bytes&& file) {
  auto owner = std::make_shared<const Bytes>(std::move(file));
  const std::string_view content = owner->view();
  return on_file(content, std::move(owner));
}

bool RuleTable::is_sound() const {
  if (nodes_.size() < 2 || entries_.empty() || n_scores_ > 0xFFFF) return false;
  const std::size_t n_values = n_rules() * n_scores_;
  if (is_quantised() ? bins_.size() != 256 * n_scores_ || codes_.size() != n_values || !scores_.empty()
                     : scores_.size() != n_values || !codes_.empty()) {
    return false;
  }
  const auto is_score = [](float score) { return std::isfinite(score) && score >= -100.0F; };
  const auto is_name = [&](const LabelNames& pair) {
    return pair.first < n_source_labels_ && pair.second < n_target_labels_;
  };
  const auto rises = [](const auto& entries, auto member, std::size_t end) {
    return entries.front().*member == 0 && entries.back().*member == end && std::ranges::is_sorted(entries, {}, member);
  };
  if (!std::ranges::all_of(scores_, is_score) || !std::ranges::all_of(bins_, is_score) ||
      !std::ranges::all_of(labels_, is_name) || !rises(nodes_, &NodeEntry::step, steps_.size()) ||
      !rises(nodes_, &NodeEntry::gap, gaps_.size()) || !rises(nodes_, &NodeEntry::rule, n_rules()) ||
      !rises(entries_, &Entry::word, words_.size()) || !rises(entries_, &Entry::link, links_.size())) {
    return false;
  }
  std::vector<std::uint8_t> depths, gaps_before;
  if (!is_tree(depths, gaps_before)) return false;
  std::size_t n_sources = 0;
  for (Node node = 0; node < n_nodes(); ++node) {
    n_sources += nodes_[node].rule < nodes_[node + 1].rule;
    if (!has_sound_rules(node, depths[node], gaps_before[node])) return false;
  }
  return n_sources == n_sources_;
}

/// Whether every node but the first is led to once, from an earlier one; then, how many symbols and gaps lead to each.
bool RuleTable::is_tree(std::vector<std::uint8_t>& depths, std::vector<std::uint8_t>& n_gaps) const {
  depths.assign(n_nodes(), 0);
  n_gaps.assign(n_nodes(), 0);
  std::size_t n_reached = 1;
  const auto lead = [&](Node node, Node to, bool by_gap) {
    if (to <= node || to >= n_nodes() || depths[to] != 0 || depths[node] == kMostSymbols) return false;
    depths[to] = static_cast<std::uint8_t>(depths[node] + 1);
    n_gaps[to] = static_cast<std::uint8_t>(n_gaps[node] + by_gap);
    ++n_reached;
    return true;
  };
  if (!std::ranges::all_of(root_, [&](Node to) { return to == kNoNode || lead(kRoot, to, false); })) return false;
  for (Node node = 0; node < n_nodes(); ++node) {
    if (node != kRoot && depths[node] == 0) return false;
    const auto first = nodes_[node].step, last = nodes_[node + 1].step;
    if (node == kRoot && first != last) return false;  // the first node's are in `root_`
    for (auto i = first; i < last; ++i) {
      const bool is_word = steps_[i].word >= 0 && static_cast<std::size_t>(steps_[i].word) < root_.size();
      if (!is_word || (i > first && steps_[i].word <= steps_[i - 1].word) || !lead(node, steps_[i].to, false))
        return false;
    }
    const auto own = gaps(node);
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (own[i].label >= labels_.size() || (i > 0 && own[i].label <= own[i - 1].label) ||
          !lead(node, own[i].to, true)) {
        return false;
      }
    }
  }
  return n_reached == n_nodes();
}

/// Whether rules have known labels and words, each gap once, and links between their symbols.
bool RuleTable::has_sound_rules(Node node, std::size_t depth, std::size_t n_gaps) const {
  const Range own = rules(node);
  if (node == kRoot && own.first != own.last) return false;  // a rule without a source side
  for (auto number = own.first; number < own.last; ++number) {
    const RuleView view = rule(number);
    if (view.label >= labels_.size() || view.target.empty() || view.target.size() > kMostSymbols) return false;
    bool met[kMostSymbols] = {};
    std::size_t n_met = 0;
    for (const TokenId symbol : view.target) {
      if (!graph::is_gap(symbol)) {
        if (symbol < 0 || static_cast<std::size_t>(symbol) >= n_target_words_) return false;
        continue;
      }
      const std::size_t gap = graph::tail_of(symbol);
      if (gap >= n_gaps || met[gap]) return false;
      met[gap] = true;
      ++n_met;
    }
    const auto is_inside = [&](Link link) { return link.source < depth && link.target < view.target.size(); };
    if (n_met != n_gaps || !std::ranges::all_of(view.links, is_inside)) return false;
  }
  return true;
}

}  // namespace dragoman::chart
