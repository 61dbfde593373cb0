#pragma once

#include <string>
#include <utility>
#include <vector>

#include "dragoman/core/errors.hpp"
#include "dragoman/graph/hypergraph.hpp"

namespace dragoman::graph {

/// Something for each word of a derivation, in the order of the words: `value(phrase, place)` for a phrase's own word
/// there. Throws data_error if the arcs are none.
template <class T, class Value>
std::vector<T> joined(const Hypergraph& graph, const Path& path, const Value& value) {
  std::vector<T> all;
  if (!graph.is_many_tailed()) {
    for (const auto arc : path.arcs) {
      const auto phrase = graph.arcs()[arc].phrase;
      const std::size_t n = graph.words_of(phrase).size();
      for (std::size_t place = 0; place < n; ++place) all.push_back(value(phrase, place));
    }
    return all;
  }
  std::vector<std::vector<T>> parts;  // that wait for the arc that joins them
  for (const auto arc : path.arcs) {
    const auto phrase = graph.arcs()[arc].phrase;
    const std::size_t n_tails = graph.tails(arc).size();
    if (parts.size() < n_tails) {
      throw data_error("These arcs make no derivation: arc " + std::to_string(arc) + " joins " +
                       std::to_string(n_tails) + " parts, of which " + std::to_string(parts.size()) +
                       " stand before it.");
    }
    const std::size_t first = parts.size() - n_tails;
    const bool has_gaps = graph.has_gaps(phrase);
    std::size_t place = 0;
    all.clear();
    graph.tell(
        arc,
        [&](std::size_t k) {
          all.insert(all.end(), parts[first + k].begin(), parts[first + k].end());
          place += has_gaps ? 1 : 0;
        },
        [&](TokenId) { all.push_back(value(phrase, place++)); });
    parts.resize(first);
    parts.push_back(std::move(all));
  }
  return parts.empty() ? std::vector<T>() : std::move(parts.back());
}

}  // namespace dragoman::graph
