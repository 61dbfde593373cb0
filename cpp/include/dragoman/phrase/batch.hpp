#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/phrase/search.hpp"
#include "dragoman/phrase/search_graph.hpp"

namespace dragoman::phrase {

/// Translations of many sentences, flat: those of sentence i are the paths [path_offsets[i], path_offsets[i + 1]), best
/// first; the words of path p are [word_offsets[p], word_offsets[p + 1]), and so on. A sentence whose constraints
/// cannot be met has no path.
struct Translations {
  std::vector<std::int64_t> path_offsets, word_offsets, link_offsets, phrase_offsets;
  std::vector<TokenId> words;          // a negative one is copied from the source
  std::vector<std::uint16_t> links;    // pairs: place in the source, place in the target
  std::vector<std::uint16_t> phrases;  // triples: source begin, source end, target words; in the order of the target
  std::vector<double> scores;          // weighted, one for each path
  std::size_t n_features = 0;          // of the engine
  std::vector<double> features;        // n_features for each path, if asked for
  std::vector<std::int64_t> sparse_offsets;  // by path, if features are asked for: where its sparse ones begin
  std::vector<SparseKey> sparse_keys;        // rising within a path
  std::vector<float> sparse_values;
  std::vector<float> confidences;        // one for each word, if asked for
  std::vector<SearchSummary> summaries;  // one for each sentence, if asked for
  Effort effort;
};

struct BatchOptions {
  unsigned n_best = 1;
  bool distinct = true;  // among the n best no two have the same words; else no two have the same phrases
  bool features = false;
  bool confidence = false;  // see graph::word_confidence
  double scale = 1;         // of scores, when probabilities are made of them for confidence
  bool summary = false;     // see SearchSummary
  unsigned n_threads = 1;
};

/// Sentences as word ids, those of sentence i being [offsets[i], offsets[i + 1]), and what is asked of each beyond
/// them: nothing, or for each sentence constraints or null.
struct Sentences {
  std::span<const TokenId> words;
  std::span<const std::int64_t> offsets;
  std::span<const Constraints* const> constraints = {};
  std::span<const std::int32_t> layer = {};  // by word: what it is annotated with; empty: with nothing

  std::size_t size() const noexcept { return offsets.empty() ? 0 : offsets.size() - 1; }
};

/// Translate sentences. Nothing depends on the number of threads. Throws data_error at weights, sentences or
/// constraints that do not fit.
Translations decode(const Engine& engine, const Sentences& sentences, const Weights& weights,
                    const DecodeOptions& limits, const BatchOptions& options);

/// The search hypergraphs of sentences.
std::vector<graph::Hypergraph> hypergraphs(const Engine& engine, const Sentences& sentences, const Weights& weights,
                                           const DecodeOptions& limits, bool features, unsigned n_threads);

}  // namespace dragoman::phrase
