#pragma once

#include <span>
#include <vector>

#include "dragoman/graph/hypergraph.hpp"

namespace dragoman::graph {

/// Best score of what leads to each node, and of what may be made of it, without itself (`inside`: of the same graph).
std::vector<double> best_inside(const Hypergraph& graph);
std::vector<double> best_outside(const Hypergraph& graph, std::span<const double> inside);

/// The probability of each arc when derivations are drawn in proportion to exp(scale · score) (inside–outside), and the
/// logarithm of what they sum to.
struct Posteriors {
  std::vector<double> arcs;
  double log_total = 0;
};
Posteriors posteriors(const Hypergraph& graph, double scale);

/// For each word of a derivation, how much of the probability agrees that this word translates its source word: all
/// derivations cover that word once, and some do so with a phrase that says the same. A phrase with gaps covers what it
/// is linked to.
std::vector<double> word_confidence(const Hypergraph& graph, const Path& path, std::span<const double> arc_posteriors);

}  // namespace dragoman::graph
