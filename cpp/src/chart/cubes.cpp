#include "cubes.hpp"

#include <algorithm>

namespace dragoman::chart {

const Item* Cubes::beginning() {
  Item* const item = arena_->make<Item>();
  *item = {0, nullptr, states_->begin(), n_items_++, {0, 0}};
  return item;
}

/// The sum of a corner's tails.
double Cubes::below(const Corner& corner) const {
  double sum = 0;
  for (std::size_t k = 0; k < corner.cube->tails.size(); ++k) {
    sum += corner.cube->tails[k][ranks_[corner.ranks + 1 + k]]->score;
  }
  return sum;
}

void Cubes::offer(const Cube& cube, std::uint32_t ranks) {
  Corner corner{0, &cube, ranks, kUnscored, 0};
  const RuleUse& rule = *cube.rules[ranks_[ranks]];
  corner.promise = below(corner) + static_cast<double>(rule.estimate + lattice_weight_ * cube.lattice);
  heap_.push_back({corner.promise, static_cast<std::uint32_t>(corners_.size())});
  corners_.push_back(corner);
}

/// The neighbours of a corner. Each is reached on one way only: a side grows while all before it are at their first.
void Cubes::offer_next(const Corner& corner) {
  const Cube& cube = *corner.cube;
  const std::size_t n = 1 + cube.tails.size();
  const std::uint32_t own = corner.ranks;
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t size = k == 0 ? cube.rules.size() : cube.tails[k - 1].size();
    if (ranks_[own + k] + 1U < size) {
      const auto next = static_cast<std::uint32_t>(ranks_.size());
      for (std::size_t i = 0; i < n; ++i) {
        const std::uint32_t rank = ranks_[own + i];
        ranks_.push_back(rank + (i == k ? 1 : 0));
      }
      offer(cube, next);
      std::push_heap(heap_.begin(), heap_.end());
    }
    if (ranks_[own + k] > 0) break;
  }
}

void Cubes::ask(Corner& corner) {
  const Cube& cube = *corner.cube;
  parts_.clear();
  for (std::size_t k = 0; k < cube.tails.size(); ++k) {
    parts_.push_back(cube.tails[k][ranks_[corner.ranks + 1 + k]]->state);
  }
  const RuleUse& rule = *cube.rules[ranks_[corner.ranks]];
  const auto joined = states_->join(rule, parts_);
  corner.state = joined.state;
  corner.added = joined.score + rule.fixed + lattice_weight_ * cube.lattice;
  corner.promise = below(corner) + static_cast<double>(corner.added);
  ++n_scored_;
}

void Cubes::keep(const Corner& corner, Span span) {
  const Cube& cube = *corner.cube;
  const auto tails = arena_->make<const Item*>(cube.tails.size());
  for (std::size_t k = 0; k < tails.size(); ++k) tails[k] = cube.tails[k][ranks_[corner.ranks + 1 + k]];
  Arc* const arc = arena_->make<Arc>();
  *arc = {cube.rules[ranks_[corner.ranks]], tails, nullptr, corner.added, cube.lattice, span};
  ++n_arcs_;
  if (corner.state >= seen_.size()) seen_.resize(corner.state + 1, {0, nullptr});
  auto& [group, item] = seen_[corner.state];
  if (group != n_groups_) {
    group = n_groups_;
    item = arena_->make<Item>();
    *item = {corner.promise, arc, corner.state, n_items_++, span};
    found_.push_back(item);
    return;
  }
  if (corner.promise > item->score) {
    item->score = corner.promise;
    arc->next = item->arcs;
    item->arcs = arc;
  } else {
    // Behind the best; the order of the others says nothing.
    arc->next = item->arcs->next;
    item->arcs->next = arc;
  }
}

Items Cubes::explore(std::span<const Cube> cubes, Span span) {
  ++n_groups_;
  corners_.clear();
  heap_.clear();
  ranks_.clear();
  found_.clear();
  for (const Cube& cube : cubes) {
    const auto first = static_cast<std::uint32_t>(ranks_.size());
    ranks_.resize(first + 1 + cube.tails.size(), 0);
    offer(cube, first);
  }
  std::make_heap(heap_.begin(), heap_.end());
  for (unsigned popped = 0; popped < pop_limit_ && !heap_.empty();) {
    std::pop_heap(heap_.begin(), heap_.end());
    const std::uint32_t at = heap_.back().corner;
    heap_.pop_back();
    if (corners_[at].state == kUnscored) {
      ask(corners_[at]);
      if (!heap_.empty() && corners_[at].promise < heap_.front().promise) {
        heap_.push_back({corners_[at].promise, at});
        std::push_heap(heap_.begin(), heap_.end());
        continue;
      }
    }
    ++popped;
    keep(corners_[at], span);
    const Corner corner = corners_[at];
    offer_next(corner);
  }
  std::ranges::sort(found_, [](const Item* a, const Item* b) {
    return a->score != b->score ? a->score > b->score : a->number < b->number;
  });
  const auto items = arena_->make<const Item*>(found_.size());
  std::ranges::copy(found_, items.begin());
  return items;
}

}  // namespace dragoman::chart
