#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/chart/search.hpp"
#include "dragoman/phrase/batch.hpp"

namespace dragoman::chart {

/// What spans of the sentences are called in the source: those of sentence i are [offsets[i], offsets[i + 1]). No
/// offsets: nothing is known of any, and rules ask for nothing.
struct SourceLabels {
  std::span<const LabelledSpan> spans = {};
  std::span<const std::int64_t> offsets = {};
};

/// Translate sentences. Nothing depends on the number of threads. Throws data_error at weights, sentences, labels or
/// constraints that do not fit.
phrase::Translations decode(const Engine& engine, const phrase::Sentences& sentences, const SourceLabels& labels,
                            const Weights& weights, const DecodeOptions& limits, const phrase::BatchOptions& options);

/// The graphs of the searches: forests.
std::vector<graph::Hypergraph> hypergraphs(const Engine& engine, const phrase::Sentences& sentences,
                                           const SourceLabels& labels, const Weights& weights,
                                           const DecodeOptions& limits, bool features, unsigned n_threads);

/// The graph of a finished search, and the arcs of the search behind its own; the last, to the end, have none. With
/// `features` as phrase::search_graph.
struct SearchGraph {
  graph::Hypergraph graph;
  std::vector<const Arc*> arcs;
};
SearchGraph search_graph(Search& search, bool features);

}  // namespace dragoman::chart
