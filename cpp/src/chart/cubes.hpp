#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "dragoman/chart/search.hpp"
#include "dragoman/core/arena.hpp"
#include "rule_book.hpp"
#include "span_states.hpp"

namespace dragoman::chart {

/// An item with what cubes ask of it, so that they need not look at the item itself.
struct Choice {
  double score;
  const Item* item;
  std::uint32_t state;
};
using Items = std::span<const Choice>;  // best first

struct Filled;

/// What fills the last gap so far, and what the gaps before it.
struct Tail {
  const Filled* filled;
  const Tail* before;
};

/// Rules of one source side and label, and what may stand in each of their gaps: a cube with a side for each. Most
/// cubes of a span are never looked into: their sides are listed when they are.
struct Cube {
  double promise;                         // of its best corner, a guess
  std::span<const RuleUse* const> rules;  // best first
  const Tail* last = nullptr;             // what `tails` is made of
  std::span<const Items> tails = {};
  float lattice = 0;        // of the source's arcs
  std::uint32_t group = 0;  // items of different groups are never the same
};

/// Finds the best of what cubes hold, as many as a limit allows (cube pruning).
class Cubes {
 public:
  Cubes(SpanStates& states, Arena& arena) : states_(&states), arena_(&arena) {}

  void start(float lattice_weight) {
    lattice_weight_ = lattice_weight;
    seen_.clear();
    n_calls_ = n_items_ = 0;
    n_arcs_ = 0;
  }
  /// An item that nothing makes: the beginning.
  Items beginning();
  /// How much a rule promises over parts with such a sum of scores.
  double promise(double below, float estimate, float lattice) const noexcept {
    return below + static_cast<double>(estimate + lattice_weight_ * lattice);
  }
  /// The items of each group that are made of the cubes: the best `limit` of all groups together, before those with the
  /// same state become one. The answer is good until the next call.
  std::span<const Items> explore(std::span<Cube> cubes, std::size_t n_groups, Span span, std::size_t limit);

  std::uint32_t n_items() const noexcept { return n_items_; }
  std::uint64_t n_arcs() const noexcept { return n_arcs_; }
  std::uint64_t n_scored() const noexcept { return n_scored_; }

 private:
  /// A place in a cube that is worth a look.
  struct Corner {
    double promise;  // a guess, until the language models are asked
    std::uint32_t cube;
    std::uint32_t ranks;  // where in `ranks_` those of the rule and of the tails begin
    std::uint32_t state;  // kUnscored: not asked yet
    float added;          // by language models and features
  };
  static constexpr std::uint32_t kUnscored = 0xFFFFFFFF;
  static constexpr std::uint32_t kFirst = 0x80000000;
  struct Place {
    double promise;
    std::uint32_t corner;  // kFirst + cube: its first, which is not made yet
    friend bool operator<(const Place& a, const Place& b) noexcept {
      return a.promise != b.promise ? a.promise < b.promise : a.corner > b.corner;
    }
  };

  std::uint32_t corner_at(std::uint32_t place);
  std::uint32_t add_corner(std::uint32_t cube, std::uint32_t ranks);
  void offer_next(const Corner& corner);
  double below(const Corner& corner) const;
  bool is_behind(std::uint32_t corner);
  bool pop(Span span);
  void ask(Corner& corner);
  void keep(const Corner& corner, Span span);
  Item* item_of(const Corner& corner, std::uint32_t group);
  std::span<const Items> sorted_groups(std::size_t n_groups);

  SpanStates* states_;
  Arena* arena_;
  float lattice_weight_ = 0;
  std::span<Cube> cubes_;
  std::vector<Corner> corners_;
  std::vector<Place> heap_;
  std::vector<std::uint32_t> ranks_;
  std::vector<std::uint32_t> parts_;
  /// An item and its group, and the next with the same state.
  struct Found {
    Item* item;
    std::uint32_t group;
    std::uint32_t next;
  };
  std::vector<Found> found_;
  std::vector<Items> groups_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>>
      seen_;  // by state: the last call that met it, and the first found
  std::uint32_t n_calls_ = 0, n_items_ = 0;
  std::uint64_t n_arcs_ = 0, n_scored_ = 0;
};

}  // namespace dragoman::chart
