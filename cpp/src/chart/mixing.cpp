#include "dragoman/chart/mixing.hpp"

#include <map>

#include "dragoman/core/errors.hpp"

namespace dragoman::chart {
namespace {

constexpr float kAbsent = -100.0F;

/// Symbols of a table in the numbers of the merged one, and back.
class Numbering {
 public:
  Numbering(const MergePart& part, const RuleTableBuilder::Sizes& sizes, std::size_t n_labels)
      : part_(part), words_(sizes.n_source_words, text::kNoToken), labels_(n_labels, kNoLabel) {
    const RuleTable& table = *part.table;
    if (part.source_ids.size() != table.n_source_words() || part.target_ids.size() != table.n_target_words() ||
        part.labels.size() != table.labels().size()) {
      throw data_error("Each table needs a new number for each of its words and labels.");
    }
    const auto fits = [](auto ids, std::size_t n) {
      return std::ranges::all_of(ids, [&](auto id) { return static_cast<std::size_t>(id) < n; });
    };
    if (!fits(part.source_ids, sizes.n_source_words) || !fits(part.target_ids, sizes.n_target_words) ||
        !fits(part.labels, n_labels)) {
      throw data_error("A word or label has a number that the merged table has none for.");
    }
    for (std::size_t i = 0; i < part.source_ids.size(); ++i)
      words_[static_cast<std::size_t>(part.source_ids[i])] = static_cast<TokenId>(i);
    for (std::size_t i = 0; i < part.labels.size(); ++i) labels_[part.labels[i]] = static_cast<Label>(i);
  }

  TokenId merged(TokenId symbol) const {
    return is_gap_symbol(symbol) ? gap_symbol(part_.labels[label_of(symbol)])
                                 : part_.source_ids[static_cast<std::size_t>(symbol)];
  }

  /// The rules of a source side, given by the merged table's numbers.
  RuleTable::Range find(std::span<const TokenId> source, std::vector<TokenId>& own) const {
    own.clear();
    for (const TokenId symbol : source) {
      const bool gap = is_gap_symbol(symbol);
      const Label label = gap ? labels_[label_of(symbol)] : kNoLabel;
      const TokenId word = gap ? text::kNoToken : words_[static_cast<std::size_t>(symbol)];
      if (gap ? label == kNoLabel : word == text::kNoToken) return {0, 0};
      own.push_back(gap ? gap_symbol(label) : word);
    }
    const Node node = part_.table->find(own);
    return node == kNoNode ? RuleTable::Range{0, 0} : part_.table->rules(node);
  }

  const MergePart& part() const noexcept { return part_; }

 private:
  static constexpr Label kNoLabel = 0xFFFFFFFF;

  const MergePart& part_;
  std::vector<TokenId> words_;
  std::vector<Label> labels_;
};

/// Puts the rules of one source side together.
class SideMerger {
 public:
  SideMerger(std::span<const Numbering> tables, RuleTableBuilder& builder) : tables_(tables), builder_(builder) {
    for (const Numbering& each : tables) firsts_.push_back(n_scores_), n_scores_ += each.part().table->n_scores();
  }

  void merge(std::span<const TokenId> source) {
    rules_.clear();
    scores_.clear();
    const std::size_t n_columns = n_scores_ + tables_.size();
    for (std::size_t m = 0; m < tables_.size(); ++m) {
      const MergePart& part = tables_[m].part();
      const auto [first, last] = tables_[m].find(source, own_);
      for (auto number = first; number < last; ++number) {
        const RuleView view = part.table->rule(number);
        const auto [place, is_new] = rules_.try_emplace(key_of(view, part), scores_.size() / n_columns);
        if (is_new) {
          scores_.resize(scores_.size() + n_columns, kAbsent);
          links_.resize(place->second + 1);
          links_[place->second] = view.links;
          order_.resize(place->second + 1);
          order_[place->second] = &place->first;
        }
        const auto row = std::span(scores_).subspan(place->second * n_columns, n_columns);
        if (row[n_scores_ + m] == 0) continue;  // a table that has a rule twice means the first
        row[n_scores_ + m] = 0;
        part.table->scores(number, row.subspan(firsts_[m], part.table->n_scores()));
      }
    }
    for (std::size_t i = 0; i < rules_.size(); ++i) {
      const auto& [label, target] = *order_[i];
      builder_.add(source, {label, target, links_[i]},
                   std::span<const float>(scores_).subspan(i * n_columns, n_columns));
    }
  }

 private:
  using Key = std::pair<Label, std::vector<TokenId>>;

  static Key key_of(const RuleView& view, const MergePart& part) {
    Key key{part.labels[view.label], {view.target.begin(), view.target.end()}};
    for (TokenId& symbol : key.second) {
      if (!graph::is_gap(symbol)) symbol = part.target_ids[static_cast<std::size_t>(symbol)];
    }
    return key;
  }

  std::span<const Numbering> tables_;
  RuleTableBuilder& builder_;
  std::vector<std::size_t> firsts_;
  std::size_t n_scores_ = 0;
  std::map<Key, std::size_t> rules_;  // number of each, in the order of arrival
  std::vector<const Key*> order_;
  std::vector<std::span<const Link>> links_;
  std::vector<float> scores_;
  std::vector<TokenId> own_;
};

}  // namespace

std::unique_ptr<RuleTable> merge(std::span<const MergePart> parts, std::span<const LabelNames> labels,
                                 const RuleTableBuilder::Sizes& sizes) {
  std::vector<Numbering> tables;
  std::size_t n_columns = parts.size();
  for (const MergePart& part : parts) {
    tables.emplace_back(part, sizes, labels.size());
    n_columns += part.table->n_scores();
  }
  RuleTableBuilder builder(n_columns);
  SideMerger merger(tables, builder);
  std::vector<TokenId> source, own;
  for (std::size_t m = 0; m < tables.size(); ++m) {
    parts[m].table->for_each_side([&](std::span<const TokenId> side, RuleTable::Range) {
      source.assign(side.begin(), side.end());
      for (TokenId& symbol : source) symbol = tables[m].merged(symbol);
      const auto has = [&](const Numbering& table) {
        const auto [first, last] = table.find(source, own);
        return first < last;
      };
      if (std::ranges::none_of(std::span(tables).first(m), has)) merger.merge(source);
    });
  }
  return builder.finish(labels, sizes, false);
}

std::unique_ptr<RuleTable> mixed(const RuleTable& merged, std::span<const std::vector<float>> weights,
                                 const MixingOptions& options, bool quantised) {
  const std::size_t n_models = weights.size();
  std::size_t n_scores = 0;
  for (const auto& each : weights) n_scores += each.size();
  const auto is_share = [](float share) { return share >= 0 && std::isfinite(share); };
  if (options.shares.size() != n_models || !std::ranges::all_of(options.shares, is_share) ||
      std::ranges::none_of(options.shares, [](float share) { return share > 0; })) {
    throw data_error("An ensemble has a share for each model, none below 0, and one above.");
  }
  if (merged.n_scores() != n_scores + n_models) {
    throw data_error("The models of the ensemble have " + std::to_string(n_scores) +
                     " weights; the merged table is made for " +
                     std::to_string(merged.n_scores() - std::min(n_models, merged.n_scores())) + ".");
  }
  const Mixer mixer(options);
  RuleTableBuilder builder(1);
  std::vector<float> row(merged.n_scores()), scores, results;
  merged.for_each_side([&](std::span<const TokenId> source, RuleTable::Range range) {
    scores.clear();
    for (auto number = range.first; number < range.last; ++number) {
      merged.scores(number, row);
      std::size_t column = 0;
      for (std::size_t m = 0; m < n_models; ++m) {
        double score = 0;
        for (const float weight : weights[m]) score += static_cast<double>(weight) * row[column++];
        scores.push_back(row[n_scores + m] == 0 ? static_cast<float>(score) : kNoScore);
      }
    }
    results.resize(range.last - range.first);
    mixer.mix(scores, results);
    for (auto number = range.first; number < range.last; ++number) {
      const float score = results[number - range.first];
      if (score == kNoScore) continue;
      const float floored = std::max(score, kAbsent);
      builder.add(source, merged.rule(number), {&floored, 1});
    }
  });
  return builder.finish(
      merged.labels(),
      {merged.n_source_words(), merged.n_target_words(), merged.n_source_labels(), merged.n_target_labels()},
      quantised);
}

}  // namespace dragoman::chart
