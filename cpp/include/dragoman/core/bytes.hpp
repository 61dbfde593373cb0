#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

namespace dragoman {

/// A growing run of bytes that is written through raw pointers and, unlike std::string, never filled with zeros first.
class Bytes {
 public:
  Bytes() = default;
  Bytes(Bytes&& other) noexcept
      : data_(std::move(other.data_)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  Bytes& operator=(Bytes&& other) noexcept {
    data_ = std::move(other.data_);
    size_ = std::exchange(other.size_, 0);
    capacity_ = std::exchange(other.capacity_, 0);
    return *this;
  }

  /// A place for `n` bytes behind the end. Write there, then call `end_at` with where the writing stopped.
  char* room(std::size_t n) {
    if (capacity_ - size_ < n) grow(size_ + n);
    return data_.get() + size_;
  }
  void end_at(const char* end) noexcept { size_ = static_cast<std::size_t>(end - data_.get()); }

  void append(std::string_view text) {
    char* const place = room(text.size());
    if (!text.empty()) std::memcpy(place, text.data(), text.size());
    size_ += text.size();
  }

  void overwrite(std::size_t at, std::string_view text) noexcept {
    std::memcpy(data_.get() + at, text.data(), text.size());
  }

  void reserve(std::size_t capacity) {
    if (capacity > capacity_) grow(capacity);
  }
  void clear() noexcept { size_ = 0; }
  std::size_t size() const noexcept { return size_; }
  const char* data() const noexcept { return data_.get(); }
  std::string_view view() const noexcept { return {data_.get(), size_}; }

 private:
  void grow(std::size_t needed) {
    const std::size_t capacity = std::max({needed, capacity_ + capacity_ / 2, std::size_t{256}});
    auto larger = std::make_unique_for_overwrite<char[]>(capacity);
    if (size_ != 0) std::memcpy(larger.get(), data_.get(), size_);
    data_ = std::move(larger);
    capacity_ = capacity;
  }

  std::unique_ptr<char[]> data_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace dragoman
