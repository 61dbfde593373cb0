#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "dragoman/phrase/lexicon.hpp"
#include "dragoman/phrase/significance.hpp"
#include "rule_features.hpp"
#include "rule_text.hpp"

/// The steps of scoring that are the same whether rules stand in a bitext (`score.cpp`) or alone in files
/// (`score_parts.cpp`). A class `Rules` knows where they stand: `sides(rule, RuleSides&)`, `weights(rule)` and
/// `for_each_link(rule, sides, use)`.
namespace dragoman::grammar {

inline constexpr std::uint32_t kNotKept = 0xFFFFFFFF;

/// A rule as one of those with its target side.
struct OfTarget {
  std::uint64_t target;  // hash of its text
  double mass;
  std::uint32_t met;
  std::uint32_t n_of_source;  // rules with its source side
  std::uint32_t number;       // of the rule, or kNotKept
  LabelPair labels;

  phrase::Evidence evidence() const noexcept { return {met, mass}; }

  static std::uint64_t first(const OfTarget& each) noexcept { return each.target; }
  static bool less(const OfTarget& a, const OfTarget& b) noexcept {
    if (a.target != b.target) return a.target < b.target;
    if (a.number != b.number) return a.number < b.number;
    // Those that are not kept are added up in one order, too, whatever the number of threads.
    return a.met != b.met ? a.met < b.met : a.mass < b.mass;
  }
  static bool join(OfTarget&, const OfTarget&) noexcept { return false; }
};

/// What a rule is told of its target side.
struct FromTarget {
  double target_count;
  double target_in_label;  // what the target side counts among rules with this one's label
  std::uint32_t number;
  std::uint32_t n_of_target;  // rules with the target side
  std::uint32_t target_met;
  float source_given_target;

  static std::uint64_t first(const FromTarget& each) noexcept { return each.number; }
  static bool less(const FromTarget& a, const FromTarget& b) noexcept { return a.number < b.number; }
  static bool join(FromTarget&, const FromTarget&) noexcept { return false; }
};

/// What rules count by label, `mass(rule)` being a label and a number.
template <class Rules, class Mass>
std::unordered_map<LabelPair, double> label_masses(const Rules& rules, const Mass& mass) {
  std::unordered_map<LabelPair, double> sums;
  for (const auto& each : rules) {
    const auto [labels, count] = mass(each);
    sums[labels] += count;
  }
  return sums;
}

/// Call `tell(FromTarget)` for every rule that is kept of those with one target side, which are sorted; `by_label`,
/// with what the side counts among rules of a label.
template <class Tell>
void tell_rules(std::span<const OfTarget> group, const phrase::PhraseSmoothing& smoothing, bool by_label,
                const Tell& tell) {
  phrase::Marginal target;
  std::uint32_t met = 0;
  for (const OfTarget& each : group) {
    target.add(each.evidence(), smoothing.discounted(each.evidence()));
    met += each.met;
  }
  std::unordered_map<LabelPair, double> masses;
  if (by_label) masses = label_masses(group, [](const OfTarget& each) { return std::pair{each.labels, each.mass}; });
  for (const OfTarget& each : group) {
    if (each.number == kNotKept) break;  // they are the last
    const double p = smoothing.probability(each.evidence(), target, each.n_of_source);
    tell(FromTarget{target.total, by_label ? masses.at(each.labels) : 0, each.number,
                    static_cast<std::uint32_t>(group.size()), met, static_cast<float>(p)});
  }
}

/// Makes rules of instances that come in their order, and gives those of one source side together, in the order of
/// spellings. A rule has the count of all its alignments and the links of the most frequent.
template <class Rule>
class SourceGroups {
 public:
  using Ranks = std::function<void(const Rule&, std::vector<std::uint32_t>&)>;  // of the symbols of a source side
  using Use = std::function<void(std::span<const Rule>)>;
  SourceGroups(Ranks ranks, Use use) : ranks_(std::move(ranks)), use_(std::move(use)) {}

  void take(const Rule& each) {
    if (!rules_.empty() && !rules_.back().begins_like(each)) end();
    if (rules_.empty() || !rules_.back().same_rule(each)) {
      rules_.push_back(each);
      most_ = each.count;
      return;
    }
    Rule& last = rules_.back();
    const std::uint64_t count = last.count + each.count;
    const std::uint32_t met = last.met + each.met;
    const std::int64_t tree = last.tree + each.tree;
    if (each.count > most_) {
      last = each;
      most_ = each.count;
    }
    last.count = count;
    last.met = met;
    last.tree = tree;
  }

  /// All rules whose source sides begin alike are there.
  void end() {
    if (rules_.empty()) return;
    if (!rules_.front().same_source(rules_.back())) sort_tails();
    for (std::size_t first = 0; first < rules_.size();) {
      std::size_t last = first;
      while (last < rules_.size() && rules_[first].same_source(rules_[last])) ++last;
      use_(std::span<const Rule>(rules_).subspan(first, last - first));
      first = last;
    }
    rules_.clear();
  }

 private:
  /// Source sides that begin alike in the order of their spellings; they came in that of hashes.
  void sort_tails() {
    struct Spelt {
      std::vector<std::uint32_t> ranks;
      std::size_t first, last;
    };
    std::vector<Spelt> sources;
    for (std::size_t i = 0; i < rules_.size(); ++i) {
      if (sources.empty() || !rules_[i].same_source(rules_[sources.back().first])) {
        sources.push_back({{}, i, i});
        ranks_(rules_[i], sources.back().ranks);
      }
      ++sources.back().last;
    }
    std::ranges::sort(sources, {}, &Spelt::ranks);
    std::vector<Rule> sorted;
    sorted.reserve(rules_.size());
    for (const Spelt& each : sources) {
      sorted.insert(sorted.end(), rules_.begin() + static_cast<std::ptrdiff_t>(each.first),
                    rules_.begin() + static_cast<std::ptrdiff_t>(each.last));
    }
    rules_ = std::move(sorted);
  }

  Ranks ranks_;
  Use use_;
  std::vector<Rule> rules_;  // whose source sides begin alike
  std::uint64_t most_ = 0;   // the count of the last one's links
};

template <class Rule>
struct ScoredRule {
  Rule rule;
  FromTarget known;
  float scores[4];
};

/// Scores and spells rules.
template <class Rules>
class RuleWriter {
 public:
  /// `label_counts` has those of all rules by label, in parts of kOne, or nothing if no feature asks for them.
  RuleWriter(const Rules& rules, const Symbols& symbols, const RuleFeatures& features, const ScoreOptions& options,
             const phrase::PhraseSmoothing& smoothing, std::uint64_t n_instances,
             std::span<const std::uint64_t> label_counts = {})
      : rules_(rules),
        text_(symbols),
        features_(features),
        options_(options),
        smoothing_(smoothing),
        n_instances_(n_instances),
        label_counts_(label_counts) {}

  /// The lines of the rules of one source side, the most probable first.
  template <class Rule>
  void write(std::span<ScoredRule<Rule>> rules, RuleLines& lines) const {
    phrase::Marginal source;
    std::uint32_t source_met = 0;
    for (const auto& each : rules) {
      source.add(each.rule.evidence(), smoothing_.discounted(each.rule.evidence()));
      source_met += each.rule.met;
    }
    for (auto& each : rules) {
      const auto weights = rules_.weights(each.rule);
      each.scores[0] = each.known.source_given_target;
      each.scores[1] = static_cast<float>(std::exp(weights.log_source));
      each.scores[2] = static_cast<float>(smoothing_.probability(each.rule.evidence(), source, each.known.n_of_target));
      each.scores[3] = static_cast<float>(std::exp(weights.log_target));
    }
    const auto better = [](const auto& a, const auto& b) {
      return a.scores[2] != b.scores[2] ? a.scores[2] > b.scores[2] : a.scores[3] > b.scores[3];
    };
    if (rules.size() > 1) std::ranges::stable_sort(rules, better);
    std::unordered_map<LabelPair, double> of_source;
    if (!label_counts_.empty()) {
      of_source =
          label_masses(rules, [](const auto& each) { return std::pair{each.rule.labels, each.rule.evidence().mass}; });
    }
    const std::size_t most = options_.translations_per_source == 0 ? rules.size() : options_.translations_per_source;
    std::size_t n = 0;
    for (const auto& each : rules) {
      if (n == most) break;
      if (each.rule.n_gaps > 0 && each.rule.met < options_.least_count) continue;
      if (!is_significant(each.rule.met, source_met, each.known.target_met)) continue;
      rules_.sides(each.rule, lines.sides);
      const float counts[] = {static_cast<float>(each.known.target_count), static_cast<float>(source.total),
                              static_cast<float>(each.rule.evidence().mass)};
      lines.scores.assign(std::begin(each.scores), std::end(each.scores));
      features_.append(lines.scores, each.rule, lines.sides, masses(each.rule.labels, of_source, each.known), rules_);
      text_.line(lines, each.rule, counts, rules_);
      lines.statistics.n_lexical += each.rule.n_gaps == 0 ? 1 : 0;
      ++n;
    }
    lines.statistics.n_written += n;
    lines.statistics.n_sources += n > 0 ? 1 : 0;
  }

 private:
  LabelMasses masses(LabelPair labels, const std::unordered_map<LabelPair, double>& of_source,
                     const FromTarget& known) const {
    if (label_counts_.empty()) return {};
    return {static_cast<double>(label_counts_[labels]) / static_cast<double>(kOne), of_source.at(labels),
            known.target_in_label};
  }

  bool is_significant(std::uint32_t met, std::uint32_t source_met, std::uint32_t target_met) const {
    constexpr double kEpsilon = 0.001;  // in −log p: larger than any rounding, smaller than any difference
    if (options_.significance == Significance::none) return true;
    const double limit = std::log(static_cast<double>(n_instances_));
    const double p = phrase::negative_log_p(met, source_met, target_met, n_instances_);
    return p > limit + (options_.significance == Significance::drop_once ? kEpsilon : -kEpsilon);
  }

  const Rules& rules_;
  const RuleText text_;
  const RuleFeatures& features_;
  const ScoreOptions& options_;
  const phrase::PhraseSmoothing& smoothing_;
  std::uint64_t n_instances_;
  std::span<const std::uint64_t> label_counts_;
};

}  // namespace dragoman::grammar
