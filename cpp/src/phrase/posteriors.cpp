#include <algorithm>
#include <cmath>
#include <limits>

#include "dragoman/phrase/hypergraph.hpp"

namespace dragoman::phrase {

namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

double log_add(double a, double b) {
  if (a < b) std::swap(a, b);
  return b == kNever ? a : a + std::log1p(std::exp(b - a));
}

}  // namespace

Posteriors posteriors(const Hypergraph& graph, double scale) {
  const auto arcs = graph.arcs();
  Posteriors all;
  all.arcs.assign(arcs.size(), 0.0);
  if (graph.n_nodes() == 0) return all;
  std::vector<double> inside(graph.n_nodes(), kNever), outside(graph.n_nodes(), kNever);
  inside.front() = 0;
  outside.back() = 0;
  for (const auto& arc : arcs) inside[arc.to] = log_add(inside[arc.to], inside[arc.from] + scale * arc.score);
  for (auto arc = arcs.rbegin(); arc != arcs.rend(); ++arc) {
    outside[arc->from] = log_add(outside[arc->from], outside[arc->to] + scale * arc->score);
  }
  all.log_total = inside.back();
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    all.arcs[i] = std::exp(inside[arcs[i].from] + scale * arcs[i].score + outside[arcs[i].to] - all.log_total);
  }
  return all;
}

std::vector<double> word_confidence(const Hypergraph& graph, const Path& path, std::span<const double> arc_posteriors) {
  // What each phrase is worth; many arcs share one.
  std::vector<double> phrase_mass(graph.n_phrases(), 0.0);
  for (std::size_t i = 0; i < graph.arcs().size(); ++i) {
    if (graph.arcs()[i].phrase != Hypergraph::kNoPhrase) phrase_mass[graph.arcs()[i].phrase] += arc_posteriors[i];
  }
  std::vector<std::vector<std::uint32_t>> covering(graph.n_source());
  for (std::uint32_t p = 0; p < graph.n_phrases(); ++p) {
    for (std::size_t i = graph.phrases()[p].begin; i < graph.phrases()[p].end; ++i) covering[i].push_back(p);
  }
  std::vector<double> all;
  for (const auto arc : path.arcs) {
    const auto phrase = graph.arcs()[arc].phrase;
    const auto words = graph.words_of(phrase);
    for (std::size_t i = 0; i < words.size(); ++i) {
      // The source word that it translates: the first it is linked to, or its phrase's first.
      std::size_t source = graph.phrases()[phrase].begin;
      for (const Link& link : graph.links_of(phrase)) {
        if (link.target == i) {
          source += link.source;
          break;
        }
      }
      double sum = 0;
      for (const auto other : covering[std::min(source, graph.n_source() - 1)]) {
        if (std::ranges::find(graph.words_of(other), words[i]) != graph.words_of(other).end()) sum += phrase_mass[other];
      }
      all.push_back(std::min(1.0, sum));
    }
  }
  return all;
}

}  // namespace dragoman::phrase
