#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dragoman/chart/rule_table.hpp"
#include "dragoman/phrase/engine.hpp"

namespace dragoman::chart {

using phrase::FeatureUse;
using phrase::LanguageModelUse;
using phrase::Weights;

/// What an engine is told of its grammar besides the rules.
struct GrammarUse {
  std::shared_ptr<const RuleTable> table;
  std::vector<std::string> names = {};     // of the rules' scores; empty: rule.1, rule.2, …
  std::vector<Label> unknown_labels = {};  // what words without a rule, and translations from outside, are called
  std::uint32_t any_source = 0;            // the source name that may stand over every span
  unsigned span = 10;                      // source words that a rule with gaps may cover; 0: any number
};

/// Everything that does not change while a grammar translates. Weighted scores are natural logarithms.
class Engine {
 public:
  /// `given` and `more` as in phrase::Engine; of `more`, features must be able to combine parts.
  Engine(GrammarUse grammar, std::vector<LanguageModelUse> language_models, std::vector<std::string> given = {},
         std::vector<phrase::Engine::More> more = {});

  const RuleTable& table() const noexcept { return *grammar_.table; }
  const std::vector<LanguageModelUse>& language_models() const noexcept { return language_models_; }
  std::span<const Label> unknown_labels() const noexcept { return grammar_.unknown_labels; }
  unsigned span() const noexcept { return grammar_.span; }

  // Where the features stand in a vector of weights. All are to be made large: penalties are negative counts.
  std::size_t n_features() const noexcept { return n_features_; }
  std::size_t word_penalty_at() const noexcept { return n_scores_; }
  std::size_t phrase_penalty_at() const noexcept { return n_scores_ + 1; }
  std::size_t glue_at() const noexcept { return n_scores_ + 2; }
  std::size_t unknown_at() const noexcept { return n_scores_ + 3; }
  std::size_t language_model_at(std::size_t model) const noexcept { return n_scores_ + 4 + model; }
  std::size_t given_at() const noexcept { return language_model_at(language_models_.size()); }
  std::size_t n_given() const noexcept { return given_.size(); }
  std::span<const FeatureUse> features() const noexcept { return features_; }
  bool is_sparse() const noexcept { return is_sparse_; }
  /// Bytes of what all features know of a part.
  std::size_t part_size() const noexcept { return part_size_; }
  std::vector<std::string> names() const;

  /// The weighted sum of a rule's scores, and the features that it is the sum of.
  float rule_score(std::uint32_t rule, std::span<const float> weights) const;
  void tell_rule(std::uint32_t rule, std::span<double> into) const;

  /// Where a gap of this label leads from the root, or kNoNode.
  Node first_gap(Label label) const noexcept { return first_gaps_[label]; }
  /// The order in which the labels of one span are filled: whatever a rule of a gap alone makes of another comes behind
  /// it. Rules that would close a circle are not used.
  std::uint32_t rank(Label label) const noexcept { return ranks_[label]; }
  /// Labels of one level are filled together: none of them becomes another of them.
  std::uint32_t level(Label label) const noexcept { return levels_[label]; }
  std::uint32_t n_levels() const noexcept { return n_levels_; }
  /// Whether a label's source side must be that of the span.
  bool is_bound(Label label) const noexcept { return table().labels()[label].first != grammar_.any_source; }
  /// What a feature is told of words: those with smaller numbers are the vocabulary's.
  TokenId n_target_words() const noexcept { return n_target_words_; }

 private:
  void rank_labels();

  GrammarUse grammar_;
  std::vector<LanguageModelUse> language_models_;
  std::vector<std::string> given_;
  std::vector<FeatureUse> features_;
  std::vector<Node> first_gaps_;
  std::vector<std::uint32_t> ranks_, levels_;
  std::uint32_t n_levels_ = 1;
  std::size_t n_scores_ = 0, n_features_ = 0, part_size_ = 0;
  TokenId n_target_words_ = 0;
  bool is_sparse_ = false;
};

}  // namespace dragoman::chart
