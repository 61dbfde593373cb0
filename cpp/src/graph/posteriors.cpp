#include "dragoman/graph/posteriors.hpp"

#include <algorithm>
#include <cmath>

#include "inside.hpp"
#include "joined.hpp"

namespace dragoman::graph {

std::vector<double> best_inside(const Hypergraph& graph) { return inside_scores(graph, 1, Best()); }

std::vector<double> best_outside(const Hypergraph& graph, std::span<const double> inside) {
  return outside_scores(graph, 1, inside, Best());
}

Posteriors posteriors(const Hypergraph& graph, double scale) {
  const auto arcs = graph.arcs();
  Posteriors all;
  all.arcs.assign(arcs.size(), 0.0);
  if (graph.n_nodes() == 0) return all;
  const auto inside = inside_scores(graph, scale, LogSum());
  const auto outside = outside_scores(graph, scale, inside, LogSum());
  all.log_total = inside.back();
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    const double through = sum_of_tails(graph, i, inside) + scale * arcs[i].score + outside[arcs[i].to];
    all.arcs[i] = std::exp(through - all.log_total);
  }
  return all;
}

namespace {

/// By source word, the phrases that translate it.
std::vector<std::vector<std::uint32_t>> covering_phrases(const Hypergraph& graph) {
  std::vector<std::vector<std::uint32_t>> covering(graph.n_source());
  for (std::uint32_t p = 0; p < graph.n_phrases(); ++p) {
    const auto& phrase = graph.phrases()[p];
    if (graph.has_gaps(p)) {
      for (const Link& link : graph.links_of(p)) {
        const std::size_t source = phrase.begin + link.source;
        if (source < covering.size() && (covering[source].empty() || covering[source].back() != p)) {
          covering[source].push_back(p);
        }
      }
      continue;
    }
    for (std::size_t i = phrase.begin; i < phrase.end; ++i) covering[i].push_back(p);
  }
  return covering;
}

/// The source word that word `place` of a phrase translates: the first it is linked to, or the phrase's first.
std::size_t source_of(const Hypergraph& graph, std::uint32_t phrase, std::size_t place) {
  std::size_t source = graph.phrases()[phrase].begin;
  for (const Link& link : graph.links_of(phrase)) {
    if (link.target == place) return source + link.source;
  }
  return source;
}

}  // namespace

std::vector<double> word_confidence(const Hypergraph& graph, const Path& path, std::span<const double> arc_posteriors) {
  // What each phrase is worth; many arcs share one.
  std::vector<double> phrase_mass(graph.n_phrases(), 0.0);
  for (std::size_t i = 0; i < graph.arcs().size(); ++i) {
    if (graph.arcs()[i].phrase != Hypergraph::kNoPhrase) phrase_mass[graph.arcs()[i].phrase] += arc_posteriors[i];
  }
  const auto covering = covering_phrases(graph);
  const auto agreement = [&](std::uint32_t phrase, std::size_t place) {
    const TokenId word = graph.words_of(phrase)[place];
    double sum = 0;
    for (const auto other : covering[std::min(source_of(graph, phrase, place), graph.n_source() - 1)]) {
      if (std::ranges::find(graph.words_of(other), word) != graph.words_of(other).end()) sum += phrase_mass[other];
    }
    return std::min(1.0, sum);
  };
  return joined<double>(graph, path, agreement);
}

}  // namespace dragoman::graph
