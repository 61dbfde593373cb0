#include "dragoman/core/pipeline.hpp"

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include "check.hpp"
#include "dragoman/core/bytes.hpp"
#include "dragoman/core/hash.hpp"

using namespace dragoman;

TEST(products_are_used_in_order_and_once) {
  for (const std::size_t n_items : {0u, 1u, 5u, 64u, 1000u}) {
    for (const unsigned n_threads : {1u, 2u, 7u}) {
      std::vector<std::size_t> used;
      in_order<std::vector<std::size_t>>(
          n_items, 5, n_threads,
          [](Chunk block, std::vector<std::size_t>& product) {
            product.clear();
            for (std::size_t i = block.begin; i < block.end; ++i) product.push_back(i);
          },
          [&](Chunk, std::vector<std::size_t>& product) { used.insert(used.end(), product.begin(), product.end()); });
      CHECK(used.size() == n_items);
      for (std::size_t i = 0; i < n_items; ++i) CHECK(used[i] == i);
    }
  }
}

TEST(products_are_bounded_by_the_window) {
  std::atomic<int> alive{0}, most{0};
  in_order<int>(500, 1, 4, [&](Chunk, int&) { most = std::max(most.load(), ++alive); }, [&](Chunk, int&) { --alive; });
  CHECK(alive == 0);
  CHECK(most <= 8);
}

TEST(the_earliest_block_that_fails_stops_the_pipeline) {
  for (const unsigned n_threads : {1u, 2u, 7u}) {
    std::size_t used = 0;
    std::string message;
    try {
      in_order<int>(
          100, 1, n_threads,
          [](Chunk block, int&) {
            if (block.index >= 40) throw std::runtime_error(std::to_string(block.index));
          },
          [&](Chunk, int&) { ++used; });
    } catch (const std::runtime_error& error) {
      message = error.what();
    }
    CHECK(message == "40");
    CHECK(used == 40);
  }
}

TEST(a_failure_in_use_stops_the_pipeline) {
  for (const unsigned n_threads : {1u, 3u}) {
    std::size_t used = 0;
    bool failed = false;
    try {
      in_order<int>(
          100, 1, n_threads, [](Chunk, int&) {},
          [&](Chunk, int&) {
            if (++used == 10) throw std::runtime_error("enough");
          });
    } catch (const std::runtime_error&) {
      failed = true;
    }
    CHECK(failed);
    CHECK(used == 10);
  }
}

TEST(bytes_grow_and_move) {
  Bytes bytes;
  std::string expected;
  for (int i = 0; i < 1000; ++i) {
    bytes.append(std::to_string(i));
    expected += std::to_string(i);
  }
  char* const end = bytes.room(3);
  end[0] = 'x';
  bytes.end_at(end + 1);
  expected += 'x';
  CHECK(bytes.view() == expected);
  bytes.overwrite(1, "abc");
  expected.replace(1, 3, "abc");
  Bytes moved = std::move(bytes);
  CHECK(moved.view() == expected);
  bytes = Bytes();
  bytes.append("new");
  CHECK(bytes.view() == "new");
}

TEST(hashes_are_what_files_hold) {
  // Fixed values: if one changes, so must the version of every file that holds hashes.
  CHECK(hash_bytes("") == 0xE052ED86ABB7A4AA);
  CHECK(hash_bytes("a") == 0xB3FE0C0B0C6EED8F);
  CHECK(hash_bytes("wort") == 0x386F7CA632619DCC);
  CHECK(hash_bytes("translation") == 0x71AE77902AA10E6A);
  CHECK(hash_bytes("a") != hash_bytes(std::string_view("a\0", 2)));
}
