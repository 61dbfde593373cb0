#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace dragoman {

/// Read sorted runs as one: `use(cursor)` is called at whatever comes next, of equals at that of the earliest run. A
/// cursor is true while it stands at something, `++cursor` goes on, and `less(a, b)` compares what two of them stand
/// at. Runs lie where the caller likes, in mapped files for instance: nothing is copied.
template <class Cursor, class Less, class Use>
void merge_runs(std::vector<Cursor> cursors, const Less& less, const Use& use) {
  std::vector<std::size_t> heap;
  for (std::size_t run = 0; run < cursors.size(); ++run) {
    if (cursors[run]) heap.push_back(run);
  }
  const auto later = [&](std::size_t a, std::size_t b) {
    if (less(cursors[b], cursors[a])) return true;
    return !less(cursors[a], cursors[b]) && b < a;
  };
  std::make_heap(heap.begin(), heap.end(), later);
  while (!heap.empty()) {
    std::pop_heap(heap.begin(), heap.end(), later);
    Cursor& first = cursors[heap.back()];
    use(first);
    ++first;
    if (first) {
      std::push_heap(heap.begin(), heap.end(), later);
    } else {
      heap.pop_back();
    }
  }
}

}  // namespace dragoman
