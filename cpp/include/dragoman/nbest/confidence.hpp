#pragma once

#include <vector>

#include "dragoman/nbest/lists.hpp"

namespace dragoman::nbest {

constexpr std::size_t kSizes = 4;     // n-grams of one to four words
constexpr std::size_t kCriteria = 4;  // see below

/// How much of a list's weight agrees with each n-gram of an output (González-Rubio et al., WMT 2012; Ueffing & Ney,
/// Computational Linguistics 33(1), 2007). An entry agrees with the n-gram at place i
///   0  position     if the same words stand at place i,
///   1  levenshtein  if a shortest edit script keeps all its words and puts them next to each other,
///   2  any          if it has the same words somewhere,
///   3  average      if it has them within one word of their mean place: of each entry that has them the occurrence
///                   nearest to i is taken (of two the first), and the mean is weighted like the entries.
/// The paper names the last without defining it.
struct Confidences {
  /// [token][criterion][weighting][size]; NaN where the sentence ends before the n-gram does.
  std::vector<double> values;
  /// By token, from the words that the edit script puts in its place and their shares of the first weighting (a
  /// confusion network whose skeleton is the output; de Souza et al., WMT 2014): largest and smallest share, number,
  /// entropy (nats).
  std::vector<double> network;
};

/// `weights`: for each entry, `n_weightings` numbers that are not negative. A list whose weights sum to nothing agrees
/// with nothing. The answer does not depend on `n_threads`.
Confidences confidences(const Lists& lists, std::span<const double> weights, std::size_t n_weightings,
                        unsigned n_threads);

}  // namespace dragoman::nbest
