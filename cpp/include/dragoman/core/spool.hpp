#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

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
  unsigned n_threads = 1;  // to sort with
};

/// Room for one more record. A vector that grows takes as much memory again: near the limit, all that it allows is
/// taken at once.
template <class Records>
void make_room(Records& records, const Workspace& space) {
  const std::size_t most = space.memory / sizeof(records[0]) + 1;
  if (records.size() == records.capacity() && records.size() > most / 8)
    records.reserve(std::max(most, records.size() + 1));
}

/// Records written once and read in order, as often as one likes.
template <class Record>
class Spool {
  static_assert(std::is_trivially_copyable_v<Record>);

 public:
  explicit Spool(Workspace space = {}) : space_(std::move(space)) {}

  void push(const Record& record) {
    make_room(memory_, space_);
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

}  // namespace dragoman
