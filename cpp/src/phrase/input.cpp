#include "dragoman/phrase/input.hpp"

#include <algorithm>
#include <string>

#include "dragoman/core/errors.hpp"

namespace dragoman::phrase {

namespace {

std::string shown(Span span) { return std::to_string(span.begin) + " to " + std::to_string(span.end); }

}  // namespace

void Lattice::check() const {
  if (n_nodes == 0) throw data_error("A lattice has at least one node.");
  std::vector<bool> reached(n_nodes, false), reaches(n_nodes, false);
  reached[0] = true;
  reaches[n_nodes - 1U] = true;
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    const Arc& arc = arcs[i];
    if (arc.from >= arc.to || arc.to >= n_nodes) {
      throw data_error("Arc " + std::to_string(i + 1) + " of a lattice goes from node " + std::to_string(arc.from) +
                       " to " + std::to_string(arc.to) + "; it must lead forward, to a node below " +
                       std::to_string(n_nodes) + ".");
    }
    if (i > 0 && arcs[i - 1].from > arc.from) {
      throw data_error("Arc " + std::to_string(i + 1) +
                       " of a lattice comes from an earlier node than the one before. Sort the arcs.");
    }
    if (reached[arc.from]) reached[arc.to] = true;
  }
  for (auto arc = arcs.rbegin(); arc != arcs.rend(); ++arc) {
    if (reaches[arc->to]) reaches[arc->from] = true;
  }
  for (std::size_t node = 0; node < n_nodes; ++node) {
    if (!reached[node] || !reaches[node]) {
      throw data_error("Node " + std::to_string(node) + " of a lattice lies on no way from the beginning to the end.");
    }
  }
}

void Constraints::check(std::size_t n_given, std::size_t n_words) const {
  if (lattice) lattice->check();
  const std::size_t n = lattice ? lattice->n_nodes - 1U : n_words;
  for (const Given& each : given) {
    const std::string where = shown(each.span);
    if (each.span.begin >= each.span.end || each.span.end > n) {
      throw data_error("A given translation has the source span " + where + "; the sentence has " + std::to_string(n) +
                       " words.");
    }
    if (each.values.size() > n_given) {
      throw data_error("The given translation of " + where + " has " + std::to_string(each.values.size()) +
                       " feature values; the engine has " + std::to_string(n_given) + " given features.");
    }
  }
  // Two exclusive spans may be the same (alternatives), but one cannot cut another.
  for (const Given& a : given) {
    for (const Given& b : given) {
      if (!a.exclusive || !b.exclusive || a.span == b.span) continue;
      if (a.span.begin < b.span.end && b.span.begin < a.span.end) {
        throw data_error("The exclusive spans " + shown(a.span) + " and " + shown(b.span) +
                         " overlap. Give their words once.");
      }
    }
  }
  if (!std::ranges::is_sorted(walls)) throw data_error("Walls must come in the order of the sentence.");
  if (target && !target->next.empty() && !target->prefix) {
    throw data_error("Only a prefix can end in a word that is begun; a whole target is exactly its words.");
  }
}

}  // namespace dragoman::phrase
