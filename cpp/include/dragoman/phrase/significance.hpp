#pragma once

#include <cstdint>
#include <memory>

#include "dragoman/phrase/extract.hpp"

namespace dragoman::phrase {

/// −log of the probability that two phrases, which stand in `n_source` and `n_target` of `n` sentence pairs, meet in
/// `n_both` or more of them by chance (Fisher's exact test, one-sided).
double negative_log_p(std::uint64_t n_both, std::uint64_t n_source, std::uint64_t n_target, std::uint64_t n);

/// The pairs of a table that are more significant than `least`, a −log p (Johnson, Martin, Foster & Kuhn, EMNLP 2007).
/// Counts are of sentence pairs in which the phrases occur, extracted or not; points are not looked at. A source phrase
/// that loses all translations is gone. Nothing depends on the number of threads.
std::unique_ptr<PhraseTable> prune_by_significance(const PhraseTable& table, const AlignedBitext& bitext, double least,
                                                   unsigned n_threads);

}  // namespace dragoman::phrase
