#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "dragoman/core/parallel.hpp"

namespace dragoman {

/// A file without a name in a folder of the caller's choice: gone when it is closed, also after a crash.
class ScratchFile {
 public:
  explicit ScratchFile(const std::string& folder);
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  /// Append bytes; throws data_error if the disk is full. Returns where they begin.
  std::uint64_t append(const void* bytes, std::size_t size);
  void read(std::uint64_t at, void* bytes, std::size_t size) const;

 private:
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

/// How much memory a collection of records may take before it goes to disk, and where it then goes.
struct Workspace {
  std::size_t memory = std::size_t{1} << 30;  // bytes, for each collection
  std::string folder = "/tmp";
  unsigned n_threads = 1;                     // to sort with
};

/// Records written once and read in order, as often as one likes.
template <class Record>
class Spool {
  static_assert(std::is_trivially_copyable_v<Record>);

 public:
  explicit Spool(Workspace space = {}) : space_(std::move(space)) {}

  void push(const Record& record) {
    memory_.push_back(record);
    ++size_;
    if (memory_.size() * sizeof(Record) >= space_.memory) spill();
  }
  std::size_t size() const noexcept { return size_; }

  /// Reads from the beginning: `while (reader.next()) use(*reader)`.
  class Reader {
   public:
    explicit Reader(const Spool& spool) : spool_(&spool) {}
    bool next() {
      if (at_ + 1 < n_) return ++at_, true;
      return refill();
    }
    const Record& operator*() const noexcept { return block_[at_]; }
    const Record* operator->() const noexcept { return block_ + at_; }

   private:
    static constexpr std::size_t kBlock = 1 << 15;  // records read at once

    bool refill() {
      const std::size_t on_disk = spool_->size_ - spool_->memory_.size();
      if (done_ < on_disk) {
        buffer_.resize(std::min(kBlock, on_disk - done_));
        spool_->file_->read(done_ * sizeof(Record), buffer_.data(), buffer_.size() * sizeof(Record));
        block_ = buffer_.data();
        n_ = buffer_.size();
      } else {
        block_ = spool_->memory_.data() + (done_ - on_disk);
        n_ = spool_->size_ - done_;
      }
      done_ += n_;
      at_ = 0;
      return n_ > 0;
    }

    const Spool* spool_;
    std::vector<Record> buffer_;
    const Record* block_ = nullptr;
    std::size_t at_ = 0, n_ = 0, done_ = 0;
  };

  Reader read() const { return Reader(*this); }

 private:
  void spill() {
    if (!file_) file_ = std::make_unique<ScratchFile>(space_.folder);
    file_->append(memory_.data(), memory_.size() * sizeof(Record));
    memory_.clear();
  }

  Workspace space_;
  std::vector<Record> memory_;
  std::unique_ptr<ScratchFile> file_;
  std::size_t size_ = 0;
};

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

/// Sorts more records than fit into memory: sorted runs go to disk and are merged while they are read.
///
/// `Order` has `less(a, b)` and `join(a, b)`: if two records are equal for the order, `join` may add the second to the
/// first and return true, and then only the first stays.
template <class Record, class Order>
class Sorter {
  static_assert(std::is_trivially_copyable_v<Record>);

 public:
  explicit Sorter(Workspace space = {}) : space_(std::move(space)) {}

  void push(const Record& record) {
    if (memory_.size() * sizeof(Record) >= space_.memory) spill();
    memory_.push_back(record);
  }

  /// Call `use(record)` for every record in order; afterwards the sorter is empty.
  template <class Use>
  void drain(const Use& use) {
    sort_memory();
    if (runs_.empty()) {
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
  struct Run {
    std::uint64_t at;
    std::size_t left;
    std::vector<Record> block;
    std::size_t next = 0;
  };

  void sort_memory() {
    parallel_sort(memory_.begin(), memory_.end(), [](const Record& a, const Record& b) { return Order::less(a, b); },
                  space_.n_threads);
    std::size_t kept = 0;
    for (std::size_t i = 1; i < memory_.size(); ++i) {
      if (Order::less(memory_[kept], memory_[i]) || !Order::join(memory_[kept], memory_[i])) memory_[++kept] = memory_[i];
    }
    if (!memory_.empty()) memory_.resize(kept + 1);
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
    const std::size_t block = std::max<std::size_t>(1, space_.memory / sizeof(Record) / runs_.size());
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
  std::vector<Record> memory_;
  std::vector<Run> runs_;
  std::unique_ptr<ScratchFile> file_;
};

}  // namespace dragoman
