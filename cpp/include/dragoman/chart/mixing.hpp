#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "dragoman/chart/rule_table.hpp"

// What several grammars, each with weights of its own, say together (Razmara, Foster, Sankaran & Sarkar, ACL 2012;
// Razmara, Sankaran, Clifton & Sarkar, WMT 2012). Scores are logarithms.
namespace dragoman::chart {

enum class Mixing { prod, wsum, wmax, switch_max, switch_sum };

/// How the models of an ensemble are mixed.
struct MixingOptions {
  Mixing mix = Mixing::prod;
  std::vector<float> shares;  // λ of each model, none below 0; a model without one is not asked
  float floor = -10;          // prod: the score of a rule that a model lacks
};

/// The score of a rule that a model lacks, or that no model may use.
inline constexpr float kNoScore = -std::numeric_limits<float>::infinity();

/// One score of each rule of a source side out of the weighted ones of every model, rule by rule; kNoScore: the rule is
/// not used.
///
/// A sum or a maximum is measured by the sum or the maximum of the shares, so that models that agree say what each of
/// them says. A model that is switched to speaks alone; it is the one whose best rule, or whose rules together, have
/// the largest share of probability, the first of several.
class Mixer {
 public:
  explicit Mixer(MixingOptions options) : options_(std::move(options)) {
    for (const float each : options_.shares) {
      sum_ += each;
      most_ = std::max(most_, static_cast<double>(each));
    }
  }

  void mix(std::span<const float> scores, std::span<float> into) const {
    const std::size_t n = options_.shares.size();
    const std::size_t chosen = is_switch() ? choice(scores) : n;
    for (std::size_t rule = 0; rule < into.size(); ++rule) {
      const auto own = scores.subspan(rule * n, n);
      into[rule] = !is_switch() ? one(own) : chosen == n ? kNoScore : own[chosen];
    }
  }

 private:
  bool is_switch() const noexcept { return options_.mix == Mixing::switch_max || options_.mix == Mixing::switch_sum; }

  /// Of one rule.
  float one(std::span<const float> scores) const {
    bool is_there = false;
    double best = kNoScore, sum = 0;
    for (std::size_t m = 0; m < scores.size(); ++m) {
      const double share = options_.shares[m];
      if (share <= 0) continue;
      is_there = is_there || scores[m] != kNoScore;
      best = std::max(best, std::log(share) + scores[m]);
      sum += share * (scores[m] == kNoScore ? options_.floor : scores[m]);
    }
    if (!is_there) return kNoScore;
    if (options_.mix == Mixing::prod) return static_cast<float>(sum);
    if (options_.mix == Mixing::wmax) return static_cast<float>(best - std::log(most_));
    double total = 0;
    for (std::size_t m = 0; m < scores.size(); ++m) {
      if (options_.shares[m] > 0) total += std::exp(std::log(options_.shares[m]) + scores[m] - best);
    }
    return static_cast<float>(best + std::log(total) - std::log(sum_));
  }

  /// The model that a source side is left to; as many as there are, if none that is asked has it.
  std::size_t choice(std::span<const float> scores) const {
    const std::size_t n = options_.shares.size();
    std::size_t chosen = n;
    double best = kNoScore;
    for (std::size_t m = 0; m < n; ++m) {
      if (options_.shares[m] <= 0) continue;
      double most = kNoScore, total = 0;
      for (std::size_t at = m; at < scores.size(); at += n) most = std::max(most, static_cast<double>(scores[at]));
      for (std::size_t at = m; at < scores.size() && most != kNoScore; at += n) total += std::exp(scores[at] - most);
      const double worth =
          std::log(options_.shares[m]) + most + (options_.mix == Mixing::switch_sum ? std::log(total) : 0.0);
      if (worth > best) best = worth, chosen = m;
    }
    return chosen;
  }

  MixingOptions options_;
  double sum_ = 0, most_ = 0;
};

/// A table with the numbers that its words and labels have in a larger one.
struct MergePart {
  const RuleTable* table;
  std::span<const TokenId> source_ids, target_ids;
  std::span<const Label> labels;
};

/// The rules that any of the tables has: their scores side by side, -100 where a table lacks a rule, and behind all of
/// them, table by table, 0 if it has the rule and -100 if not. A rule has the links of the first table that has it.
std::unique_ptr<RuleTable> merge(std::span<const MergePart> parts, std::span<const LabelNames> labels,
                                 const RuleTableBuilder::Sizes& sizes);

/// The rules of merged tables with one score, by the weights that each model has for its own scores; rules that the
/// mixture leaves unused are left out.
std::unique_ptr<RuleTable> mixed(const RuleTable& merged, std::span<const std::vector<float>> weights,
                                 const MixingOptions& options, bool quantised);

}  // namespace dragoman::chart
