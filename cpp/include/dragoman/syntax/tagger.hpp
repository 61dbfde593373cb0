#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/core/random.hpp"
#include "dragoman/syntax/looks.hpp"
#include "dragoman/syntax/weights.hpp"

namespace dragoman::syntax {

/// A label of a token: a part of speech, a set of morphological features, a relation. Labels count from 0.
using Label = std::uint16_t;

/// Labels that go with others: (n_given, n_labels), 1 where they do. Empty: all do.
struct Allowed {
  std::vector<std::uint8_t> table;
  std::size_t n_labels = 0;

  bool operator()(Label given, std::size_t label) const noexcept {
    return table.empty() || table[given * n_labels + label] != 0;
  }
};

struct LearnOptions {
  int epochs = 8;
  CounterStream chance;  // of the order of sentences, and of what a parser explores
};

/// The order of `n` sentences in an epoch.
std::vector<std::uint32_t> shuffled(std::size_t n, int epoch, CounterStream chance);

/// One label for each token, from left to right: what the token and its neighbours look like, the two labels before,
/// and the labels of another layer around it, if one is given.
class TagLayer {
 public:
  /// Throws data_error if the weights do not fit the table.
  TagLayer(Weights weights, Allowed allowed);

  std::size_t n_labels() const noexcept { return weights_.n_classes(); }
  const Allowed& allowed() const noexcept { return allowed_; }

  /// Labels and their margins over the second best (infinite without one) for all tokens of the lines. `given` has one
  /// label for each token, or none at all.
  void tag(const TokenLooks& lines, std::span<const Label> given, std::span<Label> labels, std::span<float> margins,
           unsigned n_threads) const;

 private:
  Weights weights_;
  Allowed allowed_;
};

/// Learn a layer by averaged perceptron. While it learns, the labels before a token are its own guesses, as in use.
SparseWeights learn_tags(const TokenLooks& lines, std::span<const Label> given, std::span<const Label> labels,
                         std::size_t n_labels, const Allowed& allowed, const LearnOptions& options);

}  // namespace dragoman::syntax
