#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <unordered_map>
#include <vector>

#include "cubes.hpp"

namespace dragoman::chart {

/// The items of a span and label, found one by one as others ask for them.
class Grown;

/// Finds items of spans only when those of wider spans ask for them (cube growing; Huang & Chiang, ACL 2007, figure 6).
/// What a cube may still hold is guessed by its promise; as guesses are sometimes too low, an item is given away only
/// when some more have been looked at.
class Growing {
 public:
  Growing(SpanStates& states, Arena& arena);
  ~Growing();

  void start(float lattice_weight);
  Grown* beginning();
  /// The items that cubes will make of a span: at most `limit`, the first after looking at `ahead` others.
  Grown* add(std::span<const Cube> cubes, Span span, std::size_t limit, std::size_t ahead);
  /// The first items of a span, as many as there are up to `most`.
  Items first(Grown& grown, std::size_t most);
  /// Give all items their numbers, those of parts before those of wholes.
  void number_items();

  std::uint64_t n_scored() const noexcept { return n_scored_; }
  std::uint64_t n_arcs() const noexcept { return n_arcs_; }
  std::uint32_t n_items() const noexcept { return n_items_; }

 private:
  const Choice* at(Grown& grown, std::size_t rank);
  void begin(Grown& grown);
  bool grow(Grown& grown);
  void look(Grown& grown);
  void offer_next(Grown& grown, std::uint32_t corner);
  void give(Grown& grown, std::uint32_t corner);

  SpanStates* states_;
  Arena* arena_;
  float lattice_weight_ = 0;
  std::deque<Grown> all_;
  std::size_t n_used_ = 0;
  std::vector<std::uint32_t> parts_;
  std::uint32_t n_items_ = 0;
  std::uint64_t n_arcs_ = 0, n_scored_ = 0;
};

}  // namespace dragoman::chart
