#pragma once

#include "dragoman/core/random.hpp"
#include "dragoman/lexical/bags.hpp"

namespace dragoman::lexical {

struct LexiconOptions {
  double l1 = 0;            // penalty on Σ|λ| of a word, beside the sum of its losses
  double l2 = 0;            // penalty on Σλ²/2
  std::int32_t least = 1;   // sentences that a target word needs to have a model
  std::int32_t pairs = 1;   // sentences that a source word must share with it; 0 takes every source word
  double negatives = 0;     // sentences without the word drawn for each with it; 0 takes all
  std::int32_t most = 0;    // sentences with the word that are looked at, evenly spread; 0 takes all
  int rounds = 50;          // rounds over the weights of a word
  double tolerance = 1e-3;  // ends them when no weight moves further
};

/// One logistic model a target word over the set of source words (Mauser, Hasan & Ney, EMNLP 2009).
struct WordLexicon {
  SparseRows weights;         // rows: target words; columns: source words
  std::vector<float> biases;  // NaN: the word has no model
};

/// Each word's model by cyclic coordinate descent with a trust region for each weight (Genkin, Lewis & Madigan,
/// Technometrics 2007). Sentences that were drawn or passed over are made up for by weights.
WordLexicon train_lexicon(const Bags& sources, const Bags& targets, const LexiconOptions& options, CounterStream chance,
                          unsigned n_threads);

/// p(target word | source sentence) of every token of the targets; NaN for words without a model.
std::vector<double> lexicon_probabilities(const SparseView& weights, std::span<const float> biases,
                                          const Tokens& sources, const Tokens& targets, std::int32_t n_source_words,
                                          unsigned n_threads);

}  // namespace dragoman::lexical
