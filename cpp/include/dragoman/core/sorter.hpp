#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "dragoman/core/huge_pages.hpp"
#include "dragoman/core/parallel.hpp"
#include "dragoman/core/spool.hpp"

namespace dragoman {

/// std::sort by several threads, in place: the middle is found first, then each half is a matter of its own.
template <class Place, class Less>
void parallel_sort(Place begin, Place end, const Less& less, unsigned n_threads) {
  constexpr auto kTooFew = 1 << 14;  // for a thread to be worth its beginning
  if (n_threads < 2 || end - begin < kTooFew) {
    std::sort(begin, end, less);
    return;
  }
  const Place middle = begin + (end - begin) / 2;
  std::nth_element(begin, middle, end, less);
  for_each_chunk(2, 2, [&](const Chunk& half) {
    if (half.index == 0) {
      parallel_sort(begin, middle, less, n_threads - n_threads / 2);
    } else {
      parallel_sort(middle, end, less, n_threads / 2);
    }
  });
}

/// An order that says `same(a, b)`, neither is less, and `hash(record)`, which is one for all that are the same and
/// spread in its upper half: they are joined as they come, and so take no more room than they must.
template <class Order, class Record>
concept JoinsEarly = requires(const Record& record) {
  { Order::hash(record) } -> std::same_as<std::uint64_t>;
  { Order::same(record, record) } -> std::same_as<bool>;
};

/// An order that says `first(record)`, a number that never falls along it.
template <class Order, class Record>
concept HasFirst = requires(const Record& record) {
  { Order::first(record) } -> std::same_as<std::uint64_t>;
};

/// Sort as `Order::less` says: records are put into buckets by the upper bits of their first numbers until a bucket
/// fits into the cache.
template <class Order, class Record>
  requires HasFirst<Order, Record>
void bucket_sort(std::span<Record> records, unsigned n_threads) {
  constexpr std::size_t kFew = std::max<std::size_t>(64, (std::size_t{1} << 18) / sizeof(Record));
  constexpr unsigned kBits = 11;
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max(), most = 0;
  for (const Record& record : records) {
    least = std::min(least, Order::first(record));
    most = std::max(most, Order::first(record));
  }
  if (records.size() <= kFew || least == most)
    return parallel_sort(records.begin(), records.end(), Order::less, n_threads);
  const unsigned width = static_cast<unsigned>(std::bit_width(most - least));
  const unsigned shift = width > kBits ? width - kBits : 0;
  const auto bucket = [&](const Record& record) { return (Order::first(record) - least) >> shift; };
  std::vector<std::size_t> ends((std::size_t{1} << kBits) +
                                1);  // from where the next one of a bucket is put, afterwards its end
  for (const Record& record : records) ++ends[bucket(record) + 1];
  for (std::size_t i = 1; i < ends.size(); ++i) ends[i] += ends[i - 1];
  const std::vector<std::size_t> begins = ends;
  for (std::size_t i = 0; i + 1 < begins.size(); ++i) {
    while (ends[i] < begins[i + 1]) {
      const std::size_t own = bucket(records[ends[i]]);
      if (own == i) {
        ++ends[i];
      } else {
        std::swap(records[ends[i]], records[ends[own]++]);
      }
    }
  }
  for_each_chunk(std::max(1U, n_threads), n_threads, [&](const Chunk& chunk) {
    const auto share = [&](std::size_t t) { return records.size() * t / std::max(1U, n_threads); };
    for (std::size_t i = 0; i + 1 < begins.size(); ++i) {
      const bool is_own = share(chunk.begin) <= begins[i] && begins[i] < share(chunk.end);
      if (is_own && begins[i + 1] > begins[i] + 1)
        bucket_sort<Order>(records.subspan(begins[i], begins[i + 1] - begins[i]), 1);
    }
  });
}

/// Where records of one kind are in a vector, by hash.
class RecordNumbers {
 public:
  void clear() {
    slots_ = {};
    n_ = 0;
  }
  /// The cache line that `find` will ask for.
  void expect(std::uint64_t hash) const noexcept {
    if (!slots_.empty()) __builtin_prefetch(&slots_[place(hash)]);
  }
  /// The number of a record with this hash for which `is_same(number)`; `next` if there is none, which it then has.
  template <class IsSame>
  std::uint32_t find(std::uint64_t hash, std::uint32_t next, const IsSame& is_same) {
    if (2 * (n_ + 1) > slots_.size()) grow();
    const auto upper = static_cast<std::uint32_t>(hash >> 32);
    std::size_t at = place(hash);
    for (; slots_[at].number != kFree; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at].hash == upper && is_same(slots_[at].number)) return slots_[at].number;
    }
    slots_[at] = {upper, next};
    ++n_;
    return next;
  }

 private:
  static constexpr std::uint32_t kFree = std::numeric_limits<std::uint32_t>::max();
  struct Slot {
    std::uint32_t hash = 0;  // its upper half, of which the place is made
    std::uint32_t number = kFree;
  };

  using Slots = std::vector<Slot, HugePages<Slot>>;

  std::size_t place(std::uint64_t hash) const noexcept { return (hash >> 32) & (slots_.size() - 1); }
  void grow() {
    const auto smaller = std::exchange(slots_, Slots(std::max<std::size_t>(1 << 10, 2 * slots_.size())));
    for (const Slot& slot : smaller) {
      if (slot.number == kFree) continue;
      std::size_t at = slot.hash & (slots_.size() - 1);
      while (slots_[at].number != kFree) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = slot;
    }
  }

  Slots slots_;
  std::size_t n_ = 0;
};

/// Sorts more records than fit into memory: sorted runs go to disk and are merged while they are read.
///
/// `Order` has `less(a, b)` and `join(a, b)`: if two records are equal for the order, `join` may add the second to the
/// first and return true, and then only the first stays. With `hash` and `same` (JoinsEarly) that is done at once; with
/// `first` (HasFirst) sorting takes less time.
template <class Record, class Order>
class Sorter {
  static_assert(std::is_trivially_copyable_v<Record>);

 public:
  explicit Sorter(Workspace space = {}) : space_(std::move(space)) {}

  void push(const Record& record) { push(std::span(&record, 1)); }
  void push(std::span<const Record> records) {
    if constexpr (kJoinsEarly) {
      constexpr std::size_t kAhead = 16;  // so many places are on their way from memory at a time
      std::array<std::uint64_t, kAhead> hashes{};
      for (std::size_t i = 0; i < records.size() + kAhead; ++i) {
        if (i >= kAhead) join_or_append(records[i - kAhead], hashes[i % kAhead]);
        if (i >= records.size()) continue;
        hashes[i % kAhead] = Order::hash(records[i]);
        numbers_.expect(hashes[i % kAhead]);
      }
    } else {
      for (const Record& record : records) append(record);
    }
  }

  /// Call `use(record)` for every record in order; afterwards the sorter is empty.
  template <class Use>
  void drain(const Use& use) {
    if (runs_.empty()) {
      sort_memory();
      for (const Record& record : memory_) use(record);
    } else {
      spill();
      merge(use);
    }
    memory_ = {};
    runs_.clear();
    file_.reset();
  }

 private:
  static constexpr bool kJoinsEarly = JoinsEarly<Order, Record>;
  static constexpr std::size_t kBlock = std::size_t{1} << 14;  // records read or written at once
  static constexpr std::size_t kMost = std::numeric_limits<std::uint32_t>::max() - 1;  // records with numbers

  struct Run {
    std::uint64_t at;
    std::size_t left;
    std::vector<Record> block;
    std::size_t next = 0;
  };

  bool is_full() const noexcept { return memory_.size() * sizeof(Record) >= space_.memory || memory_.size() >= kMost; }

  void append(const Record& record) {
    if (!memory_.empty() && is_full()) spill();
    keep(record);
  }
  void keep(const Record& record) {
    make_room(memory_, space_);
    memory_.push_back(record);
  }

  void join_or_append(const Record& record, std::uint64_t hash) {
    if (!memory_.empty() && is_full()) spill();
    const auto next = static_cast<std::uint32_t>(memory_.size());
    const auto number =
        numbers_.find(hash, next, [&](std::uint32_t other) { return Order::same(memory_[other], record); });
    if (number == next || !Order::join(memory_[number], record)) keep(record);
  }

  void sort_memory() {
    numbers_ = {};
    if constexpr (HasFirst<Order, Record>) {
      bucket_sort<Order>(std::span<Record>(memory_), space_.n_threads);
    } else {
      const auto less = [](const Record& a, const Record& b) { return Order::less(a, b); };
      parallel_sort(memory_.begin(), memory_.end(), less, space_.n_threads);
    }
    if (kJoinsEarly || memory_.empty()) return;
    std::size_t kept = 0;
    for (std::size_t i = 1; i < memory_.size(); ++i) {
      if (Order::less(memory_[kept], memory_[i]) || !Order::join(memory_[kept], memory_[i]))
        memory_[++kept] = memory_[i];
    }
    memory_.resize(kept + 1);
  }

  void spill() {
    if (memory_.empty()) return;
    sort_memory();
    if (!file_) file_ = std::make_unique<ScratchFile>(space_.folder);
    const auto at = file_->append(memory_.data(), memory_.size() * sizeof(Record));
    runs_.push_back({at, memory_.size(), {}, 0});
    memory_.clear();
  }

  bool refill(Run& run, std::size_t block) const {
    run.block.resize(std::min(block, run.left));
    run.next = 0;
    if (run.block.empty()) return false;
    file_->read(run.at, run.block.data(), run.block.size() * sizeof(Record));
    run.at += run.block.size() * sizeof(Record);
    run.left -= run.block.size();
    return true;
  }

  template <class Use>
  void merge(const Use& use) {
    memory_ = {};
    const std::size_t block = std::clamp<std::size_t>(space_.memory / sizeof(Record) / runs_.size(), 1, kBlock);
    const auto later = [](const Run* a, const Run* b) { return Order::less(b->block[b->next], a->block[a->next]); };
    std::vector<Run*> heap;
    for (Run& run : runs_) {
      if (refill(run, block)) heap.push_back(&run);
    }
    std::make_heap(heap.begin(), heap.end(), later);
    bool waiting = false;
    Record held{};
    while (!heap.empty()) {
      std::pop_heap(heap.begin(), heap.end(), later);
      Run& run = *heap.back();
      const Record record = run.block[run.next++];
      if (run.next < run.block.size() || refill(run, block)) {
        std::push_heap(heap.begin(), heap.end(), later);
      } else {
        heap.pop_back();
      }
      if (waiting && (Order::less(held, record) || !Order::join(held, record))) {
        use(held);
        held = record;
      } else if (!waiting) {
        held = record;
        waiting = true;
      }
    }
    if (waiting) use(held);
  }

  Workspace space_;
  std::vector<Record, HugePages<Record>> memory_;
  RecordNumbers numbers_;  // if records are joined as they come
  std::vector<Run> runs_;
  std::unique_ptr<ScratchFile> file_;
};

}  // namespace dragoman
