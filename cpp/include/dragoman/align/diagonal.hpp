#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "dragoman/align/model.hpp"

namespace dragoman::align {

/// IBM model 2 with one parameter for positions (Dyer, Chahuneau & Smith, NAACL 2013): a target word comes from the
/// empty word with `p_null`, else from source word i with a probability that falls with its distance from the diagonal.
/// Without a tension all places are alike, which is IBM model 1 (Brown et al. 1993).
struct DiagonalOptions {
  unsigned n_rounds = 5;
  double p_null = 0.08;  // below 0: the empty word counts as one more source word, as in IBM model 1
  double tension = 4.0;  // how much the diagonal is favoured
  bool learn_tension = true;
  double alpha = 0.01;  // variational Bayes: pseudo-count of every pair; 0: maximum likelihood
  unsigned n_threads = 1;
};

struct DiagonalModel {
  LexicalTable table;
  double tension;
  std::vector<Round> rounds;
};

/// How many sentence pairs have which numbers of words.
using Sizes = std::map<std::pair<std::size_t, std::size_t>, std::size_t>;

/// p(place) and the distance from the diagonal by (source word, target word), [s * n_target + t] with the empty word as
/// s = 0, for all sizes of a corpus that fit, others on demand. One for each thread.
class PlacePriors {
 public:
  PlacePriors(double tension, double p_null) : tension_(tension), p_null_(p_null) {}

  struct Matrices {
    std::span<const float> p, distance;
  };
  Matrices of(std::size_t n_source, std::size_t n_target);

 private:
  struct Kept {
    std::vector<float> p, distance;
  };
  void fill(std::size_t n_source, std::size_t n_target, Kept& kept) const;

  double tension_, p_null_;
  std::size_t n_cells_ = 0;
  std::vector<std::vector<Kept>> kept_;  // by n_source, by n_target
  Kept last_;
};

/// What a pass over sentences expects, in units. Sums of whole numbers: those of the parts of a text, added, are those
/// of the text.
struct DiagonalCounts {
  std::vector<std::uint64_t> pairs;  // by pair of the table
  std::uint64_t distance = 0;        // from the diagonal, if it is learnt
};

/// The pass of a round over sentences whose pairs have these probabilities and places; `log_likelihoods` by sentence.
DiagonalCounts expect_diagonal(std::span<const float> p, const PlacesView& places, const Side& source,
                               const Side& target, const Anchors& anchors, const DiagonalOptions& options,
                               std::span<double> log_likelihoods);

/// The tension after a round: `null` is what the empty word took, in units, `n_words` how many target words there are.
double next_tension(const Sizes& sizes, std::size_t n_words, double tension, std::uint64_t distance,
                    std::uint64_t null);

/// Train p(target | source). Same numbers for any number of threads and any order of the sentences.
DiagonalModel train_diagonal(const Side& source, const Side& target, const Given& given,
                             const DiagonalOptions& options);

/// Rounds on a table that is there; its probabilities are where they begin. The tension that they end with.
double train_rounds(LexicalTable& table, const Places& places, const Side& source, const Side& target,
                    const Given& given, std::span<const float> prior, const DiagonalOptions& options,
                    std::vector<Round>& rounds);

/// Align sentences with a trained model; `options` give p_null and the tension learnt.
Inference align_diagonal(const TableView& table, const Side& source, const Side& target, const Anchors& anchors,
                         const DiagonalOptions& options, bool posteriors);

}  // namespace dragoman::align
