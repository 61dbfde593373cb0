#include <stdexcept>
#include <string>
#include <vector>

#include "check.hpp"
#include "dragoman/core/parallel.hpp"
#include "dragoman/text/scripts.hpp"
#include "dragoman/text/unicode.hpp"

using namespace dragoman;

TEST(every_code_point_survives_encoding) {
  for (char32_t code = 0; code < 0x110000; ++code) {
    if (code >= 0xD800 && code < 0xE000) continue;
    std::string bytes;
    text::append(bytes, code);
    const char* p = bytes.data();
    CHECK(text::decode(p) == code);
    CHECK(p == bytes.data() + bytes.size());
  }
}

TEST(split_follows_python) {
  std::vector<std::string> tokens;
  text::split(
      " a\u2028b\x1f"
      "c\u200Bd\u3000",
      [&](std::string_view token) { tokens.emplace_back(token); });
  CHECK((tokens == std::vector<std::string>{"a", "b", "c\u200Bd"}));
}

TEST(scripts_count_letters_only) {
  const auto counts = text::count_scripts("abc 12 где。漢字");
  CHECK(counts[static_cast<std::size_t>(text::Script::kLatin)] == 3);
  CHECK(counts[static_cast<std::size_t>(text::Script::kCyrillic)] == 3);
  CHECK(counts[static_cast<std::size_t>(text::Script::kHan)] == 2);
  CHECK(counts[static_cast<std::size_t>(text::Script::kOther)] == 0);
}

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
