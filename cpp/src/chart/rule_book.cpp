#include "rule_book.hpp"

#include <algorithm>

namespace dragoman::chart {

namespace {

constexpr std::size_t kMostKnown = 400000;  // rules that are kept from one sentence to the next, some 100 MB
constexpr TokenId kGlueTarget[] = {graph::gap(0), graph::gap(1)};

}  // namespace

void RuleBook::start(const Weights& weights, std::size_t most) {
  sentence_.clear();
  if (!std::ranges::equal(weights_, weights.dense) || most != most_ || n_known_ > kMostKnown) {
    weights_.assign(weights.dense.begin(), weights.dense.end());
    most_ = most;
    known_.assign(1024, {});
    known_arena_.clear();
    n_known_ = n_nodes_ = 0;
  }
  RuleUse glue;
  glue.target = kGlueTarget;
  glue.is_glue = true;
  glue_ = make(glue);
}

RuleBook::Known& RuleBook::known(Node node) noexcept {
  const std::size_t mask = known_.size() - 1;
  std::size_t place = (node * 0x9E3779B97F4A7C15ULL >> 32) & mask;
  while (known_[place].node != node && known_[place].node != kNoNode) place = (place + 1) & mask;
  return known_[place];
}

void RuleBook::widen() {
  std::vector<Known> before(known_.size() * 2);
  before.swap(known_);
  for (const Known& each : before) {
    if (each.node != kNoNode) known(each.node) = each;
  }
}

std::span<const Bundle> RuleBook::at(Node node) {
  if (const Known& here = known(node); here.node == node) return {here.bundles, here.n_bundles};
  if (2 * ++n_nodes_ > known_.size()) widen();
  const auto made = made_at(node, most_, known_arena_);
  known(node) = {node, static_cast<std::uint32_t>(made.size()), made.data()};
  return made;
}

std::span<const Bundle> RuleBook::made_at(Node node, std::size_t most, Arena& arena) {
  struct Rule {
    Label label;
    RuleUse* use;
  };
  const auto range = engine_->table().rules(node);
  std::vector<Rule> rules;
  for (std::uint32_t number = range.first; number < range.last; ++number) {
    const RuleView view = engine_->table().rule(number);
    RuleUse& use = *arena.make<RuleUse>();
    use = {};
    use.number = number;
    use.target = view.target;
    use.links = view.links;
    weigh(use, arena);
    rules.push_back({view.label, &use});
  }
  std::ranges::stable_sort(rules, [](const Rule& a, const Rule& b) {
    return a.label != b.label ? a.label < b.label : a.use->estimate > b.use->estimate;
  });
  std::vector<Bundle> bundles;
  for (std::size_t first = 0, last = 0; first < rules.size(); first = last) {
    while (last < rules.size() && rules[last].label == rules[first].label) ++last;
    const auto kept = arena.make<const RuleUse*>(std::min(most, last - first));
    for (std::size_t i = 0; i < kept.size(); ++i) kept[i] = rules[first + i].use;
    bundles.push_back({rules[first].label, rules[first].use->estimate, kept});
    n_known_ += last - first;
  }
  const auto all = arena.make<Bundle>(bundles.size());
  std::ranges::copy(bundles, all.begin());
  return all;
}

const RuleUse* RuleBook::make(const RuleUse& rule) {
  RuleUse& use = *sentence_.make<RuleUse>();
  use = rule;
  weigh(use, sentence_);
  return &use;
}

void RuleBook::weigh(RuleUse& rule, Arena& arena) const {
  const auto n_words = static_cast<float>(rule.target.size() -
                                          static_cast<std::size_t>(std::ranges::count_if(rule.target, graph::is_gap)));
  rule.fixed = rule.number == RuleUse::kNoRule ? 0.0F : engine_->rule_score(rule.number, weights_);
  rule.fixed -= weights_[engine_->word_penalty_at()] * n_words;
  rule.fixed -= weights_[rule.is_glue ? engine_->glue_at() : engine_->phrase_penalty_at()];
  rule.fixed -= weights_[engine_->unknown_at()] * static_cast<float>(rule.n_unknown);
  for (std::size_t f = 0; f < rule.given.size(); ++f) rule.fixed += weights_[engine_->given_at() + f] * rule.given[f];
  rule.estimate = rule.fixed;
  const auto first_gap = std::ranges::find_if(rule.target, graph::is_gap);
  rule.n_first = static_cast<std::uint32_t>(first_gap - rule.target.begin());
  const auto& models = engine_->language_models();
  const auto beginnings = arena.make<RuleUse::Beginning>(models.size());
  for (std::size_t m = 0; m < models.size(); ++m) {
    RuleUse::Beginning beginning;
    Reading reading;
    float log_p = 0;
    for (std::size_t i = 0; i < rule.target.size(); ++i) {
      if (graph::is_gap(rule.target[i])) {
        reading = {};
      } else {
        log_p += append(*models[m].model, reading, models[m].id(rule.target[i]));
      }
      if (i + 1 == rule.n_first) beginning = {reading, log_p};
    }
    beginnings[m] = beginning;
    rule.estimate += weights_[engine_->language_model_at(m)] * static_cast<float>(kLn10) * log_p;
  }
  rule.beginnings = beginnings;
}

void RuleBook::tell(const RuleUse& rule, std::span<double> into) const {
  if (rule.number != RuleUse::kNoRule) engine_->tell_rule(rule.number, into);
  const auto n_gaps = static_cast<double>(std::ranges::count_if(rule.target, graph::is_gap));
  into[engine_->word_penalty_at()] -= static_cast<double>(rule.target.size()) - n_gaps;
  into[rule.is_glue ? engine_->glue_at() : engine_->phrase_penalty_at()] -= 1;
  into[engine_->unknown_at()] -= static_cast<double>(rule.n_unknown);
  for (std::size_t f = 0; f < rule.given.size(); ++f)
    into[engine_->given_at() + f] += static_cast<double>(rule.given[f]);
}

}  // namespace dragoman::chart
