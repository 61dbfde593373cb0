#include <algorithm>
#include <map>

#include "chart.hpp"
#include "phrase/target.hpp"

namespace dragoman::chart {

/// What may stand in the gaps of rules has a place in the target: rules are tried one by one, wherever it fits.
void Chart::place(const Cube& cube) {
  std::vector<const Filled*> tails;
  for (const Tail* tail = cube.last; tail; tail = tail->before) tails.push_back(tail->filled);
  std::ranges::reverse(tails);
  for (const RuleUse* rule : cube.rules) place_rule(*rule, tails, cube.lattice);
}

Cube Chart::cube_of(std::span<const RuleUse* const> rules, std::span<const Items> tails, float lattice) const {
  double below = 0;
  for (const Items& items : tails) below += items.front().score;
  return {cubes_.promise(below, rules.front()->estimate, lattice), rules, nullptr, tails, lattice};
}

void Chart::fill_placed(std::uint32_t level, Span span) {
  for (std::uint32_t group = 0; group < levels_[level].labels.size(); ++group) {
    placed_.clear();
    for (const Cube& cube : levels_[level].cubes) {
      if (cube.group == group) place(cube);
    }
    Filled* const made = arena_.make<Filled>();
    *made = {levels_[level].labels[group], 0, explore_placed(span)};
    if (made->groups.empty()) continue;
    here_.push_back(made);
    rename(*made, span);
  }
}

void Chart::place_rule(const RuleUse& rule, std::span<const Filled* const> tails, float lattice) {
  std::vector<const Group*> chosen(tails.size(), nullptr);
  const auto rules = arena_.make<const RuleUse*>(1);
  rules[0] = &rule;
  std::uint32_t from = 0;
  const auto go = [&](const auto& again, std::size_t symbol, std::uint32_t place) -> void {
    for (; symbol < rule.target.size() && !graph::is_gap(rule.target[symbol]); ++symbol) {
      if (!phrase::fits(*target_, place, rule.target[symbol])) return;
      place = static_cast<std::uint32_t>(std::min<std::size_t>(place + 1, n_places_));
    }
    if (symbol == rule.target.size()) {
      const auto items = arena_.make<Items>(tails.size());
      for (std::size_t k = 0; k < items.size(); ++k) items[k] = chosen[k]->items;
      placed_.push_back({from, place, cube_of(rules, items, lattice)});
      return;
    }
    const std::size_t k = graph::tail_of(rule.target[symbol]);
    for (const Group& group : tails[k]->groups) {
      if (group.from != place) continue;
      chosen[k] = &group;
      again(again, symbol + 1, group.to);
    }
  };
  for (from = 0; from <= n_places_; ++from) go(go, 0, from);
}

/// The items of all cubes, by where they stand in the target.
std::span<const Group> Chart::explore_placed(Span span) {
  std::ranges::stable_sort(
      placed_, [](const Placed& a, const Placed& b) { return a.from != b.from ? a.from < b.from : a.to < b.to; });
  std::vector<Group> groups;
  for (std::size_t first = 0, last = 0; first < placed_.size(); first = last) {
    asked_.clear();
    const Placed& one = placed_[first];
    while (last < placed_.size() && placed_[last].from == one.from && placed_[last].to == one.to) {
      asked_.push_back(placed_[last++].cube);
    }
    groups.push_back({one.from, one.to, cubes_.explore(asked_, 1, span, limits_->pop_limit)[0]});
  }
  const auto all = arena_.make<Group>(groups.size());
  std::ranges::copy(groups, all.begin());
  return all;
}

/// As `glue`, by the words that are said so far. Where nothing says the next one it may be put in, if that is allowed.
void Chart::glue_placed(std::size_t end) {
  const Span span{0, static_cast<std::uint16_t>(end)};
  const auto rules = arena_.make<const RuleUse*>(1);
  rules[0] = book_->glue();
  std::map<std::uint32_t, std::vector<Cube>> cubes;  // by the words that are said then
  for (std::size_t middle = 0; middle < end; ++middle) {
    if (!glued_[middle]) continue;
    for (const Filled* part : cells_[at(middle, end)].parts) {
      for (const Group& before : glued_[middle]->groups) {
        for (const Group& behind : part->groups) {
          if (behind.from != before.to) continue;
          const auto tails = arena_.make<Items>(2);
          tails[0] = before.items;
          tails[1] = behind.items;
          cubes[behind.to].push_back(cube_of(rules, tails, 0));
        }
      }
    }
  }
  std::vector<Group> groups;
  for (std::uint32_t said = 0; said <= n_places_; ++said) {
    std::vector<Cube>& own = cubes[said];
    if (said > 0 && length_ > 0 && target_->artificial && !groups.empty() && groups.back().to == said - 1) {
      const auto words = arena_.make<TokenId>(2);
      words[0] = graph::gap(0);
      words[1] = said <= target_->words.size() ? target_->words[said - 1] : target_->next.front();
      RuleUse rule;
      rule.target = words;
      rule.n_unknown = 1;
      const auto inserting = arena_.make<const RuleUse*>(1);
      inserting[0] = book_->make(rule);
      const auto tails = arena_.make<Items>(1);
      tails[0] = groups.back().items;
      own.push_back(cube_of(inserting, tails, 0));
    }
    Items items;
    if (end == 0 && said == 0) {
      items = cubes_.beginning();
    } else {
      items = cubes_.explore(own, 1, span, limits_->pop_limit)[0];
    }
    if (!items.empty()) groups.push_back({0, said, items});
  }
  const auto all = arena_.make<Group>(groups.size());
  std::ranges::copy(groups, all.begin());
  Filled* const made = arena_.make<Filled>();
  *made = {0, 0, all};
  glued_[end] = made;
}

}  // namespace dragoman::chart
