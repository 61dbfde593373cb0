#include "chart.hpp"

#include <algorithm>

namespace dragoman::chart {

namespace {

constexpr Label kGlued = 0xFFFFFFFF;
// Items of wide spans are parts of fewer others and say more of the whole: with a share of the pop limit by width, the
// mean score of Multi30k's captions is that of equal shares at three quarters of the time (bench/chart.py).
constexpr std::size_t kFullWidth = 10;  // words of a span that has the whole of the limit
constexpr std::size_t kLeastPops = 10;
constexpr std::size_t kGlueFactor = 2;
constexpr std::size_t kAhead = 2;  // the part of the limit that is looked at before the first is given away

std::uint64_t key_of(Span span, std::uint32_t label) {
  return (std::uint64_t{span.begin} << 16 | span.end) << 32 | label;
}

std::uint64_t bit_of(Label label) { return std::uint64_t{1} << (label % 64); }

}  // namespace

void Chart::run(std::span<const TokenId> source, const Weights& weights, const Constraints* constraints,
                const std::span<const LabelledSpan>* labels) {
  constraints_ = constraints;
  target_ = constraints && constraints->target ? &*constraints->target : nullptr;
  n_places_ = target_ ? target_->words.size() + (target_->next.empty() ? 0 : 1) : 0;
  arena_.clear();
  grows_ = limits_->grow && !target_;
  const float lattice_weight = engine_->n_given() > 0 ? weights.dense[engine_->given_at()] : 0.0F;
  cubes_.start(lattice_weight);
  growing_.start(lattice_weight);
  read(source, labels);
  n_uses_ = used_words_ = 0;
  cells_.assign(at(0, length_ + 1), {});
  dots_at_.assign(cells_.size(), {});
  gap_dots_at_.assign(cells_.size(), {});
  dots_.clear();
  gap_dots_.clear();
  levels_.resize(engine_->n_levels());
  groups_of_.resize(engine_->table().labels().size(), 0);
  glued_.assign(length_ + 1, nullptr);
  glue(0);
  for (std::size_t end = 1; end <= length_; ++end) {
    for (std::size_t begin = end; begin-- > 0;) {
      if (end <= limit_[begin]) fill({static_cast<std::uint16_t>(begin), static_cast<std::uint16_t>(end)});
    }
    glue(end);
  }
}

void Chart::read(std::span<const TokenId> source, const std::span<const LabelledSpan>* labels) {
  const phrase::Lattice* const lattice = constraints_ && constraints_->lattice ? &*constraints_->lattice : nullptr;
  is_lattice_ = lattice != nullptr;
  length_ = lattice ? lattice->n_nodes - 1U : source.size();
  steps_.clear();
  steps_to_.assign(length_ + 1, {});
  for (std::size_t end = 1; end <= length_; ++end) {
    steps_to_[end].first = static_cast<std::uint32_t>(steps_.size());
    if (!lattice) {
      steps_.push_back({static_cast<std::uint16_t>(end - 1), source[end - 1], static_cast<std::uint32_t>(end - 1), 0});
    } else {
      for (std::uint32_t i = 0; i < lattice->arcs.size(); ++i) {
        const auto& arc = lattice->arcs[i];
        if (arc.to == end) steps_.push_back({arc.from, arc.word, i, engine_->n_given() > 0 ? arc.score : 0.0F});
      }
    }
    steps_to_[end].last = static_cast<std::uint32_t>(steps_.size());
  }
  limit_.assign(length_ + 1, static_cast<std::uint32_t>(length_));
  if (constraints_) {
    for (const std::uint16_t wall : constraints_->walls) {
      for (std::size_t begin = 0; begin < std::min<std::size_t>(wall, length_); ++begin) {
        limit_[begin] = std::min<std::uint32_t>(limit_[begin], wall);
      }
    }
  }
  is_labelled_ = labels != nullptr;
  labelled_.clear();
  if (!labels) return;
  for (const LabelledSpan& each : *labels) {
    labelled_.insert(
        key_of({static_cast<std::uint16_t>(each.begin), static_cast<std::uint16_t>(each.end)}, each.label));
  }
}

bool Chart::may_stand(Label label, Span span) const {
  return !is_labelled_ || !engine_->is_bound(label) ||
         labelled_.contains(key_of(span, engine_->table().labels()[label].first));
}

/// True if a translation from outside forbids all others here.
bool Chart::is_closed(Span span) const {
  return constraints_ && std::ranges::any_of(constraints_->given, [&](const phrase::Given& given) {
           return given.exclusive && span.begin < given.span.end && given.span.begin < span.end;
         });
}

/// How many items are looked for over a span, of all labels together.
std::size_t Chart::pops(Span span) const {
  const std::size_t all = limits_->pop_limit, width = static_cast<std::size_t>(span.end - span.begin);
  return std::max(all * std::min(width, kGlueFactor * kFullWidth) / kFullWidth, std::min(all, kLeastPops));
}

void Chart::fill(Span span) {
  const Range first{static_cast<std::uint32_t>(dots_.size()), static_cast<std::uint32_t>(gap_dots_.size())};
  here_.clear();
  walk(span);
  add_outside(span);
  // Labels whose items become others' come first.
  for (std::uint32_t level = 0; level < levels_.size(); ++level) {
    if (levels_[level].labels.empty()) continue;
    target_ ? fill_placed(level, span) : grows_ ? sow_level(level, span) : fill_level(level, span);
    for (const Label label : levels_[level].labels) groups_of_[label] = 0;
    levels_[level].labels.clear();
    levels_[level].cubes.clear();
  }
  dots_at_[at(span.begin, span.end)] = {first.first, static_cast<std::uint32_t>(dots_.size())};
  gap_dots_at_[at(span.begin, span.end)] = {first.last, static_cast<std::uint32_t>(gap_dots_.size())};
  std::ranges::sort(here_, {}, &Filled::label);
  const auto parts = arena_.make<const Filled*>(here_.size());
  std::ranges::copy(here_, parts.begin());
  Cell& cell = cells_[at(span.begin, span.end)];
  cell.parts = parts;
  for (const Filled* part : parts) cell.labels |= bit_of(part->label);
}

std::span<const Group> Chart::one_group(Items items) {
  const auto group = arena_.make<Group>(1);
  group[0] = {0, 0, items};
  return group;
}

void Chart::fill_level(std::uint32_t level, Span span) {
  Level& own = levels_[level];
  const auto items = cubes_.explore(own.cubes, own.labels.size(), span, pops(span));
  for (std::size_t i = 0; i < own.labels.size(); ++i) {
    if (items[i].empty()) continue;
    Filled* const made = arena_.make<Filled>();
    *made = {own.labels[i], items[i].front().score, one_group(items[i])};
    here_.push_back(made);
    rename(*made, span);
  }
}

/// Nothing is looked for before somebody asks.
void Chart::sow_level(std::uint32_t level, Span span) {
  Level& own = levels_[level];
  std::ranges::stable_sort(own.cubes, {}, &Cube::group);
  for (std::size_t first = 0, last = 0; first < own.cubes.size(); first = last) {
    while (last < own.cubes.size() && own.cubes[last].group == own.cubes[first].group) ++last;
    const auto cubes = std::span(own.cubes).subspan(first, last - first);
    const Filled* const made = sown(own.labels[cubes.front().group], cubes, span, pops(span));
    here_.push_back(made);
    rename(*made, span);
  }
}

const Filled* Chart::sown(Label label, std::span<const Cube> cubes, Span span, std::size_t limit) {
  Filled* const made = arena_.make<Filled>();
  *made = {
      label, std::ranges::max(cubes, {}, &Cube::promise).promise, {}, growing_.add(cubes, span, limit, limit / kAhead)};
  return made;
}

/// Find the ways through source sides that a span's words and parts have gone.
void Chart::walk(Span span) {
  const unsigned limit = engine_->span();
  const bool is_narrow = limit == 0 || span.end - span.begin <= static_cast<int>(limit);
  if (is_narrow) {
    for (std::size_t middle = span.begin + 1U; middle < span.end; ++middle) walk_over(span, middle);
  }
  for (std::uint32_t i = steps_to_[span.end].first; i < steps_to_[span.end].last; ++i) {
    const Step& step = steps_[i];
    if (step.from < span.begin || is_closed({step.from, span.end})) continue;
    const bool says = step.word != phrase::Lattice::kNothing;
    if (step.from == span.begin) {
      const Node to = says ? engine_->table().after(kRoot, step.word) : kRoot;
      if (to != kNoNode) arrive({to, step.score, nullptr, 0}, span);
      continue;
    }
    const Range before = dots_at_[at(span.begin, step.from)];
    for (std::uint32_t d = before.first; d < before.last; ++d) {
      Dot dot = dots_[d];
      if (dot.tails && !is_narrow) continue;
      dot.node = says ? engine_->table().after(dot.node, step.word) : dot.node;
      dot.lattice += step.score;
      if (dot.node != kNoNode) arrive(dot, span);
    }
  }
}

/// Fill the next gap with what lies between a place and the end of a span.
void Chart::walk_over(Span span, std::size_t middle) {
  const Cell& cell = cells_[at(middle, span.end)];
  const Range before = gap_dots_at_[at(span.begin, middle)];
  if (cell.parts.empty()) return;
  for (std::uint32_t d = before.first; d < before.last; ++d) {
    if ((gap_dots_[d].labels & cell.labels) == 0) continue;
    const GapDot from = gap_dots_[d];
    const auto go = [&](const RuleTable::Gap& gap, const Filled* part) {
      Tail* const tail = arena_.make<Tail>();
      *tail = {part, from.dot.tails};
      arrive({gap.to, from.dot.lattice, tail, from.dot.below + part->best}, span);
    };
    // Both are sorted: the few are looked for among the many.
    if (from.gaps.size() <= cell.parts.size()) {
      for (const auto& gap : from.gaps) {
        if ((cell.labels & bit_of(gap.label)) == 0) continue;
        const auto part = std::ranges::lower_bound(cell.parts, gap.label, {}, &Filled::label);
        if (part != cell.parts.end() && (*part)->label == gap.label) go(gap, *part);
      }
    } else {
      for (const Filled* part : cell.parts) {
        if ((from.labels & bit_of(part->label)) == 0) continue;
        const auto gap = std::ranges::lower_bound(from.gaps, part->label, {}, &RuleTable::Gap::label);
        if (gap != from.gaps.end() && gap->label == part->label) go(*gap, part);
      }
    }
  }
}

/// Use the rules that end here, and remember those that may go on.
void Chart::arrive(const Dot& dot, Span span) {
  complete_dot(dot, span);
  go_on_from(dot);
}

void Chart::go_on_from(const Dot& dot) {
  const RuleTable& table = engine_->table();
  if (dot.node == kRoot || table.has_words(dot.node) || is_lattice_) dots_.push_back(dot);
  const auto gaps = table.gaps(dot.node);
  if (gaps.empty()) return;
  std::uint64_t labels = 0;
  for (const auto& gap : gaps) labels |= bit_of(gap.label);
  gap_dots_.push_back({gaps, labels, dot});
}

void Chart::complete_dot(const Dot& dot, Span span) {
  const auto range = engine_->table().rules(dot.node);
  if (range.first == range.last) return;
  for (const Bundle& bundle : bundles(dot.node)) {
    if (!may_stand(bundle.label, span)) continue;
    add_edge(bundle, dot);
    n_uses_ += bundle.rules.size();
    used_words_ += bundle.rules.size() * static_cast<std::size_t>(span.end - span.begin);
  }
}

/// Begin rules with a gap, and make other labels of this one by rules that are nothing else.
void Chart::rename(const Filled& filled, Span span) {
  const Node node = engine_->first_gap(filled.label);
  if (node == kNoNode) return;
  Tail* const tail = arena_.make<Tail>();
  *tail = {&filled, nullptr};
  const Dot dot{node, 0, tail, filled.best};
  const unsigned limit = engine_->span();
  if (limit == 0 || span.end - span.begin < static_cast<int>(limit)) go_on_from(dot);
  const auto range = engine_->table().rules(node);
  if (range.first == range.last) return;
  for (const Bundle& bundle : bundles(node)) {
    // Circles are cut where they close.
    if (engine_->rank(bundle.label) <= engine_->rank(filled.label) || !may_stand(bundle.label, span)) continue;
    add_edge(bundle, dot);
    n_uses_ += bundle.rules.size();
    used_words_ += bundle.rules.size() * static_cast<std::size_t>(span.end - span.begin);
  }
}

void Chart::add_edge(const Bundle& bundle, const Dot& dot) {
  Level& level = levels_[engine_->level(bundle.label)];
  std::uint32_t& group = groups_of_[bundle.label];
  if (group == 0) {
    level.labels.push_back(bundle.label);
    group = static_cast<std::uint32_t>(level.labels.size());
  }
  const double promise = cubes_.promise(dot.below, bundle.estimate, dot.lattice);
  level.cubes.push_back({promise, bundle.rules, dot.tails, {}, dot.lattice, group - 1});
}

void Chart::add_under_unknown(const RuleUse* rule, Span span, float lattice) {
  const auto rules = arena_.make<const RuleUse*>(1);
  rules[0] = rule;
  bool any = false;
  for (const Label label : engine_->unknown_labels()) {
    if (!may_stand(label, span)) continue;
    add_edge({label, rule->estimate, rules}, {kRoot, lattice, nullptr, 0});
    any = true;
  }
  if (!any) add_edge({engine_->unknown_labels().front(), rule->estimate, rules}, {kRoot, lattice, nullptr, 0});
}

/// A word as it is, or nothing in its place.
const RuleUse* Chart::copy_of(const Step& step, bool is_left_out) {
  RuleUse rule;
  rule.n_unknown = step.word == phrase::Lattice::kNothing ? 0 : 1;
  if (!is_left_out) {
    const auto words = arena_.make<TokenId>(1);
    words[0] = phrase::copied(step.number);
    const auto links = arena_.make<Link>(1);
    links[0] = {0, 0};
    rule.target = words;
    rule.links = links;
  }
  return book_->make(rule);
}

/// What stands over a span without being in the rules: words that none of them has alone, and what constraints give.
void Chart::add_outside(Span span) {
  for (std::uint32_t i = steps_to_[span.end].first; i < steps_to_[span.end].last; ++i) {
    const Step& step = steps_[i];
    if (step.from != span.begin || is_closed(span)) continue;
    if (step.word == phrase::Lattice::kNothing) {
      add_under_unknown(copy_of(step, true), span, step.score);
      continue;
    }
    const Node node = engine_->table().after(kRoot, step.word);
    const auto stands = [&](const Bundle& bundle) { return may_stand(bundle.label, span); };
    if (node == kNoNode || std::ranges::none_of(bundles(node), stands)) {
      add_under_unknown(copy_of(step, limits_->drop_unknown), span, step.score);
    }
    if (target_ && target_->artificial) add_under_unknown(copy_of(step, true), span, step.score);
  }
  if (!constraints_) return;
  for (const phrase::Given& given : constraints_->given) {
    if (given.span != span) continue;
    // Which word of the span became which is not known: each of the translation belongs to one, in their order.
    const std::size_t n = std::min<std::size_t>(given.words.size(), 255), n_source = span.end - span.begin;
    const auto links = arena_.make<Link>(n);
    for (std::size_t k = 0; k < n; ++k) {
      links[k] = {static_cast<std::uint8_t>(std::min<std::size_t>(255, k * n_source / n)),
                  static_cast<std::uint8_t>(k)};
    }
    RuleUse rule;
    rule.target = given.words;
    rule.links = links;
    rule.given = given.values;
    add_under_unknown(book_->make(rule), span, 0);
  }
}

/// Put what ends at a place behind what is glued so far.
void Chart::glue(std::size_t end) {
  if (target_) return glue_placed(end);
  Filled* const made = arena_.make<Filled>();
  *made = {kGlued, 0, {}};
  if (end == 0) {
    if (grows_) {
      made->grown = growing_.beginning();
    } else {
      made->groups = one_group(cubes_.beginning());
    }
    glued_[0] = made;
    return;
  }
  const auto rules = arena_.make<const RuleUse*>(1);
  rules[0] = book_->glue();
  asked_.clear();
  for (std::size_t middle = 0; middle < end; ++middle) {
    if (!glued_[middle]) continue;
    for (const Filled* part : cells_[at(middle, end)].parts) {
      const auto tails = arena_.make<Tail>(2);
      tails[0] = {glued_[middle], nullptr};
      tails[1] = {part, &tails[0]};
      asked_.push_back({cubes_.promise(glued_[middle]->best + part->best, rules[0]->estimate, 0), rules, &tails[1]});
    }
  }
  if (asked_.empty()) return;  // inside of what is given, or of a lattice's arcs
  const Span span{0, static_cast<std::uint16_t>(end)};
  const std::size_t limit = kGlueFactor * limits_->pop_limit;
  if (grows_) {
    glued_[end] = sown(kGlued, asked_, span, limit);
    // All of these are asked for in the end; one by one they do not ask each other in depth.
    growing_.first(*glued_[end]->grown, 1);
    return;
  }
  made->groups = one_group(cubes_.explore(asked_, 1, span, limit)[0]);
  made->best = made->groups[0].items.front().score;
  glued_[end] = made;
}

Items Chart::complete() {
  if (!glued_[length_]) return {};
  if (grows_) {
    const Items items = growing_.first(*glued_[length_]->grown, limits_->pop_limit);
    growing_.number_items();
    return items;
  }
  for (const Group& group : glued_[length_]->groups) {
    if (group.to == n_places_) return group.items;
  }
  return {};
}

}  // namespace dragoman::chart
