#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>

namespace dragoman {

/// An allocator for large arrays that are read at random: it asks for pages of 2 MB, without which finding the page
/// costs more than reading from it. Where the system has none, nothing but time is lost.
template <class T>
struct HugePages {
  using value_type = T;

  HugePages() = default;
  template <class U>
  explicit HugePages(const HugePages<U>&) noexcept {}

  T* allocate(std::size_t n) {
    const std::size_t size = n * sizeof(T);
    if (size < kPage) return static_cast<T*>(::operator new(size));
    void* const place = ::operator new(size, std::align_val_t{kPage});
#ifdef MADV_HUGEPAGE
    ::madvise(place, size / kPage * kPage, MADV_HUGEPAGE);
#endif
    return static_cast<T*>(place);
  }
  void deallocate(T* place, std::size_t n) noexcept {
    if (n * sizeof(T) < kPage) {
      ::operator delete(place);
    } else {
      ::operator delete(place, std::align_val_t{kPage});
    }
  }
  friend bool operator==(const HugePages&, const HugePages&) noexcept { return true; }

 private:
  static constexpr std::size_t kPage = std::size_t{2} << 20;
};

}  // namespace dragoman
