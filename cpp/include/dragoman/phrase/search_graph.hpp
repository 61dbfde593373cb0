#pragma once

#include <vector>

#include "dragoman/graph/hypergraph.hpp"
#include "dragoman/phrase/search.hpp"

namespace dragoman::phrase {

/// The graph of a finished search, and the options behind its phrases, which are good until the search runs again.
struct SearchGraph {
  graph::Hypergraph graph;
  std::vector<const Option*> options;  // by phrase
};

/// Each step of the search is an arc with one tail. With `features`, each has those of the engine and, if it has sparse
/// ones, their weighted sum, whose weight is 1.
SearchGraph search_graph(const Search& search, bool features);

}  // namespace dragoman::phrase
