#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace dragoman {

/// A run of consecutive items, [begin, end).
struct Chunk {
  std::size_t index;
  std::size_t begin;
  std::size_t end;
};

/// Cut `n_items` into at most `n_threads` even runs and call `work(Chunk)` on each, one thread a run.
/// Results must be written per item or per chunk and merged in chunk order, so that they do not depend on
/// the number of threads. An exception of the earliest failing chunk is rethrown in the caller's thread.
template <class Work>
void for_each_chunk(std::size_t n_items, unsigned n_threads, const Work& work) {
  const std::size_t n_chunks = std::max<std::size_t>(1, std::min<std::size_t>(n_threads, n_items));
  const auto chunk = [&](std::size_t i) { return Chunk{i, n_items * i / n_chunks, n_items * (i + 1) / n_chunks}; };
  std::vector<std::exception_ptr> failures(n_chunks);
  const auto guarded = [&](std::size_t i) {
    try {
      work(chunk(i));
    } catch (...) {
      failures[i] = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  threads.reserve(n_chunks - 1);
  for (std::size_t i = 1; i < n_chunks; ++i) threads.emplace_back(guarded, i);
  guarded(0);
  for (auto& thread : threads) thread.join();
  for (const auto& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace dragoman
