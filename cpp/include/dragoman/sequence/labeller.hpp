#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/core/random.hpp"

namespace dragoman::sequence {

/// Sentences of tokens, each token a sparse vector of features. Token t of sentence s: t in [sentences[s], sentences[s
/// + 1]); its features: ids and values in [tokens[t], tokens[t + 1]).
struct Sequences {
  std::span<const std::int64_t> sentences;
  std::span<const std::int64_t> tokens;
  std::span<const std::int32_t> ids;
  std::span<const float> values;

  std::size_t size() const { return sentences.size() - 1; }
  std::size_t n_tokens() const { return tokens.size() - 1; }
};

/// Throws data_error if offsets or ids do not fit.
void check(const Sequences& sequences, std::int32_t n_features);

/// A linear chain: the score of a labelling is the sum of its tokens' scores and of its neighbours' transitions.
struct Chain {
  std::int32_t n_features = 0;
  std::int32_t n_labels = 0;
  std::vector<double> emissions;    ///< (features, labels)
  std::vector<double> transitions;  ///< (labels + 1, labels): the last row leads into the first token
};

struct CrfOptions {
  int epochs = 20;
  double rate = 0.5;
  double penalty = 1e-5;  ///< of half the squared weights, per sentence
};

/// Conditional random field by AdaGrad with dual averaging: a weight is a closed form of its gradients so far, so that
/// the penalty costs nothing for features that a sentence does not have.
Chain train_crf(const Sequences& sequences, std::span<const std::int32_t> labels, std::int32_t n_features,
                std::int32_t n_labels, const CrfOptions& options, CounterStream chance);

struct PerceptronOptions {
  int epochs = 10;
  /// What saying column costs where row is right (labels, labels): added to wrong labels while training.
  std::span<const double> costs;
};

/// Averaged structured perceptron (Collins 2002), with margins if there are costs.
Chain train_perceptron(const Sequences& sequences, std::span<const std::int32_t> labels, std::int32_t n_features,
                       std::int32_t n_labels, const PerceptronOptions& options, CounterStream chance);

/// P(label | sentence) of every token (tokens, labels), by forward and backward sums.
std::vector<double> marginals(const Chain& chain, const Sequences& sequences, unsigned n_threads);

/// The score of the best labelling in which the token has the label (tokens, labels).
std::vector<double> max_marginals(const Chain& chain, const Sequences& sequences, unsigned n_threads);

}  // namespace dragoman::sequence
