#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

namespace dragoman::rank {

/// What is known of a set: the least cost of ordering it, in how many ways, and whether that is final.
struct SetState {
  std::int64_t cost = std::numeric_limits<std::int64_t>::max();
  std::uint64_t ways = 0;
  bool is_open = false;
};

/// Sets as bit masks → states, open addressing. Grows up to a number of sets, then refuses.
class SetTable {
 public:
  explicit SetTable(std::size_t max_sets) : keys_(1024, kFree), states_(1024), max_sets_(max_sets) {}

  SetState* find(std::uint64_t set) {
    const std::size_t slot = slot_of(set);
    return keys_[slot] == stored(set) ? &states_[slot] : nullptr;
  }

  /// The state of a set, made if there is none; null when the table is full. Moves states: older pointers die.
  SetState* find_or_add(std::uint64_t set) {
    std::size_t slot = slot_of(set);
    if (keys_[slot] == stored(set)) return &states_[slot];
    if (n_sets_ >= max_sets_) return nullptr;
    if (2 * (n_sets_ + 1) > keys_.size()) {
      grow();
      slot = slot_of(set);
    }
    keys_[slot] = stored(set);
    ++n_sets_;
    return &states_[slot];
  }

  SetState& at(std::uint64_t set) {
    SetState* const state = find_or_add(set);
    if (state == nullptr) throw std::logic_error("a set that was stored is gone");
    return *state;
  }

 private:
  static constexpr std::uint64_t kFree = 0;

  // The complement, so that the empty set can be told from a free slot; hence at most 63 items.
  static std::uint64_t stored(std::uint64_t set) noexcept { return ~set; }

  std::size_t slot_of(std::uint64_t set) const {
    const std::uint64_t key = stored(set);
    std::uint64_t hash = key * 0x9E3779B97F4A7C15ULL;
    hash ^= hash >> 32;
    std::size_t slot = hash & (keys_.size() - 1);
    while (keys_[slot] != kFree && keys_[slot] != key) slot = (slot + 1) & (keys_.size() - 1);
    return slot;
  }

  void grow() {
    std::vector<std::uint64_t> old_keys(keys_.size() * 2, kFree);
    std::vector<SetState> old_states(keys_.size() * 2);
    old_keys.swap(keys_);
    old_states.swap(states_);
    for (std::size_t i = 0; i < old_keys.size(); ++i) {
      if (old_keys[i] == kFree) continue;
      const std::size_t slot = slot_of(~old_keys[i]);
      keys_[slot] = old_keys[i];
      states_[slot] = old_states[i];
    }
  }

  std::vector<std::uint64_t> keys_;
  std::vector<SetState> states_;
  std::size_t max_sets_;
  std::size_t n_sets_ = 0;
};

}  // namespace dragoman::rank
