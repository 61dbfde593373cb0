#pragma once

#include <cstdint>
#include <vector>

#include "dragoman/core/parallel.hpp"
#include "dragoman/phrase/smoothing.hpp"

namespace dragoman::phrase {

/// The marginals of all target phrases, known by their hashes. They are made shard by shard, and a shard is small
/// enough for the cache: pairs come in the order of their source phrases, and would else each wait for memory.
class TargetMarginals {
 public:
  /// `for_each(part, use)` calls `use(hash, evidence, pair)` for every pair of a part; then `tell(pair, marginal)` is
  /// called for every pair. Sums are made in the order of the parts, whatever the number of threads.
  template <class Pair, class ForEach, class Discount, class Tell>
  static void add_up(std::size_t n_parts, unsigned n_threads, const ForEach& for_each, const Discount& discounted,
                     const Tell& tell) {
    struct Item {
      std::uint64_t hash;
      Pair* pair;
      Evidence met;
    };
    for_each_chunk(kShards, n_threads, [&](const Chunk& chunk) {
      std::vector<std::vector<Item>> items(chunk.end - chunk.begin);
      for (std::size_t part = 0; part < n_parts; ++part) {
        for_each(part, [&](std::uint64_t hash, const Evidence& met, Pair& pair) {
          const std::size_t shard = shard_of(hash);
          if (shard >= chunk.begin && shard < chunk.end) items[shard - chunk.begin].push_back({hash, &pair, met});
        });
      }
      Shard shard;
      for (auto& each : items) {
        shard.clear(each.size());
        for (const Item& item : each) shard.at(item.hash).add(item.met, discounted(item.met));
        for (const Item& item : each) tell(*item.pair, static_cast<const Marginal&>(shard.at(item.hash)));
        each = {};
      }
    });
  }

  static constexpr std::size_t kShards = 64;
  static std::size_t shard_of(std::uint64_t hash) noexcept { return hash >> 58; }

  /// The marginals of the phrases of one shard, by their hashes.
  class Shard {
   public:
    void clear(std::size_t n) {
      std::size_t size = 16;
      while (size < 2 * n) size *= 2;
      slots_.assign(size, Slot{});
    }
    Marginal& at(std::uint64_t hash) noexcept {
      std::size_t slot = hash & (slots_.size() - 1);
      while (slots_[slot].marginal.total != 0 && slots_[slot].hash != hash) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot].hash = hash;
      return slots_[slot].marginal;
    }

   private:
    struct Slot {
      std::uint64_t hash;
      Marginal marginal;  // total 0: free
    };
    std::vector<Slot> slots_;
  };
};

}  // namespace dragoman::phrase
