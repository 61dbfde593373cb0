#pragma once

#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "dragoman/graph/hypergraph.hpp"

/// Inside and outside scores of nodes, for any way to add derivations up: their best, or the logarithm of their sum.
namespace dragoman::graph {

inline constexpr double kNever = -std::numeric_limits<double>::infinity();

struct Best {
  double operator()(double a, double b) const { return a < b ? b : a; }
};

struct LogSum {
  double operator()(double a, double b) const {
    if (a < b) std::swap(a, b);
    return b == kNever ? a : a + std::log1p(std::exp(b - a));
  }
};

/// What is known of an arc from its tails, but for tail `but`.
inline double sum_of_tails(const Hypergraph& graph, std::size_t arc, std::span<const double> inside,
                           std::size_t but = kMostTails) {
  double sum = 0;
  const auto tails = graph.tails(arc);
  for (std::size_t k = 0; k < tails.size(); ++k) {
    if (k != but) sum += inside[tails[k]];
  }
  return sum;
}

template <class Add>
std::vector<double> inside_scores(const Hypergraph& graph, double scale, const Add& add) {
  std::vector<double> inside(graph.n_nodes(), kNever);
  if (!inside.empty()) inside.front() = 0;
  const auto arcs = graph.arcs();
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    inside[arcs[i].to] = add(inside[arcs[i].to], sum_of_tails(graph, i, inside) + scale * arcs[i].score);
  }
  return inside;
}

template <class Add>
std::vector<double> outside_scores(const Hypergraph& graph, double scale, std::span<const double> inside,
                                   const Add& add) {
  std::vector<double> outside(graph.n_nodes(), kNever);
  if (!outside.empty()) outside.back() = 0;
  const auto arcs = graph.arcs();
  for (std::size_t i = arcs.size(); i-- > 0;) {
    const auto tails = graph.tails(i);
    const double above = outside[arcs[i].to] + scale * arcs[i].score;
    for (std::size_t k = 0; k < tails.size(); ++k) {
      const double rest = tails.size() == 1 ? 0 : sum_of_tails(graph, i, inside, k);
      outside[tails[k]] = add(outside[tails[k]], above + rest);
    }
  }
  return outside;
}

}  // namespace dragoman::graph
