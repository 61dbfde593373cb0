#include "dragoman/graph/hypergraph.hpp"

#include <algorithm>
#include <string>

#include "dragoman/core/errors.hpp"
#include "joined.hpp"

namespace dragoman::graph {

bool Hypergraph::has_gaps(std::uint32_t phrase) const noexcept { return std::ranges::any_of(words_of(phrase), is_gap); }

void Hypergraph::reweigh(std::span<const float> weights) {
  if (weights.size() != n_features_ || n_features_ == 0) {
    throw data_error("The hypergraph has " + std::to_string(n_features_) + " features for each arc, got " +
                     std::to_string(weights.size()) + " weights.");
  }
  for (std::size_t i = 0; i < arcs_.size(); ++i) {
    double sum = 0;
    for (std::size_t f = 0; f < n_features_; ++f) {
      sum += static_cast<double>(weights[f]) * static_cast<double>(features_[i * n_features_ + f]);
    }
    arcs_[i].score = static_cast<float>(sum);
  }
}

HypergraphBuilder::HypergraphBuilder(std::size_t n_source, std::size_t n_features) {
  graph_.n_source_ = n_source;
  graph_.n_features_ = n_features;
  graph_.arc_offsets_.push_back(0);
}

std::uint32_t HypergraphBuilder::add_phrase(std::uint32_t begin, std::uint32_t end, std::span<const TokenId> words,
                                            std::span<const Link> links) {
  if (!graph_.is_many_tailed_ && std::ranges::any_of(words, is_gap)) give_many_tails();
  graph_.phrases_.push_back(
      {begin, end, static_cast<std::uint32_t>(graph_.words_.size()), static_cast<std::uint32_t>(graph_.links_.size())});
  graph_.words_.insert(graph_.words_.end(), words.begin(), words.end());
  graph_.links_.insert(graph_.links_.end(), links.begin(), links.end());
  return static_cast<std::uint32_t>(graph_.phrases_.size() - 1);
}

std::uint32_t HypergraphBuilder::add_node() {
  graph_.arc_offsets_.push_back(static_cast<std::uint32_t>(graph_.arcs_.size()));
  return static_cast<std::uint32_t>(graph_.arc_offsets_.size() - 1);
}

void HypergraphBuilder::give_many_tails() {
  graph_.is_many_tailed_ = true;
  for (auto& arc : graph_.arcs_) {
    const std::uint32_t tail = arc.tail;
    arc.tail = static_cast<std::uint32_t>(graph_.tails_.size());
    if (tail != 0) graph_.tails_.push_back(tail);
  }
}

void HypergraphBuilder::add_arc(std::span<const std::uint32_t> tails, std::uint32_t phrase, float score,
                                std::span<const float> features) {
  const auto to = static_cast<std::uint32_t>(graph_.arc_offsets_.size() - 1);
  if (tails.size() > 1 && !graph_.is_many_tailed_) give_many_tails();
  std::uint32_t tail = tails.empty() ? 0 : tails[0];
  if (graph_.is_many_tailed_) {
    tail = static_cast<std::uint32_t>(graph_.tails_.size());
    for (const auto each : tails) {
      if (each != 0) graph_.tails_.push_back(each);
    }
  }
  graph_.arcs_.push_back({tail, to, phrase, score});
  graph_.features_.insert(graph_.features_.end(), features.begin(), features.end());
}

Hypergraph HypergraphBuilder::finish() {
  if (graph_.arc_offsets_.size() == 1) {
    graph_.arc_offsets_.clear();
  } else {
    graph_.arc_offsets_.push_back(static_cast<std::uint32_t>(graph_.arcs_.size()));
  }
  add_phrase(0, 0, {});  // the end of the last one
  graph_.check();
  return std::move(graph_);
}

std::vector<TokenId> words_of(const Hypergraph& graph, const Path& path) {
  return joined<TokenId>(graph, path,
                         [&](std::uint32_t phrase, std::size_t place) { return graph.words_of(phrase)[place]; });
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> links_of(const Hypergraph& graph, const Path& path) {
  using Place = std::pair<std::uint32_t, std::size_t>;  // a phrase, and the place of a word in it
  const auto places =
      joined<Place>(graph, path, [](std::uint32_t phrase, std::size_t place) { return Place(phrase, place); });
  std::vector<std::pair<std::uint32_t, std::uint32_t>> links;
  for (std::uint32_t at = 0; at < places.size(); ++at) {
    const auto& [phrase, place] = places[at];
    for (const Link& each : graph.links_of(phrase)) {
      if (each.target == place) links.emplace_back(graph.phrases()[phrase].begin + each.source, at);
    }
  }
  return links;
}

std::vector<bool> inner_nodes(const Hypergraph& graph) {
  std::vector<bool> inner(graph.n_nodes(), false);
  if (!graph.is_many_tailed()) return inner;
  for (std::size_t arc = graph.arcs().size(); arc-- > 0;) {
    bool behind = inner[graph.arcs()[arc].to];
    graph.tell(
        arc,
        [&](std::size_t k) {
          if (behind) inner[graph.tails(arc)[k]] = true;
          behind = true;
        },
        [&](TokenId) { behind = true; });
  }
  return inner;
}

}  // namespace dragoman::graph
