#include <algorithm>
#include <cmath>
#include <functional>

#include "dragoman/graph/posteriors.hpp"
#include "inside.hpp"

namespace dragoman::graph {

Hypergraph Hypergraph::pruned(std::size_t most_arcs) const {
  if (arcs_.size() <= most_arcs || arcs_.empty()) return *this;
  // An arc is as good as the best derivation with it. Every arc of that one is at least as good, so that whatever is
  // above a threshold holds together.
  const auto inside = best_inside(*this), outside = best_outside(*this, inside);
  std::vector<double> through;
  through.reserve(arcs_.size());
  for (std::size_t i = 0; i < arcs_.size(); ++i) {
    through.push_back(sum_of_tails(*this, i, inside) + arcs_[i].score + outside[arcs_[i].to]);
  }
  std::vector<double> ranked = through;
  const auto last = ranked.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(1, most_arcs)) - 1;
  std::nth_element(ranked.begin(), last, ranked.end(), std::greater());
  // Sums of the same numbers in another order differ by rounding, and the best derivation must stay.
  const double best = inside.back(), slack = 1e-5 * (1 + std::abs(best));
  const double threshold = std::min(*last, best) - slack;

  HypergraphBuilder builder(n_source_, n_features_);
  std::vector<std::uint32_t> nodes(n_nodes(), kNoPhrase), phrases(n_phrases(), kNoPhrase), own;
  nodes.front() = 0;
  for (std::size_t node = 1; node < n_nodes(); ++node) {
    for (std::size_t i = arc_offsets_[node]; i < arc_offsets_[node + 1]; ++i) {
      const auto has_gone = [&](std::uint32_t tail) { return nodes[tail] == kNoPhrase; };
      if (through[i] < threshold || std::ranges::any_of(tails(i), has_gone)) continue;
      if (nodes[node] == kNoPhrase) nodes[node] = builder.add_node();
      std::uint32_t phrase = arcs_[i].phrase;
      if (phrase != kNoPhrase) {
        if (phrases[phrase] == kNoPhrase) {
          phrases[phrase] =
              builder.add_phrase(phrases_[phrase].begin, phrases_[phrase].end, words_of(phrase), links_of(phrase));
        }
        phrase = phrases[phrase];
      }
      own.clear();
      for (const auto tail : tails(i)) own.push_back(nodes[tail]);
      builder.add_arc(own, phrase, arcs_[i].score, features_of(i));
    }
  }
  return builder.finish();
}

}  // namespace dragoman::graph
