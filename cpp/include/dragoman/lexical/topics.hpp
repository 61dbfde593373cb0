#pragma once

#include "dragoman/core/random.hpp"
#include "dragoman/lexical/bags.hpp"

namespace dragoman::lexical {

struct TopicOptions {
  std::int32_t n_topics = 10;
  double alpha = 0.1;  // of a document's topics
  double beta = 0.01;  // of a topic's words
  int sweeps = 200;
};

/// How often each word was given each topic, (words, topics), by collapsed Gibbs sampling of latent Dirichlet
/// allocation (Griffiths & Steyvers, PNAS 2004), in the last sweep.
std::vector<std::int32_t> sample_topics(const Tokens& documents, std::int32_t n_words, const TopicOptions& options,
                                        CounterStream chance);

/// The topics of new documents, (documents, topics), each summing to 1: p(word | topic) stays as it is, and the shares
/// θ climb by expectation maximisation from equal ones, θ ∝ α + Σ p(topic | word, θ). Without known words: equal
/// shares.
std::vector<double> fold_in(const Tokens& documents, std::span<const double> p_word, std::int32_t n_topics,
                            double alpha, int rounds, unsigned n_threads);

}  // namespace dragoman::lexical
