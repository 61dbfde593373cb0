#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <span>
#include <vector>

#include "dragoman/core/errors.hpp"
#include "dragoman/grammar/score.hpp"
#include "rule_instance.hpp"
#include "word_pairs.hpp"

namespace dragoman::grammar {

/// What was counted of a rule's sides among rules that are called like it.
struct LabelMasses {
  double label = 1, source = 1, target = 1;  // of the label, and of it with either side
};

inline bool needs_labels(RuleFeature feature) noexcept {
  return feature >= RuleFeature::source_of_label && feature <= RuleFeature::target_in_label;
}

inline bool needs_pairs(RuleFeature feature) noexcept { return feature >= RuleFeature::noisy_or_source; }

/// The further scores of rules.
class RuleFeatures {
 public:
  RuleFeatures(std::span<const RuleFeature> features, const AlignedBitext& bitext, const phrase::SortedPoints& points)
      : features_(features.begin(), features.end()),
        needs_labels_(std::ranges::any_of(features, grammar::needs_labels)) {
    if (std::ranges::any_of(features, needs_pairs)) pairs_.emplace(bitext, points);
  }
  /// Of rules that stand alone: none that looks at the whole text.
  explicit RuleFeatures(std::span<const RuleFeature> features)
      : features_(features.begin(), features.end()), needs_labels_(false) {
    const auto needs_text = [](RuleFeature each) {
      return each == RuleFeature::tree || grammar::needs_labels(each) || needs_pairs(each);
    };
    if (std::ranges::any_of(features, needs_text))
      throw data_error("A score of rules asks for the whole text: it is not made in parts.");
  }

  bool needs_labels() const noexcept { return needs_labels_; }

  /// `rules.for_each_link` knows the links of its words.
  template <class Rule, class Rules>
  void append(std::vector<float>& scores, const Rule& rule, const RuleSides& sides, const LabelMasses& masses,
              const Rules& rules) const {
    for (const RuleFeature feature : features_)
      scores.push_back(static_cast<float>(score(feature, rule, sides, masses, rules)));
  }

 private:
  template <class Rule, class Rules>
  double score(RuleFeature feature, const Rule& rule, const RuleSides& sides, const LabelMasses& masses,
               const Rules& rules) const {
    const auto if_true = [](bool is_true) { return is_true ? std::numbers::e : 1.0; };
    const auto gap_targets = std::span(sides.gap_targets).first(rule.n_gaps);
    const double mass = rule.evidence().mass;
    switch (feature) {
      case RuleFeature::penalty:
        return if_true(true);
      case RuleFeature::rarity:
        return std::exp(-1.0 / rule.met);
      case RuleFeature::once:
        return if_true(rule.met <= 1);
      case RuleFeature::twice:
        return if_true(rule.met <= 2);
      case RuleFeature::thrice:
        return if_true(rule.met <= 3);
      case RuleFeature::hierarchical:
        return if_true(rule.n_gaps > 0);
      case RuleFeature::boundary:
        return if_true(RuleSides::is_gap(sides.source[0]) || RuleSides::is_gap(sides.source[sides.source.size() - 1]));
      case RuleFeature::swap:
        return if_true(!std::ranges::is_sorted(gap_targets));
      case RuleFeature::tree:
        return std::exp(static_cast<double>(rule.tree) / static_cast<double>(kLogUnit) / rule.met);
      case RuleFeature::unaligned_source:
        return std::exp(n_unaligned(rule, sides, rules, false));
      case RuleFeature::unaligned_target:
        return std::exp(n_unaligned(rule, sides, rules, true));
      case RuleFeature::source_of_label:
        return masses.source / masses.label;
      case RuleFeature::target_of_label:
        return masses.target / masses.label;
      case RuleFeature::source_in_label:
        return mass / masses.target;
      case RuleFeature::target_in_label:
        return mass / masses.source;
      default:
        return word_score(feature, sides);
    }
  }

  /// Scores of all words of one side given all of the other.
  double word_score(RuleFeature feature, const RuleSides& sides) const {
    const auto source = words(sides.source), target = words(sides.target);
    switch (feature) {
      case RuleFeature::noisy_or_source:
        return std::exp(pairs_->noisy_or(source, target, false));
      case RuleFeature::noisy_or_target:
        return std::exp(pairs_->noisy_or(target, source, true));
      case RuleFeature::mean_source:
        return std::exp(pairs_->mean(source, target, false));
      case RuleFeature::mean_target:
        return std::exp(pairs_->mean(target, source, true));
      case RuleFeature::inserted_source:
        return std::exp(pairs_->n_inserted(source, target, false));
      case RuleFeature::inserted_target:
        return std::exp(pairs_->n_inserted(target, source, true));
      default:
        return 1;
    }
  }

  template <class Rule, class Rules>
  static unsigned n_unaligned(const Rule& rule, const RuleSides& sides, const Rules& rules, bool of_target) {
    std::array<bool, 256> linked{};
    rules.for_each_link(rule, sides, [&](std::uint8_t s, std::uint8_t t) { linked[of_target ? t : s] = true; });
    const auto& side = of_target ? sides.target : sides.source;
    unsigned n = 0;
    for (std::size_t i = 0; i < side.size(); ++i) n += !RuleSides::is_gap(side[i]) && !linked[i] ? 1 : 0;
    return n;
  }

  static std::vector<TokenId> words(std::span<const std::int32_t> side) {
    std::vector<TokenId> found;
    std::ranges::copy_if(side, std::back_inserter(found),
                         [](std::int32_t symbol) { return !RuleSides::is_gap(symbol); });
    return found;
  }

  std::vector<RuleFeature> features_;
  bool needs_labels_;
  std::optional<WordPairs> pairs_;
};

}  // namespace dragoman::grammar
