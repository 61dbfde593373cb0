#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/align/model.hpp"

namespace dragoman::align {

inline constexpr std::size_t kFertilities = 8;  // 0 … 6 target words, and more

/// A Bayesian model of words, jumps and fertilities, its links drawn by Gibbs sampling (Östling & Tiedemann 2016). Word
/// probabilities are integrated out; those of jumps and fertilities are set anew before every sweep.
struct SamplerOptions {
  unsigned n_start_rounds = 3;   // of IBM model 1 by EM, where links are first drawn from
  unsigned n_jump_sweeps = 8;    // without fertilities
  unsigned n_sweeps = 0;         // with them; 0: 24 to 96, the fewer the larger the corpus, and the other two to match
  unsigned n_kept = 12;          // the last of these are averaged
  unsigned n_samplers = 3;       // independent of each other
  unsigned n_align_sweeps = 12;  // for each sampler, when a trained model aligns; the first third is not kept
  double p_null = 0.2;
  double alpha = 0.0001;       // pseudo-count of every pair of words
  double jump_alpha = 0.5;     // pseudo-count of every width of a jump
  double fertility_alpha = 1;  // weight of all words' fertilities in those of one word
  unsigned max_jump = 100;
  std::uint64_t key = 0;  // of the random stream
  unsigned n_threads = 1;
};

struct SamplerModel {
  LexicalTable table;
  std::vector<double> jumps;       // by width: −max … max, with a class for all that are wider at both ends
  std::vector<float> fertilities;  // by source word, kFertilities each
  Inference inference;             // the training text: averages over the sweeps kept, each word's own count left out
};

/// Train p(target | source). Same numbers for any number of threads; another order of the sentences is other chance.
SamplerModel train_sampler(const Side& source, const Side& target, const Given& given, const SamplerOptions& options,
                           bool posteriors);

/// Align sentences with a trained model: sampling again, its probabilities fixed. What is drawn for a sentence depends
/// on the key and its words alone.
Inference align_sampler(const TableView& table, std::span<const double> jumps, std::span<const float> fertilities,
                        const Side& source, const Side& target, const Anchors& anchors, const SamplerOptions& options,
                        bool posteriors);

}  // namespace dragoman::align
