#include "cubes.hpp"

#include <algorithm>

#include "chart.hpp"

namespace dragoman::chart {

namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFF;

/// What stands in the gaps, in their order.
std::span<const Items> tails_of(const Tail* last, Arena& arena) {
  std::size_t n = 0;
  for (const Tail* tail = last; tail; tail = tail->before) ++n;
  const auto all = arena.make<Items>(n);
  for (const Tail* tail = last; tail; tail = tail->before) all[--n] = tail->filled->groups[0].items;
  return all;
}

}  // namespace

Items Cubes::beginning() {
  Item* const item = arena_->make<Item>();
  *item = {0, nullptr, states_->begin(), n_items_++, {0, 0}};
  const auto items = arena_->make<Choice>(1);
  items[0] = {0, item, item->state};
  return items;
}

/// The sum of a corner's tails.
double Cubes::below(const Corner& corner) const {
  const auto tails = cubes_[corner.cube].tails;
  double sum = 0;
  for (std::size_t k = 0; k < tails.size(); ++k) sum += tails[k][ranks_[corner.ranks + 1 + k]].score;
  return sum;
}

std::uint32_t Cubes::add_corner(std::uint32_t cube, std::uint32_t ranks) {
  corners_.push_back({0, cube, ranks, kUnscored, 0});
  return static_cast<std::uint32_t>(corners_.size() - 1);
}

/// The corner of a place; the first of a cube is made when its turn comes.
std::uint32_t Cubes::corner_at(std::uint32_t place) {
  if (place < kFirst) return place;
  Cube& cube = cubes_[place - kFirst];
  if (cube.last && cube.tails.empty()) cube.tails = tails_of(cube.last, *arena_);
  const auto ranks = static_cast<std::uint32_t>(ranks_.size());
  ranks_.resize(ranks + 1 + cube.tails.size(), 0);
  return add_corner(place - kFirst, ranks);
}

/// The neighbours of a corner. Each is reached on one way only: a side grows while all before it are at their first.
void Cubes::offer_next(const Corner& corner) {
  const Cube& cube = cubes_[corner.cube];
  const std::size_t n = 1 + cube.tails.size();
  const std::uint32_t own = corner.ranks;
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t size = k == 0 ? cube.rules.size() : cube.tails[k - 1].size();
    if (ranks_[own + k] + 1U < size) {
      const auto ranks = static_cast<std::uint32_t>(ranks_.size());
      ranks_.resize(ranks + n);
      std::copy_n(ranks_.begin() + own, n, ranks_.begin() + ranks);
      ++ranks_[ranks + k];
      const std::uint32_t next = add_corner(corner.cube, ranks);
      corners_[next].promise = promise(below(corners_[next]), cube.rules[ranks_[ranks]]->estimate, cube.lattice);
      heap_.push_back({corners_[next].promise, next});
      std::push_heap(heap_.begin(), heap_.end());
    }
    if (ranks_[own + k] > 0) break;
  }
}

void Cubes::ask(Corner& corner) {
  const Cube& cube = cubes_[corner.cube];
  parts_.clear();
  for (std::size_t k = 0; k < cube.tails.size(); ++k)
    parts_.push_back(cube.tails[k][ranks_[corner.ranks + 1 + k]].state);
  const RuleUse& rule = *cube.rules[ranks_[corner.ranks]];
  const auto joined = states_->join(rule, parts_);
  corner.state = joined.state;
  corner.added = joined.score + rule.fixed + lattice_weight_ * cube.lattice;
  corner.promise = below(corner) + static_cast<double>(corner.added);
  ++n_scored_;
}

/// The item of a corner's state, or null if it is new.
Item* Cubes::item_of(const Corner& corner, std::uint32_t group) {
  if (corner.state >= seen_.size()) seen_.resize(corner.state + corner.state / 2 + 64, {0, kNone});
  auto& [call, first] = seen_[corner.state];
  if (call != n_calls_) {
    call = n_calls_;
    first = kNone;
  }
  for (std::uint32_t at = first; at != kNone; at = found_[at].next) {
    if (found_[at].group == group) return found_[at].item;
  }
  found_.push_back({nullptr, group, first});
  first = static_cast<std::uint32_t>(found_.size() - 1);
  return nullptr;
}

void Cubes::keep(const Corner& corner, Span span) {
  const Cube& cube = cubes_[corner.cube];
  const auto tails = arena_->make<const Item*>(cube.tails.size());
  for (std::size_t k = 0; k < tails.size(); ++k) tails[k] = cube.tails[k][ranks_[corner.ranks + 1 + k]].item;
  Arc* const arc = arena_->make<Arc>();
  *arc = {cube.rules[ranks_[corner.ranks]], tails, nullptr, corner.added, cube.lattice, span};
  ++n_arcs_;
  Item* item = item_of(corner, cube.group);
  if (!item) {
    item = found_.back().item = arena_->make<Item>();
    *item = {corner.promise, arc, corner.state, n_items_++, span};
  } else if (corner.promise > item->score) {
    item->score = corner.promise;
    arc->next = item->arcs;
    item->arcs = arc;
  } else {
    // Behind the best; the order of the others says nothing.
    arc->next = item->arcs->next;
    item->arcs->next = arc;
  }
}

/// Ask for a corner's score; true if it is now worse than the next in the heap.
bool Cubes::is_behind(std::uint32_t corner) {
  if (corners_[corner].state != kUnscored) return false;
  ask(corners_[corner]);
  return !heap_.empty() && corners_[corner].promise < heap_.front().promise;
}

/// Look at the most promising corner; true if it is an item's.
bool Cubes::pop(Span span) {
  std::pop_heap(heap_.begin(), heap_.end());
  const std::uint32_t at = corner_at(heap_.back().corner);
  heap_.pop_back();
  if (is_behind(at)) {
    heap_.push_back({corners_[at].promise, at});
    std::push_heap(heap_.begin(), heap_.end());
    return false;
  }
  const Corner corner = corners_[at];
  keep(corner, span);
  offer_next(corner);
  return true;
}

std::span<const Items> Cubes::explore(std::span<Cube> cubes, std::size_t n_groups, Span span, std::size_t limit) {
  ++n_calls_;
  cubes_ = cubes;
  corners_.clear();
  heap_.clear();
  ranks_.clear();
  found_.clear();
  for (std::uint32_t i = 0; i < cubes.size(); ++i) heap_.push_back({cubes[i].promise, kFirst + i});
  std::make_heap(heap_.begin(), heap_.end());
  for (std::size_t popped = 0; popped < limit && !heap_.empty();) popped += pop(span) ? 1 : 0;
  return sorted_groups(n_groups);
}

std::span<const Items> Cubes::sorted_groups(std::size_t n_groups) {
  std::ranges::sort(found_, [](const Found& a, const Found& b) {
    if (a.group != b.group) return a.group < b.group;
    return a.item->score != b.item->score ? a.item->score > b.item->score : a.item->number < b.item->number;
  });
  const auto all = arena_->make<Choice>(found_.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = {found_[i].item->score, found_[i].item, found_[i].item->state};
  groups_.assign(n_groups, {});
  for (std::size_t first = 0, last = 0; first < found_.size(); first = last) {
    while (last < found_.size() && found_[last].group == found_[first].group) ++last;
    groups_[found_[first].group] = all.subspan(first, last - first);
  }
  return groups_;
}

}  // namespace dragoman::chart
