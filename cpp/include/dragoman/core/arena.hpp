#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace dragoman {

/// Memory for many small plain objects that all die together. Nothing is freed one by one, and `clear` keeps the blocks
/// for the next use.
class Arena {
 public:
  template <class T>
  std::span<T> make(std::size_t n) {
    static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= 16);
    return {new (take(n * sizeof(T))) T[n], n};
  }
  template <class T>
  T* make() {
    return make<T>(1).data();
  }
  void clear() noexcept {
    block_ = 0;
    used_ = 0;
  }

 private:
  static constexpr std::size_t kBlock = std::size_t{1} << 18;

  struct Block {
    std::unique_ptr<std::byte[]> bytes;
    std::size_t size;
  };

  void* take(std::size_t size) {
    size = (size + 15) / 16 * 16;
    while (block_ < blocks_.size() && used_ + size > blocks_[block_].size) {
      ++block_;
      used_ = 0;
    }
    if (block_ == blocks_.size()) {
      const std::size_t wanted = size > kBlock ? size : kBlock;
      blocks_.push_back({std::make_unique_for_overwrite<std::byte[]>(wanted), wanted});
      used_ = 0;
    }
    void* const place = blocks_[block_].bytes.get() + used_;
    used_ += size;
    return place;
  }

  std::vector<Block> blocks_;
  std::size_t block_ = 0;
  std::size_t used_ = 0;
};

}  // namespace dragoman
