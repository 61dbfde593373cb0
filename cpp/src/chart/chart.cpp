#include "chart.hpp"

#include <algorithm>

namespace dragoman::chart {

namespace {

constexpr Label kGlued = 0xFFFFFFFF;

std::uint64_t key_of(Span span, std::uint32_t label) {
  return (std::uint64_t{span.begin} << 16 | span.end) << 32 | label;
}

}  // namespace

void Chart::run(std::span<const TokenId> source, const Weights& weights, const Constraints* constraints,
                const std::span<const LabelledSpan>* labels) {
  constraints_ = constraints;
  target_ = constraints && constraints->target ? &*constraints->target : nullptr;
  n_places_ = target_ ? target_->words.size() + (target_->next.empty() ? 0 : 1) : 0;
  arena_.clear();
  cubes_.start(engine_->n_given() > 0 ? weights.dense[engine_->given_at()] : 0.0F);
  read(source, labels);
  n_uses_ = used_words_ = 0;
  cells_.assign(at(0, length_ + 1), {});
  dots_at_.assign(cells_.size(), {});
  dots_.clear();
  edges_of_.resize(engine_->table().labels().size(), 0);
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
    labelled_.insert(key_of({static_cast<std::uint16_t>(each.begin), static_cast<std::uint16_t>(each.end)}, each.label));
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

void Chart::fill(Span span) {
  const auto first = static_cast<std::uint32_t>(dots_.size());
  n_lists_ = n_done_ = 0;
  order_.clear();
  here_.clear();
  walk(span);
  const auto last = static_cast<std::uint32_t>(dots_.size());
  for (std::uint32_t i = first; i < last; ++i) complete_dot(dots_[i], span);
  add_outside(span);
  // Labels whose items become others' come first.
  std::ranges::sort(order_, {}, [&](Label label) { return engine_->rank(label); });
  for (n_done_ = 0; n_done_ < order_.size(); ++n_done_) {
    const Label label = order_[n_done_];
    const Filled* const made = filled(label, edges_[edges_of_[label] - 1], span);
    if (made->groups.empty()) continue;
    here_.push_back(made);
    rename(*made, span);
  }
  for (const Label label : order_) edges_of_[label] = 0;
  dots_at_[at(span.begin, span.end)] = {first, static_cast<std::uint32_t>(dots_.size())};
  std::ranges::sort(here_, {}, &Filled::label);
  const auto cell = arena_.make<const Filled*>(here_.size());
  std::ranges::copy(here_, cell.begin());
  cells_[at(span.begin, span.end)] = cell;
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
    const auto go = [&](const Dot& dot) {
      if (dot.tails && !is_narrow) return;
      const bool says = step.word != phrase::Lattice::kNothing;
      const Node to = says ? engine_->table().after(dot.node, step.word) : dot.node;
      if (to != kNoNode) dots_.push_back({to, dot.tails, dot.lattice + step.score});
    };
    if (step.from == span.begin) {
      go({kRoot, nullptr, 0});
    } else {
      const Range before = dots_at_[at(span.begin, step.from)];
      for (std::uint32_t d = before.first; d < before.last; ++d) go(Dot(dots_[d]));
    }
  }
}

/// Fill the next gap with what lies between a place and the end of a span.
void Chart::walk_over(Span span, std::size_t middle) {
  const auto parts = cells_[at(middle, span.end)];
  const Range before = dots_at_[at(span.begin, middle)];
  if (parts.empty()) return;
  for (std::uint32_t d = before.first; d < before.last; ++d) {
    const Dot dot = dots_[d];
    const auto gaps = engine_->table().gaps(dot.node);
    const auto go = [&](const RuleTable::Gap& gap, const Filled* part) {
      Tail* const tail = arena_.make<Tail>();
      *tail = {part, dot.tails};
      dots_.push_back({gap.to, tail, dot.lattice});
    };
    // Both are sorted: the few are looked for among the many.
    if (gaps.size() <= parts.size()) {
      for (const auto& gap : gaps) {
        const auto part = std::ranges::lower_bound(parts, gap.label, {}, &Filled::label);
        if (part != parts.end() && (*part)->label == gap.label) go(gap, *part);
      }
    } else {
      for (const Filled* part : parts) {
        const auto gap = std::ranges::lower_bound(gaps, part->label, {}, &RuleTable::Gap::label);
        if (gap != gaps.end() && gap->label == part->label) go(*gap, part);
      }
    }
  }
}

void Chart::complete_dot(const Dot& dot, Span span) {
  const auto range = engine_->table().rules(dot.node);
  if (range.first == range.last) return;
  for (const Bundle& bundle : bundles(dot.node)) {
    if (!may_stand(bundle.label, span)) continue;
    add_edge(bundle.label, {bundle.rules, dot.tails, dot.lattice});
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
  const unsigned limit = engine_->span();
  if (limit == 0 || span.end - span.begin < static_cast<int>(limit)) dots_.push_back({node, tail, 0});
  const auto range = engine_->table().rules(node);
  if (range.first == range.last) return;
  for (const Bundle& bundle : bundles(node)) {
    // Circles are cut where they close.
    if (engine_->rank(bundle.label) <= engine_->rank(filled.label) || !may_stand(bundle.label, span)) continue;
    add_edge(bundle.label, {bundle.rules, tail, 0});
    n_uses_ += bundle.rules.size();
    used_words_ += bundle.rules.size() * static_cast<std::size_t>(span.end - span.begin);
  }
}

void Chart::add_edge(Label label, const Edge& edge) {
  std::uint32_t& place = edges_of_[label];
  if (place == 0) {
    if (n_lists_ == edges_.size()) edges_.emplace_back();
    edges_[n_lists_].clear();
    place = static_cast<std::uint32_t>(++n_lists_);
    // While labels are filled, in their order; a new one comes behind the one that is being filled.
    const auto rank = [&](Label other) { return engine_->rank(other); };
    const auto behind = here_.empty() ? order_.end()
                                      : std::ranges::upper_bound(order_.begin() + static_cast<std::ptrdiff_t>(n_done_),
                                                                 order_.end(), rank(label), {}, rank);
    order_.insert(behind, label);
  }
  edges_[place - 1].push_back(edge);
}

void Chart::add_under_unknown(const RuleUse* rule, Span span, float lattice) {
  const auto rules = arena_.make<const RuleUse*>(1);
  rules[0] = rule;
  bool any = false;
  for (const Label label : engine_->unknown_labels()) {
    if (!may_stand(label, span)) continue;
    add_edge(label, {rules, nullptr, lattice});
    any = true;
  }
  if (!any) add_edge(engine_->unknown_labels().front(), {rules, nullptr, lattice});
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
      links[k] = {static_cast<std::uint8_t>(std::min<std::size_t>(255, k * n_source / n)), static_cast<std::uint8_t>(k)};
    }
    RuleUse rule;
    rule.target = given.words;
    rule.links = links;
    rule.given = given.values;
    add_under_unknown(book_->make(rule), span, 0);
  }
}

/// What stands in the gaps, in their order.
std::span<const Items> Chart::tails_of(const Tail* last) {
  std::size_t n = 0;
  for (const Tail* tail = last; tail; tail = tail->before) ++n;
  const auto all = arena_.make<Items>(n);
  for (const Tail* tail = last; tail; tail = tail->before) all[--n] = tail->filled->groups[0].items;
  return all;
}

Filled* Chart::filled(Label label, std::span<const Edge> edges, Span span) {
  Filled* const made = arena_.make<Filled>();
  *made = {label, {}};
  if (target_) {
    placed_.clear();
    for (const Edge& edge : edges) place(edge);
    made->groups = explore_placed(span);
    return made;
  }
  asked_.clear();
  for (const Edge& edge : edges) asked_.push_back({edge.rules, tails_of(edge.tails), edge.lattice});
  const auto group = arena_.make<Group>(1);
  group[0] = {0, 0, cubes_.explore(asked_, span)};
  made->groups = group;
  return made;
}

/// Put what ends at a place behind what is glued so far.
void Chart::glue(std::size_t end) {
  if (target_) return glue_placed(end);
  const auto group = arena_.make<Group>(1);
  if (end == 0) {
    const auto items = arena_.make<const Item*>(1);
    items[0] = cubes_.beginning();
    group[0] = {0, 0, items};
  } else {
    const auto rules = arena_.make<const RuleUse*>(1);
    rules[0] = book_->glue();
    asked_.clear();
    for (std::size_t middle = 0; middle < end; ++middle) {
      if (!glued_[middle]) continue;
      for (const Filled* part : cells_[at(middle, end)]) {
        const auto tails = arena_.make<Items>(2);
        tails[0] = glued_[middle]->groups[0].items;
        tails[1] = part->groups[0].items;
        asked_.push_back({rules, tails, 0});
      }
    }
    if (asked_.empty()) return;  // inside of what is given, or of a lattice's arcs
    group[0] = {0, 0, cubes_.explore(asked_, {0, static_cast<std::uint16_t>(end)})};
  }
  Filled* const made = arena_.make<Filled>();
  *made = {kGlued, group};
  glued_[end] = made;
}

Items Chart::complete() const {
  if (!glued_[length_]) return {};
  for (const Group& group : glued_[length_]->groups) {
    if (group.to == n_places_) return group.items;
  }
  return {};
}

}  // namespace dragoman::chart
