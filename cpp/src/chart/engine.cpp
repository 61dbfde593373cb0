#include "dragoman/chart/engine.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "dragoman/core/errors.hpp"

namespace dragoman::chart {

Engine::Engine(GrammarUse grammar, std::vector<LanguageModelUse> language_models, std::vector<std::string> given,
               std::vector<phrase::Engine::More> more)
    : grammar_(std::move(grammar)), language_models_(std::move(language_models)), given_(std::move(given)) {
  n_scores_ = table().n_scores();
  if (!grammar_.names.empty() && grammar_.names.size() != n_scores_) {
    throw data_error("The rules have " + std::to_string(n_scores_) + " scores, got " +
                     std::to_string(grammar_.names.size()) + " names for them.");
  }
  if (grammar_.unknown_labels.empty()) throw data_error("Words without a rule need a label, and none is given.");
  for (const Label label : grammar_.unknown_labels) {
    if (label >= table().labels().size()) {
      throw data_error("The grammar has " + std::to_string(table().labels().size()) + " labels, and no label " +
                       std::to_string(label) + " for words without a rule.");
    }
  }
  n_features_ = n_scores_ + 4 + language_models_.size() + given_.size();
  for (auto& each : more) {
    FeatureUse use{std::move(each.name), std::move(each.feature), n_features_, 0, part_size_};
    if (!use.feature->combines()) {
      throw data_error("The feature '" + use.name +
                       "' looks at phrases one behind the other; a grammar cannot ask it.");
    }
    if (std::ranges::any_of(features_, [&](const FeatureUse& other) { return other.name == use.name; })) {
      throw data_error("The feature '" + use.name + "' is asked for twice.");
    }
    n_features_ += use.feature->names().size();
    part_size_ += use.feature->part_size();
    use.family = static_cast<unsigned>(features_.size() + 1);
    is_sparse_ |= use.feature->parts() != phrase::SparseParts::none;
    features_.push_back(std::move(use));
  }
  if (language_models_.empty()) n_target_words_ = std::numeric_limits<TokenId>::max();
  std::set<std::string> names;
  for (const auto& use : language_models_) {
    if (use.view) throw data_error("The language model '" + use.name + "' reads phrases; a grammar has none to show.");
    if (!use.name.empty() && !names.insert(use.name).second) {
      throw data_error("Two language models are called '" + use.name + "'. Each needs a name of its own.");
    }
    n_target_words_ = std::max(n_target_words_, static_cast<TokenId>(use.ids.size()));
  }
  rank_labels();
}

std::vector<std::string> Engine::names() const {
  std::vector<std::string> names = grammar_.names;
  for (std::size_t i = names.size(); i < n_scores_; ++i) names.push_back("rule." + std::to_string(i + 1));
  for (const char* name : {"word-penalty", "phrase-penalty", "glue", "unknown"}) names.emplace_back(name);
  for (std::size_t i = 0; i < language_models_.size(); ++i) {
    const std::string number = language_models_.size() == 1 ? "" : std::to_string(i + 1);
    names.push_back(language_models_[i].name.empty() ? "lm" + number : language_models_[i].name);
  }
  names.insert(names.end(), given_.begin(), given_.end());
  for (const FeatureUse& use : features_) {
    for (const auto& name : use.feature->names()) names.push_back(name);
  }
  return names;
}

float Engine::rule_score(std::uint32_t rule, std::span<const float> weights) const {
  std::vector<float> scores(n_scores_);
  table().scores(rule, scores);
  float sum = 0;
  for (std::size_t i = 0; i < n_scores_; ++i) sum += weights[i] * scores[i];
  return sum;
}

void Engine::tell_rule(std::uint32_t rule, std::span<double> into) const {
  std::vector<float> scores(n_scores_);
  table().scores(rule, scores);
  for (std::size_t i = 0; i < n_scores_; ++i) into[i] += static_cast<double>(scores[i]);
}

/// Labels by the rules that rename them, sources first: the reverse of the order in which a search in depth leaves
/// them.
void Engine::rank_labels() {
  const std::size_t n = table().labels().size();
  first_gaps_.assign(n, kNoNode);
  std::vector<std::vector<Label>> becomes(n);
  for (const auto& gap : table().gaps(kRoot)) {
    first_gaps_[gap.label] = gap.to;
    const auto range = table().rules(gap.to);
    for (std::uint32_t rule = range.first; rule < range.last; ++rule) {
      becomes[gap.label].push_back(table().rule(rule).label);
    }
    std::ranges::sort(becomes[gap.label]);
    const auto twice = std::ranges::unique(becomes[gap.label]);
    becomes[gap.label].erase(twice.begin(), twice.end());
  }
  ranks_.assign(n, 0);
  std::vector<bool> seen(n, false);
  auto left = static_cast<std::uint32_t>(n);
  std::vector<std::pair<Label, std::size_t>> open;
  for (Label start = 0; start < n; ++start) {
    if (seen[start]) continue;
    seen[start] = true;
    open.push_back({start, 0});
    while (!open.empty()) {
      auto& [label, next] = open.back();
      if (next == becomes[label].size()) {
        ranks_[label] = --left;
        open.pop_back();
        continue;
      }
      const Label other = becomes[label][next++];
      if (seen[other]) continue;
      seen[other] = true;
      open.push_back({other, 0});
    }
  }
  levels_.assign(n, 0);
  std::vector<Label> order(n);
  for (Label label = 0; label < n; ++label) order[ranks_[label]] = label;
  for (const Label label : order) {
    for (const Label other : becomes[label]) {
      if (ranks_[other] <= ranks_[label]) continue;
      levels_[other] = std::max(levels_[other], levels_[label] + 1);
      n_levels_ = std::max(n_levels_, levels_[other] + 1);
    }
  }
}

}  // namespace dragoman::chart
