#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/text/word_table.hpp"

namespace dragoman::lm {

/// Word classes of a text.
struct Clusters {
  std::vector<std::uint32_t> classes;  // of each word, from 0 on
  double log_likelihood = 0;           // natural: of the text's bigrams under p(class | class before) · p(word | class)
  unsigned n_rounds = 0;               // until no word moved, or as many as were allowed
};

/// Classes that make the bigrams of a text most probable, by the exchange algorithm (Martin, Liermann & Ney 1998, as in
/// mkcls): one word after the other goes where it helps most. Words begin dealt out by frequency; no chance enters.
/// `ids` and `offsets` as in Estimator::add; every id is below `n_words`.
Clusters exchange(std::span<const text::TokenId> ids, std::span<const std::int64_t> offsets, std::uint32_t n_words,
                  std::uint32_t n_classes, unsigned max_rounds);

}  // namespace dragoman::lm
