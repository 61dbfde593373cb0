#include <algorithm>
#include <cmath>
#include <functional>

#include "dragoman/phrase/hypergraph.hpp"

namespace dragoman::phrase {

Hypergraph Hypergraph::pruned(std::size_t most_arcs) const {
  if (arcs_.size() <= most_arcs || arcs_.empty()) return *this;
  // An arc is as good as the best way through it. Every arc of that way is at least as good, so that whatever is above
  // a threshold holds together.
  const auto before = best_before(*this), behind = best_behind(*this);
  std::vector<double> through;
  through.reserve(arcs_.size());
  for (const Arc& arc : arcs_) through.push_back(before[arc.from] + arc.score + behind[arc.to]);
  std::vector<double> ranked = through;
  const auto last = ranked.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(1, most_arcs)) - 1;
  std::nth_element(ranked.begin(), last, ranked.end(), std::greater());
  // Sums of the same numbers in another order differ by rounding, and the best way must stay.
  const double best = before.back(), slack = 1e-5 * (1 + std::abs(best));
  const double threshold = std::min(*last, best) - slack;

  std::vector<std::uint32_t> nodes(n_nodes(), kNoPhrase), phrases(n_phrases(), kNoPhrase);
  nodes.front() = 0;
  for (std::size_t i = 0; i < arcs_.size(); ++i) {
    if (through[i] >= threshold) nodes[arcs_[i].to] = 0;
  }
  std::uint32_t n = 0;
  for (auto& number : nodes) {
    if (number != kNoPhrase) number = n++;
  }
  Hypergraph graph;
  graph.n_source_ = n_source_;
  graph.n_features_ = n_features_;
  for (std::size_t node = 0; node < n_nodes(); ++node) {
    if (nodes[node] == kNoPhrase) continue;
    graph.arc_offsets_.push_back(static_cast<std::uint32_t>(graph.arcs_.size()));
    for (std::size_t i = arc_offsets_[node]; i < arc_offsets_[node + 1]; ++i) {
      const Arc& arc = arcs_[i];
      if (through[i] < threshold || nodes[arc.from] == kNoPhrase) continue;
      std::uint32_t phrase = kNoPhrase;
      if (arc.phrase != kNoPhrase) {
        if (phrases[arc.phrase] == kNoPhrase) {
          phrases[arc.phrase] = static_cast<std::uint32_t>(graph.phrases_.size());
          graph.phrases_.push_back({phrases_[arc.phrase].begin, phrases_[arc.phrase].end,
                                    static_cast<std::uint32_t>(graph.words_.size()),
                                    static_cast<std::uint32_t>(graph.links_.size())});
          const auto words = words_of(arc.phrase);
          graph.words_.insert(graph.words_.end(), words.begin(), words.end());
          const auto links = links_of(arc.phrase);
          graph.links_.insert(graph.links_.end(), links.begin(), links.end());
        }
        phrase = phrases[arc.phrase];
      }
      graph.arcs_.push_back({nodes[arc.from], nodes[node], phrase, arc.score});
      const auto row = features_.begin() + static_cast<std::ptrdiff_t>(i * n_features_);
      graph.features_.insert(graph.features_.end(), row, row + static_cast<std::ptrdiff_t>(n_features_));
    }
  }
  graph.arc_offsets_.push_back(static_cast<std::uint32_t>(graph.arcs_.size()));
  graph.phrases_.push_back({0, 0, static_cast<std::uint32_t>(graph.words_.size()),
                            static_cast<std::uint32_t>(graph.links_.size())});
  return graph;
}

}  // namespace dragoman::phrase
