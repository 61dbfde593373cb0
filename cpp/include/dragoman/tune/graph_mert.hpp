#pragma once

#include <functional>
#include <span>
#include <vector>

#include "dragoman/graph/hypergraph.hpp"
#include "dragoman/tune/mert.hpp"

namespace dragoman::tune {

/// One line of an upper envelope and the derivation that has it: `score + t * slope` is the best of all
/// derivations for some t. Those of larger slope win later.
struct EnvelopeLine {
  double score, slope;
  graph::Path path;
};

/// The upper envelope of all derivations of a graph whose arc i has `scores[i] + t * slopes[i]` (Macherey, Och, Thayer
/// & Uszkoreit, EMNLP 2008): exact, though the graph has more ways than can be listed.
std::vector<EnvelopeLine> envelope(const graph::Hypergraph& graph, std::span<const double> scores,
                                   std::span<const double> slopes);

/// Statistics of translations: for each, its segment and its words, as flat arrays; a row of `n_stats` for each.
struct Texts {
  std::vector<std::int64_t> segments;
  std::vector<std::int64_t> offsets{0};
  std::vector<graph::TokenId> words;
};
using ScoreTexts = std::function<std::vector<double>(const Texts& texts)>;

/// The graphs of a tuning set: of each segment one or more, of several rounds.
using GraphLists = std::vector<std::vector<const graph::Hypergraph*>>;

struct GraphSummits {
  std::vector<Summit> summits;
  std::uint64_t n_texts = 0;  // different translations that were scored
};

/// MERT on hypergraphs: as `ascend`, each search along a line over all ways through the graphs. Nothing depends on the
/// number of threads. Throws data_error if a segment has no graph, or graphs have no features or differ in their
/// number.
GraphSummits ascend_graphs(const GraphLists& graphs, const Objective& objective, const ScoreTexts& score,
                           std::size_t n_stats, std::span<const double> starts, std::span<const double> scales,
                           CounterStream stream, const MertOptions& options);

}  // namespace dragoman::tune
