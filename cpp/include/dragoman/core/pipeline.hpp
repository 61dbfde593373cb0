#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "dragoman/core/parallel.hpp"

namespace dragoman {

/// Cut `n_items` into blocks. `make(Chunk, T&)` fills products, several at a time in several threads; `use(Chunk, T&)`
/// takes them in the caller's thread, in order. The caller makes blocks too while it has none to use. Products are
/// recycled (`make` finds what `use` has left), at most 2 · n_threads exist. The exception of the earliest block that
/// fails is rethrown; blocks before it have been used, none after it is.
template <class T, class Make, class Use>
void in_order(std::size_t n_items, std::size_t block_size, unsigned n_threads, const Make& make, const Use& use) {
  const std::size_t n_blocks = (n_items + block_size - 1) / block_size;
  const auto block = [&](std::size_t i) { return Chunk{i, i * block_size, std::min(n_items, (i + 1) * block_size)}; };
  const std::size_t n_makers = std::max<std::size_t>(1, std::min<std::size_t>(n_threads, n_blocks));
  if (n_makers == 1) {
    T product;
    for (std::size_t i = 0; i < n_blocks; ++i) {
      make(block(i), product);
      use(block(i), product);
    }
    return;
  }

  struct Place {
    T product;
    bool made = false;
    std::exception_ptr failure;
  };
  const std::size_t window = 2 * n_makers;
  std::vector<Place> places(window);
  std::mutex lock;
  std::condition_variable news;
  std::size_t next = 0;  // the first block that nobody has begun
  std::size_t used = 0;  // the first block that is not used yet
  bool stop = false;

  // With the lock held: begin block `next`, work without the lock, come back with it.
  const auto make_next = [&](std::unique_lock<std::mutex>& held) {
    const std::size_t i = next++;
    Place& place = places[i % window];
    held.unlock();
    std::exception_ptr failure;
    try {
      make(block(i), place.product);
    } catch (...) {
      failure = std::current_exception();
    }
    held.lock();
    place.failure = failure;
    place.made = true;
    news.notify_all();
  };
  const auto may_begin = [&] { return next < n_blocks && next < used + window; };

  std::vector<std::thread> helpers;
  helpers.reserve(n_makers - 1);
  for (std::size_t t = 1; t < n_makers; ++t) {
    helpers.emplace_back([&] {
      std::unique_lock held(lock);
      while (!stop && next < n_blocks) {
        if (may_begin()) {
          make_next(held);
        } else {
          news.wait(held);
        }
      }
    });
  }

  std::exception_ptr failure;
  {
    std::unique_lock held(lock);
    while (used < n_blocks && !failure) {
      Place& place = places[used % window];
      if (place.made) {
        failure = place.failure;
        if (!failure) {
          held.unlock();
          try {
            use(block(used), place.product);
          } catch (...) {
            failure = std::current_exception();
          }
          held.lock();
          place.made = false;
          ++used;
          news.notify_all();
        }
      } else if (may_begin()) {
        make_next(held);
      } else {
        news.wait(held);
      }
    }
    stop = true;
    news.notify_all();
  }
  for (auto& helper : helpers) helper.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace dragoman
