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

using Items = std::span<const Item* const>;  // best first

/// Rules of one source side and label, and what may stand in each of their gaps: a cube with a side for each.
struct Cube {
  std::span<const RuleUse* const> rules;  // best first
  std::span<const Items> tails;
  float lattice = 0;  // of the source's arcs
};

/// Finds the best of what cubes hold, as many as the limit allows (cube pruning).
class Cubes {
 public:
  Cubes(SpanStates& states, Arena& arena, unsigned pop_limit) : states_(&states), arena_(&arena), pop_limit_(pop_limit) {}

  void start(float lattice_weight) {
    lattice_weight_ = lattice_weight;
    seen_.clear();
    n_groups_ = n_items_ = 0;
    n_arcs_ = 0;
  }
  /// An item that nothing makes: the beginning.
  const Item* beginning();
  /// The items that are made of the cubes.
  Items explore(std::span<const Cube> cubes, Span span);

  std::uint32_t n_items() const noexcept { return n_items_; }
  std::uint64_t n_arcs() const noexcept { return n_arcs_; }
  std::uint64_t n_scored() const noexcept { return n_scored_; }

 private:
  /// A place in a cube that is worth a look.
  struct Corner {
    double promise;  // a guess, until the language models are asked
    const Cube* cube;
    std::uint32_t ranks;  // where in `ranks_` those of the rule and of the tails begin
    std::uint32_t state;  // kUnscored: not asked yet
    float added;          // by language models and features
  };
  static constexpr std::uint32_t kUnscored = 0xFFFFFFFF;
  struct Place {
    double promise;
    std::uint32_t corner;
    friend bool operator<(const Place& a, const Place& b) noexcept {
      return a.promise != b.promise ? a.promise < b.promise : a.corner > b.corner;
    }
  };

  void offer(const Cube& cube, std::uint32_t ranks);
  void offer_next(const Corner& corner);
  double below(const Corner& corner) const;
  void ask(Corner& corner);
  void keep(const Corner& corner, Span span);

  SpanStates* states_;
  Arena* arena_;
  unsigned pop_limit_;
  float lattice_weight_ = 0;
  std::vector<Corner> corners_;
  std::vector<Place> heap_;
  std::vector<std::uint32_t> ranks_;
  std::vector<std::uint32_t> parts_;
  std::vector<Item*> found_;
  std::vector<std::pair<std::uint32_t, Item*>> seen_;  // by state: the last group that has it, and its item there
  std::uint32_t n_groups_ = 0, n_items_ = 0;
  std::uint64_t n_arcs_ = 0, n_scored_ = 0;
};

}  // namespace dragoman::chart
