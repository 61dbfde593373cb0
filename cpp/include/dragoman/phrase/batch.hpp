#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/phrase/search.hpp"

namespace dragoman::phrase {

/// Translations of many sentences, flat: those of sentence i are the paths [path_offsets[i], path_offsets[i + 1]), best
/// first; the words of path p are [word_offsets[p], word_offsets[p + 1]), and so on.
struct Translations {
  std::vector<std::int64_t> path_offsets, word_offsets, link_offsets, phrase_offsets;
  std::vector<TokenId> words;           // a negative one is copied from the source
  std::vector<std::uint16_t> links;     // pairs: place in the source, place in the target
  std::vector<std::uint16_t> phrases;   // triples: source begin, source end, target words; in the order of the target
  std::vector<double> scores;           // weighted, one for each path
  std::vector<double> features;         // n_features for each path, if asked for
  Effort effort;
};

struct BatchOptions {
  unsigned n_best = 1;
  bool distinct = true;   // among the n best no two have the same words; else no two have the same phrases
  bool features = false;
  unsigned n_threads = 1;
};

/// Translate sentences: those of sentence i are [offsets[i], offsets[i + 1]). Nothing depends on the number of threads.
Translations decode(const Engine& engine, std::span<const TokenId> source, std::span<const std::int64_t> offsets,
                    std::span<const float> weights, const DecodeOptions& limits, const BatchOptions& options);

}  // namespace dragoman::phrase
