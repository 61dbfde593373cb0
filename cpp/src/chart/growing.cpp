#include "growing.hpp"

#include <algorithm>

#include "chart.hpp"

namespace dragoman::chart {

namespace {

/// A corner by what it promises, or by its score.
struct Place {
  double promise;
  std::uint32_t corner;
  friend bool operator<(const Place& a, const Place& b) noexcept {
    return a.promise != b.promise ? a.promise < b.promise : a.corner > b.corner;
  }
};

void push(std::vector<Place>& heap, const Place& place) {
  heap.push_back(place);
  std::push_heap(heap.begin(), heap.end());
}

Place pop(std::vector<Place>& heap) {
  std::pop_heap(heap.begin(), heap.end());
  const Place place = heap.back();
  heap.pop_back();
  return place;
}

}  // namespace

class Grown {
 public:
  struct Corner {
    double score;
    std::uint32_t cube;
    std::uint32_t ranks;  // where in `ranks` those of the rule and of the tails begin
    std::uint32_t state;
    float added;  // by the rule, language models and features
  };
  void start(std::span<const Cube> own, Span where, std::size_t most, std::size_t further) {
    cubes = own;
    span = where;
    limit = most;
    ahead = further;
    n_looked = 0;
    is_begun = false;
    sides.assign(own.size(), {});
    corners.clear();
    ranks.clear();
    asked.clear();
    looked.clear();
    items.clear();
    by_state.clear();
  }

  std::span<const Cube> cubes;
  Span span;
  std::size_t limit, ahead, n_looked;
  bool is_begun;                               // whether `asked` has the first corners
  std::vector<std::span<Grown* const>> sides;  // by cube: who has what stands in its gaps
  std::vector<Corner> corners;
  std::vector<std::uint32_t> ranks;
  std::vector<Place> asked;   // by promise: not looked at
  std::vector<Place> looked;  // by score: not given away
  std::vector<Choice> items;
  std::unordered_map<std::uint32_t, Item*> by_state;
};

Growing::Growing(SpanStates& states, Arena& arena) : states_(&states), arena_(&arena) {}
Growing::~Growing() = default;

void Growing::start(float lattice_weight) {
  lattice_weight_ = lattice_weight;
  n_used_ = 0;
  n_items_ = 0;
  n_arcs_ = 0;
}

Grown* Growing::add(std::span<const Cube> cubes, Span span, std::size_t limit, std::size_t ahead) {
  if (n_used_ == all_.size()) all_.emplace_back();
  Grown& grown = all_[n_used_++];
  const auto own = arena_->make<Cube>(cubes.size());
  std::ranges::copy(cubes, own.begin());
  grown.start(own, span, limit, ahead);
  return &grown;
}

Grown* Growing::beginning() {
  Grown* const grown = add({}, {0, 0}, 0, 0);
  Item* const item = arena_->make<Item>();
  *item = {0, nullptr, states_->begin(), n_items_++, {0, 0}};
  grown->items.push_back({0, item, item->state});
  return grown;
}

Items Growing::first(Grown& grown, std::size_t most) {
  std::size_t n = 0;
  while (n < most && at(grown, n)) ++n;
  return std::span(grown.items).first(n);
}

void Growing::number_items() {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < n_used_; ++i) {
    for (const Choice& each : all_[i].items) const_cast<Item*>(each.item)->number = number++;
  }
}

const Choice* Growing::at(Grown& grown, std::size_t rank) {
  while (grown.items.size() <= rank && grow(grown)) {
  }
  return rank < grown.items.size() ? &grown.items[rank] : nullptr;
}

/// Offer the first corner of every cube, by the best that stands in its gaps.
void Growing::begin(Grown& grown) {
  grown.is_begun = true;
  for (std::uint32_t i = 0; i < grown.cubes.size(); ++i) {
    const Cube& cube = grown.cubes[i];
    std::size_t n = 0;
    for (const Tail* tail = cube.last; tail; tail = tail->before) ++n;
    const auto tails = arena_->make<Grown*>(n);
    for (const Tail* tail = cube.last; tail; tail = tail->before) tails[--n] = tail->filled->grown;
    grown.sides[i] = tails;
    double promise = static_cast<double>(cube.rules.front()->estimate + lattice_weight_ * cube.lattice);
    for (Grown* const tail : tails) promise += at(*tail, 0)->score;
    grown.asked.push_back({promise, static_cast<std::uint32_t>(grown.corners.size())});
    grown.corners.push_back({0, i, static_cast<std::uint32_t>(grown.ranks.size()), 0, 0});
    grown.ranks.resize(grown.ranks.size() + 1 + tails.size(), 0);
  }
  std::make_heap(grown.asked.begin(), grown.asked.end());
}

/// Look at corners until one can be given away; false: there is none.
bool Growing::grow(Grown& grown) {
  if (!grown.is_begun) begin(grown);
  const auto is_certain = [&] {
    return grown.looked.size() > grown.ahead && grown.looked.front().promise >= grown.asked.front().promise;
  };
  while (!grown.asked.empty() && grown.n_looked < grown.limit && !is_certain()) look(grown);
  if (grown.looked.empty()) return false;
  give(grown, pop(grown.looked).corner);
  return true;
}

/// Ask for the score of the most promising corner, and offer its neighbours.
void Growing::look(Grown& grown) {
  const std::uint32_t at_corner = pop(grown.asked).corner;
  Grown::Corner& corner = grown.corners[at_corner];
  const Cube& cube = grown.cubes[corner.cube];
  const auto tails = grown.sides[corner.cube];
  double below = 0;
  parts_.clear();
  for (std::size_t k = 0; k < tails.size(); ++k) {
    const Choice& part = tails[k]->items[grown.ranks[corner.ranks + 1 + k]];
    below += part.score;
    parts_.push_back(part.state);
  }
  const RuleUse& rule = *cube.rules[grown.ranks[corner.ranks]];
  const auto joined = states_->join(rule, parts_);
  corner.state = joined.state;
  corner.added = joined.score + rule.fixed + lattice_weight_ * cube.lattice;
  corner.score = below + static_cast<double>(corner.added);
  ++n_scored_;
  ++grown.n_looked;
  push(grown.looked, {corner.score, at_corner});
  offer_next(grown, at_corner);
}

/// The neighbours of a corner, each on one way only.
void Growing::offer_next(Grown& grown, std::uint32_t number) {
  const Grown::Corner corner = grown.corners[number];
  const Cube& cube = grown.cubes[corner.cube];
  const auto tails = grown.sides[corner.cube];
  const std::size_t n = 1 + tails.size();
  for (std::size_t k = 0; k < n; ++k) {
    const std::uint32_t rank = grown.ranks[corner.ranks + k];
    if (k == 0 ? rank + 1U < cube.rules.size() : at(*tails[k - 1], rank + 1U) != nullptr) {
      const auto ranks = static_cast<std::uint32_t>(grown.ranks.size());
      grown.ranks.resize(ranks + n);
      std::copy_n(grown.ranks.begin() + corner.ranks, n, grown.ranks.begin() + ranks);
      ++grown.ranks[ranks + k];
      double promise = static_cast<double>(cube.rules[grown.ranks[ranks]]->estimate + lattice_weight_ * cube.lattice);
      for (std::size_t i = 0; i < tails.size(); ++i) promise += tails[i]->items[grown.ranks[ranks + 1 + i]].score;
      push(grown.asked, {promise, static_cast<std::uint32_t>(grown.corners.size())});
      grown.corners.push_back({0, corner.cube, ranks, 0, 0});
    }
    if (rank > 0) break;
  }
}

/// Make an item of a corner, or another way to an item that has been given away. That keeps its score even if this way
/// is better: what is made of it counts on it.
void Growing::give(Grown& grown, std::uint32_t number) {
  const Grown::Corner& corner = grown.corners[number];
  const Cube& cube = grown.cubes[corner.cube];
  const auto sides = grown.sides[corner.cube];
  const auto tails = arena_->make<const Item*>(sides.size());
  for (std::size_t k = 0; k < tails.size(); ++k) tails[k] = sides[k]->items[grown.ranks[corner.ranks + 1 + k]].item;
  Arc* const arc = arena_->make<Arc>();
  *arc = {cube.rules[grown.ranks[corner.ranks]], tails, nullptr, corner.added, cube.lattice, grown.span};
  ++n_arcs_;
  Item*& item = grown.by_state[corner.state];
  if (item) {
    arc->next = item->arcs->next;
    item->arcs->next = arc;
    return;
  }
  item = arena_->make<Item>();
  *item = {corner.score, arc, corner.state, n_items_++, grown.span};
  grown.items.push_back({corner.score, item, corner.state});
}

}  // namespace dragoman::chart
