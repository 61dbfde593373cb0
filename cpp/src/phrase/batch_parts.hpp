#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/core/parallel.hpp"
#include "dragoman/phrase/batch.hpp"

/// What engines that translate batches of sentences have in common, whatever their search is.
namespace dragoman::phrase {

/// What one sentence gives, until the results are put together in the order of the sentences.
struct FoundPaths {
  std::vector<TokenId> words;
  std::vector<std::uint16_t> links, phrases;
  std::vector<std::int64_t> word_ends, link_ends, phrase_ends;
  std::vector<double> scores, features;
  std::vector<float> confidences;
  std::vector<SparseValue> sparse;
  std::vector<std::int64_t> sparse_ends;

  /// The path whose words, links and phrases were put behind the others is whole.
  void end_path(double score);
  /// Its features; sparse ones from `first` on are sorted by key, those of one key summed.
  void end_features(std::span<const double> values, std::size_t first);
};

void put_together(std::span<const FoundPaths> parts, Translations& all);

/// Throws data_error at weights, sentences or constraints that do not fit an engine of so many features.
void check_batch(std::size_t n_features, std::size_t n_given, const Sentences& sentences, const Weights& weights,
                 const DecodeOptions& limits);

/// Run a search on every sentence, `run(search, i)`; each thread has its own, by `make()`. The effort of all.
template <class Make, class Run>
Effort search_all(std::size_t n_sentences, unsigned n_threads, const Make& make, const Run& run) {
  std::vector<Effort> efforts(std::max(1U, n_threads));
  // Sentences differ in length: threads take the next one when they are done.
  std::atomic<std::size_t> next{0};
  for_each_chunk(n_threads, n_threads, [&](const Chunk& chunk) {
    const auto search = make();
    for (std::size_t i = next++; i < n_sentences; i = next++) run(*search, i);
    efforts[chunk.index] = search->effort();
  });
  Effort all;
  for (const Effort& effort : efforts) {
    all.hypotheses += effort.hypotheses;
    all.lm_queries += effort.lm_queries;
  }
  return all;
}

}  // namespace dragoman::phrase
