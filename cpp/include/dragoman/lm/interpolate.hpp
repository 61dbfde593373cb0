#pragma once

#include <span>

#include "dragoman/lm/model.hpp"

namespace dragoman::lm {

/// How the probabilities of several models become one.
enum class Combination {
  kLinear,     // Σ λ_i p_i(w | h)
  kLogLinear,  // Π p_i(w | h)^λ_i / Z(h)
};

/// All words of the models, with <unk>, <s> and </s> in front.
text::WordTable joint_words(std::span<const Model* const> models);

/// One back-off model of several: it holds every n-gram that one of them holds, with the combined probability, and its
/// back-off weights make the probabilities after every context add up to one. A word that a model lacks is one of its
/// unknown words. In a linear combination, they share p_i(<unk> | h) evenly; in a log-linear one each has it.
///
/// Log-linear combination is exact for n-grams that no model holds, too, since Z(h) follows from Z of the shorter
/// context (Heafield, Geigle, Massung & Schwartz, ACL 2016). The linear one is exact for those that some model holds,
/// and backs off for the others (as SRILM's ngram -mix-lm does).
///
/// `words` are the joint words. Everything happens in memory.
void interpolate(std::span<const Model* const> models, std::span<const double> weights, Combination combination,
                 const text::WordTable& words, NGramSink& sink);

}  // namespace dragoman::lm
