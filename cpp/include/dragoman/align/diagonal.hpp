#pragma once

#include <cstdint>
#include <vector>

#include "dragoman/align/bitext.hpp"
#include "dragoman/align/lexical_table.hpp"

namespace dragoman::align {

/// IBM model 2 with one parameter for positions (Dyer, Chahuneau & Smith, NAACL 2013): a target word comes from the
/// empty word with `p_null`, else from source word i with a probability that falls with its distance from the diagonal.
struct DiagonalOptions {
  unsigned n_rounds = 5;
  double p_null = 0.08;
  double tension = 4.0;          // how much the diagonal is favoured; 0: all places alike, which is IBM model 1
  bool learn_tension = true;
  double alpha = 0.01;           // variational Bayes: pseudo-count of every pair; 0: maximum likelihood
  unsigned n_threads = 1;
};

/// What happened in a round of training.
struct DiagonalRound {
  double log_likelihood;  // base e, of the target given the source
  double tension;         // used in this round
};

struct DiagonalModel {
  LexicalTable table;
  double p_null;
  double tension;
  std::vector<DiagonalRound> rounds;
};

/// Train p(target | source). Same numbers for any number of threads: posteriors are added up in fixed point.
DiagonalModel train_diagonal(const Side& source, const Side& target, const DiagonalOptions& options);

/// The most probable source word of every target word of the sentences the model was trained on.
std::vector<std::int32_t> align_diagonal(const DiagonalModel& model, const Side& source, const Side& target,
                                         unsigned n_threads);

}  // namespace dragoman::align
