#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/align/bitext.hpp"
#include "dragoman/align/lexical_table.hpp"

namespace dragoman::align {

/// What happened in a round of training.
struct Round {
  double log_likelihood;  // base e, of the target given the source
  double tension;         // of the diagonal, used in this round; 0 where there is none
};

/// What training takes besides the text.
struct Given {
  Anchors anchors;
  PairWeights pairs;
};

/// How sentences are aligned. All arrays are by direction: a target word comes from one source word or from none.
struct Inference {
  std::vector<std::int32_t> links;      // by target word: the source place with the largest posterior, or kNull
  std::vector<double> log_likelihoods;  // by sentence, base e, of the target given the source
  std::vector<float> posteriors;        // if wanted: of sentence i, of source word s and target word t
};

/// What every direction's sentences share while their results are written: where each goes.
class Outcome {
 public:
  Outcome(const Side& source, const Side& target, bool posteriors);

  /// Take the posteriors [s * n_target + t] of a sentence, the empty word being s = 0, in the order of the sides.
  void take(std::size_t sentence, std::span<const float> posteriors, double log_likelihood);
  Inference&& give() noexcept { return std::move(inference_); }

 private:
  Side source_, target_;
  std::int64_t first_;
  std::vector<std::size_t> offsets_;
  Inference inference_;
};

}  // namespace dragoman::align
