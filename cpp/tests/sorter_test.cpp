#include "dragoman/core/sorter.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "check.hpp"
#include "dragoman/core/random.hpp"

using namespace dragoman;

namespace {

struct Counted {
  std::uint64_t key;
  std::uint32_t last;
  std::uint32_t count;
};

/// Equal ones are joined where they are met while sorting.
struct Plain {
  static bool less(const Counted& a, const Counted& b) noexcept {
    return a.key != b.key ? a.key < b.key : a.last < b.last;
  }
  static bool join(Counted& a, const Counted& b) noexcept {
    a.count += b.count;
    return true;
  }
};
/// The same in buckets.
struct Bucketed : Plain {
  static std::uint64_t first(const Counted& each) noexcept { return each.key; }
};
/// The same, joined as they come; hashes collide.
struct Early : Bucketed {
  static bool same(const Counted& a, const Counted& b) noexcept { return a.key == b.key && a.last == b.last; }
  static std::uint64_t hash(const Counted& each) noexcept { return (each.key % 512) << 32; }
};

std::vector<Counted> drawn(std::size_t n, std::uint64_t seed) {
  const CounterStream stream{seed};
  std::vector<Counted> all;
  for (std::size_t i = 0; i < n; ++i) {
    // Half of them begin alike, as rules with a gap in front do.
    const std::uint64_t wide = stream.bits(3 * i) >> (stream.below(3 * i + 1, 2) == 0 ? 1 : 50);
    all.push_back({wide, stream.below(3 * i + 2, 3), 1});
  }
  return all;
}

template <class Order>
void check_order(const std::vector<Counted>& all, std::size_t memory, unsigned n_threads) {
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint32_t> counts;
  for (const Counted& each : all) counts[{each.key, each.last}] += each.count;
  Sorter<Counted, Order> sorter(Workspace{memory, "/tmp", n_threads});
  const std::size_t half = all.size() / 2;
  sorter.push(std::span(all).first(half));
  for (std::size_t i = half; i < all.size(); ++i) sorter.push(all[i]);
  auto expected = counts.begin();
  sorter.drain([&](const Counted& each) {
    CHECK(expected != counts.end());
    CHECK(expected->first.first == each.key);
    CHECK(expected->first.second == each.last);
    CHECK(expected->second == each.count);
    ++expected;
  });
  CHECK(expected == counts.end());
}

}  // namespace

TEST(what_is_sorted_is_the_same_in_memory_and_on_disk_by_any_number_of_threads) {
  for (const std::size_t n : {0u, 1u, 17u, 60000u}) {
    const auto all = drawn(n, n);
    for (const unsigned n_threads : {1u, 2u, 7u}) {
      for (const std::size_t memory : {std::size_t{1} << 14, std::size_t{1} << 30}) {
        check_order<Plain>(all, memory, n_threads);
        check_order<Bucketed>(all, memory, n_threads);
        check_order<Early>(all, memory, n_threads);
      }
    }
  }
}

TEST(records_that_are_larger_than_the_limit_are_sorted_one_by_one) { check_order<Early>(drawn(40, 1), 1, 1); }

TEST(a_drained_sorter_takes_new_records) {
  Sorter<Counted, Early> sorter;
  for (int round = 0; round < 2; ++round) {
    sorter.push(Counted{5, 0, 1});
    sorter.push(Counted{5, 0, 2});
    std::uint32_t n = 0;
    sorter.drain([&](const Counted& each) { n += each.count; });
    CHECK(n == 3);
  }
}
