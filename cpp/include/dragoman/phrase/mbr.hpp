#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/phrase/table.hpp"

namespace dragoman::phrase {

struct MbrOptions {
  double scale = 1;       // of the scores, before they become probabilities
  bool document = false;  // gains are those of the whole text's BLEU, not of each sentence's
  unsigned n_threads = 1;
};

/// Minimum Bayes risk (Kumar & Byrne, NAACL 2004): of each sentence's translations the one that is most like the others
/// by BLEU, each counted by its probability. Translations of sentence i are the paths [path_offsets[i],
/// path_offsets[i + 1]), words of path p [word_offsets[p], word_offsets[p + 1]). The number, counted from the
/// sentence's first, that is chosen; -1 if it has none. Sentence BLEU has one added to counts above unigrams (Lin & Och
/// 2004).
std::vector<std::int64_t> minimum_risk(std::span<const TokenId> words, std::span<const std::int64_t> word_offsets,
                                       std::span<const double> scores, std::span<const std::int64_t> path_offsets,
                                       const MbrOptions& options);

/// Sentence BLEU of each translation of a sentence against each other one: for a sentence with n of them n rows of n
/// gains, row by row, the sentences' squares behind one another. Places as in `minimum_risk`.
std::vector<float> pairwise_gains(std::span<const TokenId> words, std::span<const std::int64_t> word_offsets,
                                  std::span<const std::int64_t> path_offsets, unsigned n_threads);

}  // namespace dragoman::phrase
