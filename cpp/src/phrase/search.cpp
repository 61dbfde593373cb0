#include "dragoman/phrase/search.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "search_parts.hpp"

namespace dragoman::phrase {

Search::Search(const Engine& engine, const DecodeOptions& limits)
    : engine_(&engine),
      limits_(limits),
      options_(engine, limits_),
      lm_(std::make_unique<LanguageStates>(engine)),
      uses_blocks_(limits.itg ||
                   (engine.orientation() == Orientation::hierarchical && limits.hierarchy != Hierarchy::approximate)) {}
Search::~Search() = default;

Effort Search::effort() const noexcept { return {n_scored_, lm_->n_queries()}; }

std::vector<const Option*> steps_of(const Hypothesis& hypothesis) {
  std::vector<const Option*> steps;
  for (const Hypothesis* at = &hypothesis; at->option != nullptr; at = at->before) steps.push_back(at->option);
  std::reverse(steps.begin(), steps.end());
  return steps;
}

unsigned Search::orientation_before(const Hypothesis& before, Span block) const {
  if (engine_->orientation() == Orientation::word) return orientation_to(last_span(before), block);
  if (limits_.hierarchy != Hierarchy::approximate) return orientation_to(before.stack->span, block);
  return orientation_to_covered(*before.coverage, last_span(before), block);
}

/// What the new block costs for standing where it stands: distance, and orientation towards before and behind.
float Search::reordering(const Hypothesis& before, const Option& option) const {
  const Span previous = last_span(before);
  const int jump = std::abs(options_.distance(option.span.begin) - options_.distance(previous.end));
  float score = jumps_[static_cast<std::size_t>(jump)];
  if (engine_->orientation() != Orientation::none) {
    score += option.orientation[orientation_before(before, option.span)];
    if (before.option) {
      const auto place = orientation_behind(engine_->orientation(), *before.coverage, previous, option.span);
      score += before.option->orientation[3 + place];
    }
  }
  return score;
}

Search::Cell Search::guess(Edge& edge, std::uint32_t hypothesis, std::uint32_t option) const {
  const Hypothesis& before = *edge.hypotheses[hypothesis];
  const Option& next = *edge.options[option];
  const float score = before.score + next.fixed + reordering(before, next);
  return {score + next.lm_inside + edge.after->future, score, &edge, hypothesis, option, Cell::kUnscored};
}

void Search::offer(Edge& edge, std::uint32_t hypothesis, std::uint32_t option) {
  if (hypothesis >= edge.hypotheses.size() || option >= edge.options.size()) return;
  const Cell cell = guess(edge, hypothesis, option);
  heap_.push_back({cell.promise, static_cast<std::uint32_t>(cells_.size())});
  cells_.push_back(cell);
  std::push_heap(heap_.begin(), heap_.end());
}

/// Take the most promising cells of the cubes that lead to a stack, as many as the limit allows.
void Search::explore(std::size_t covered) {
  Stack& stack = stacks_[covered];
  cells_.clear();
  heap_.clear();
  for (Edge* edge : stack.edges) {
    const Cell cell = guess(*edge, 0, 0);
    heap_.push_back({cell.promise, static_cast<std::uint32_t>(cells_.size())});
    cells_.push_back(cell);
  }
  std::make_heap(heap_.begin(), heap_.end());
  // Stacks of a lattice's words hold more ways than those of a text, and fewer than those of its nodes would together.
  const std::size_t n = options_.length(), n_steps = options_.steps(0, n);
  const std::size_t limit = limits_.pop_limit * (n + n_steps) / (2 * n_steps);
  for (std::size_t popped = 0; popped < limit && !heap_.empty();) {
    std::pop_heap(heap_.begin(), heap_.end());
    const std::uint32_t at = heap_.back().cell;
    heap_.pop_back();
    Cell& cell = cells_[at];
    Edge& edge = *cell.edge;
    const Hypothesis& before = *edge.hypotheses[cell.hypothesis];
    const Option& option = *edge.options[cell.option];
    if (cell.lm == Cell::kUnscored) {
      const auto step = lm_->apply(before.lm, option);
      cell.lm = step.after;
      cell.score += step.score;
      cell.promise = cell.score + edge.after->future;
      ++n_scored_;
      if (!heap_.empty() && cell.promise < heap_.front().promise) {
        heap_.push_back({cell.promise, at});
        std::push_heap(heap_.begin(), heap_.end());
        continue;
      }
    }
    ++popped;
    Hypothesis* const made = arena_.make<Hypothesis>();
    *made = {cell.score, n_made_++, edge.after, &before, &option, nullptr, nullptr, cell.lm, 0};
    if (uses_blocks_) made->stack = blocks_.shift(before.stack, option.span);
    if (constraints_ && constraints_->target) {
      made->target = before.target + static_cast<std::uint32_t>(option.translation.words.size());
      const Target& target = *constraints_->target;
      // Behind a prefix all are alike.
      if (target.prefix) {
        const std::size_t n_places = target.words.size() + (target.next.empty() ? 0 : 1);
        made->target = std::min(made->target, static_cast<std::uint32_t>(n_places));
      }
    }
    const std::uint32_t hypothesis = cell.hypothesis, next = cell.option;
    keep(stack, made);
    // Every cell is reached on one way only: down the first column, then along the row.
    if (next == 0) offer(edge, hypothesis + 1, 0);
    offer(edge, hypothesis, next + 1);
  }
}

bool Search::same_to_all_that_follow(const Hypothesis& a, const Hypothesis& b) const {
  const Span mine = a.option->span, theirs = b.option->span;
  if (a.coverage != b.coverage || a.lm != b.lm || mine.end != theirs.end) return false;
  if (a.target != b.target || a.stack != b.stack) return false;
  if (engine_->orientation() == Orientation::none) return true;
  return mine.begin == theirs.begin &&
         std::equal(a.option->orientation.begin() + 3, a.option->orientation.end(), b.option->orientation.begin() + 3);
}

/// Put a hypothesis into its stack, or to one that every continuation takes for the same.
void Search::keep(Stack& stack, Hypothesis* made) {
  const auto hash_of = [&](const Hypothesis& hypothesis) {
    std::uint64_t hash = std::uint64_t{hypothesis.coverage->number} << 32 | hypothesis.lm;
    hash = (hash ^ hypothesis.option->span.end) * 0x9E3779B97F4A7C15ULL;
    hash ^= hypothesis.target;
    if (hypothesis.stack) hash ^= std::uint64_t{hypothesis.stack->number} << 20;
    return (hash * 0xBF58476D1CE4E5B9ULL) >> 32;
  };
  if (2 * stack.hypotheses.size() >= stack.slots.size()) {
    std::vector<Hypothesis*> old(stack.slots.size() * 4, nullptr);
    std::swap(old, stack.slots);
    for (Hypothesis* each : old) {
      if (each == nullptr) continue;
      std::size_t slot = hash_of(*each) & (stack.slots.size() - 1);
      while (stack.slots[slot] != nullptr) slot = (slot + 1) & (stack.slots.size() - 1);
      stack.slots[slot] = each;
    }
  }
  const std::size_t mask = stack.slots.size() - 1;
  std::size_t slot = hash_of(*made) & mask;
  while (stack.slots[slot] != nullptr && !same_to_all_that_follow(*stack.slots[slot], *made)) slot = (slot + 1) & mask;
  Hypothesis* const known = stack.slots[slot];
  if (known == nullptr) {
    stack.slots[slot] = made;
    stack.hypotheses.push_back(made);
    return;
  }
  if (made->score > known->score) {
    // The better one takes the place, and the pointer, of the known one.
    std::swap(*made, *known);
    known->worse = made;
  } else {
    made->worse = known->worse;
    known->worse = made;
  }
}

/// The language models' </s>, and the last block's way to the end.
float Search::end_of(const Hypothesis& hypothesis) {
  float end = lm_->end(hypothesis.lm);
  if (engine_->orientation() != Orientation::none && hypothesis.option) {
    const auto n = static_cast<std::uint16_t>(options_.length());
    const auto place =
        orientation_behind(engine_->orientation(), *hypothesis.coverage, hypothesis.option->span, {n, n});
    end += hypothesis.option->orientation[3 + place];
  }
  return end;
}

void Search::finish_all() {
  auto& hypotheses = stacks_[options_.steps(0, options_.length())].hypotheses;
  std::vector<std::pair<Hypothesis*, float>> ended;
  for (Hypothesis* hypothesis : hypotheses) {
    const float end = end_of(*hypothesis);
    for (Hypothesis* each = hypothesis; each != nullptr; each = each->worse) each->score += end;
    ended.emplace_back(hypothesis, end);
  }
  std::ranges::sort(ended, [](const auto& a, const auto& b) {
    return a.first->score != b.first->score ? a.first->score > b.first->score : a.first->number < b.first->number;
  });
  complete_.clear();
  ends_.clear();
  for (const auto& [hypothesis, end] : ended) {
    complete_.push_back(hypothesis);
    ends_.push_back(end);
  }
}

const Hypothesis* Search::run(std::span<const TokenId> source, const Weights& weights, const Constraints* constraints,
                              std::span<const std::int32_t> layer) {
  if (constraints) constraints->check(engine_->n_given(), source.size());
  constraints_ = constraints;
  weights_.assign(weights.dense.begin(), weights.dense.end());
  sparse_ = weights.sparse;
  arena_.clear();
  fitted_.clear();
  n_made_ = 0;
  options_.collect(weights, source, constraints, layer);
  const std::size_t n = options_.length();
  jumps_.resize(n + 1);
  for (std::size_t d = 0; d <= n; ++d) {
    const double distance = limits_.distortion_exponent == 1
                                ? static_cast<double>(d)
                                : std::pow(static_cast<double>(d), limits_.distortion_exponent);
    jumps_[d] = -weights_[engine_->distortion_at()] * static_cast<float>(distance);
  }
  lm_->start(weights);
  if (uses_blocks_) blocks_.start(n, limits_.hierarchy, limits_.itg);
  coverages_.assign(256, nullptr);
  n_coverages_ = 0;
  const std::size_t n_steps = options_.steps(0, n);
  if (stacks_.size() < n_steps + 1) stacks_.resize(n_steps + 1);
  for (std::size_t i = 0; i <= n_steps; ++i) stacks_[i].clear();

  Hypothesis* const start = arena_.make<Hypothesis>();
  *start = {0,       n_made_++,    cover(nullptr, {0, 0}),
            nullptr, nullptr,      uses_blocks_ ? blocks_.empty() : nullptr,
            nullptr, lm_->begin(), 0};
  const bool possible = !(n == 0 && constraints && constraints->target && !constraints->target->words.empty());
  if (possible) stacks_[0].hypotheses.push_back(start);
  for (std::size_t covered = 0; covered <= n_steps; ++covered) {
    if (covered > 0) explore(covered);
    if (covered < n_steps) open_edges(covered);
  }
  finish_all();
  return complete_.empty() ? nullptr : complete_.front();
}

}  // namespace dragoman::phrase
