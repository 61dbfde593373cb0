#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dragoman/morph/trainer.hpp"
#include "dragoman/text/word_table.hpp"

namespace dragoman::morph {

/// Words as numbers of their letters, and back.
struct SpeltWords {
  SpeltWords() = default;
  /// Takes words of one to `longest` letters. Throws data_error at an empty word and a count below 1.
  SpeltWords(std::span<const std::string_view> words, std::span<const std::int64_t> word_counts, std::size_t longest);

  Words words() const noexcept { return {letters, offsets, counts}; }
  std::string text(Place place) const;

  text::WordTable alphabet;
  std::vector<Letter> letters;
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int64_t> counts;
  std::vector<std::int64_t> taken;  // which of the given words
};

}  // namespace dragoman::morph
