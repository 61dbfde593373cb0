#include "dragoman/core/parallel.hpp"

#include <stdexcept>
#include <string>
#include <vector>

#include "check.hpp"

using namespace dragoman;

TEST(chunks_cover_every_item_once) {
  for (const std::size_t n_items : {0u, 1u, 2u, 7u, 100u}) {
    for (const unsigned n_threads : {1u, 2u, 7u}) {
      std::vector<int> seen(n_items);
      for_each_chunk(n_items, n_threads, [&](Chunk chunk) {
        for (std::size_t i = chunk.begin; i < chunk.end; ++i) ++seen[i];
      });
      CHECK(seen == std::vector<int>(n_items, 1));
    }
  }
}

TEST(the_earliest_failure_is_rethrown) {
  std::string message;
  try {
    for_each_chunk(4, 2, [](Chunk chunk) { throw std::runtime_error(std::to_string(chunk.index)); });
  } catch (const std::runtime_error& error) {
    message = error.what();
  }
  CHECK(message == "0");
}
