#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/align/jumps.hpp"
#include "dragoman/align/model.hpp"

namespace dragoman::align {

/// The hidden Markov model of Vogel, Ney & Tillmann (1996): the place of a target word's source word depends on the
/// place of the one before, by the width of the jump. The empty word as in Och & Ney (2003): it takes a target word
/// with `p_null` and remembers the last place.
struct HmmOptions {
  unsigned n_start_rounds = 5;  // of IBM model 1, where training begins
  unsigned n_rounds = 5;
  double p_null = 0.2;
  unsigned max_jump = 20;  // wider jumps share a probability
  double alpha = 0;        // variational Bayes: pseudo-count of every pair; 0: maximum likelihood
  unsigned n_threads = 1;
};

struct HmmModel {
  LexicalTable table;
  std::vector<double> jumps;  // weights by class, see Jumps
  std::vector<Round> rounds;
};

/// Forward and backward passes over a sentence pair. Scratch of one thread.
class HmmSentence {
 public:
  HmmSentence(const Jumps& jumps, double p_null) : jumps_(jumps), p_null_(p_null) {}

  /// The posteriors of all places: [s * n_target + t], the empty word being s = 0.
  void run(std::span<const float> p_words, std::span<const std::uint32_t> places, std::size_t n_source,
           std::size_t n_target, std::span<const std::int32_t> anchors);

  std::span<const float> posteriors() const noexcept { return posteriors_; }
  double log_likelihood() const noexcept { return log_likelihood_; }
  /// Expected uses of each jump class, and of each context, in this sentence.
  std::span<const double> jump_counts() const noexcept { return jump_counts_; }
  std::span<const double> context_counts() const noexcept { return context_counts_; }
  std::span<const double> normalisers() const noexcept { return sums_; }

 private:
  const Jumps& jumps_;
  double p_null_;
  Mask mask_;
  std::vector<double> emissions_;  // [t * (n_source + 1) + s]
  std::vector<double> before_;     // [t * (n_source + 1) + context]: probability of the context before word t
  std::vector<double> after_, next_, real_, spread_, scaled_, sums_, scales_;
  std::vector<double> jump_counts_, context_counts_;
  std::vector<float> posteriors_;
  double log_likelihood_ = 0;
};

/// Where the contexts of sentences of each length stand in an array: those of n words are [starts[n], starts[n] + n].
struct ContextPlaces {
  std::vector<std::size_t> lengths;  // that were met, rising
  std::vector<std::size_t> starts;   // by length, and the size of the whole behind

  ContextPlaces() = default;
  explicit ContextPlaces(const Side& source);
  explicit ContextPlaces(std::span<const std::int64_t> lengths);
};

/// What a pass over sentences expects, in units; sums of whole numbers, as DiagonalCounts are.
struct HmmCounts {
  std::vector<std::uint64_t> pairs;     // by pair of the table
  std::vector<std::uint64_t> jumps;     // by class
  std::vector<std::uint64_t> contexts;  // by length and context
};

/// The pass of a round over sentences whose pairs have these probabilities and places; `log_likelihoods` by sentence.
HmmCounts expect_hmm(std::span<const float> p, const Jumps& jumps, const ContextPlaces& contexts,
                     const PlacesView& places, const Side& source, const Side& target, const Anchors& anchors,
                     double p_null, std::span<double> log_likelihoods);

/// The weights of jumps after a round.
std::vector<double> next_jumps(const Jumps& jumps, const ContextPlaces& places,
                               std::span<const std::uint64_t> jump_counts,
                               std::span<const std::uint64_t> context_counts);

/// Train p(target | source), first as IBM model 1. Same numbers for any number of threads and order of sentences.
HmmModel train_hmm(const Side& source, const Side& target, const Given& given, const HmmOptions& options);

/// Align sentences with a trained model; `options` give p_null.
Inference align_hmm(const TableView& table, std::span<const double> jumps, const Side& source, const Side& target,
                    const Anchors& anchors, const HmmOptions& options, bool posteriors);

}  // namespace dragoman::align
