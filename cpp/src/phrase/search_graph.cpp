#include "dragoman/phrase/search_graph.hpp"

#include <algorithm>
#include <unordered_map>

#include "coverage.hpp"

namespace dragoman::phrase {

namespace {

using graph::Hypergraph;
using graph::HypergraphBuilder;

/// Partial translations that lie on a way to the end, in an order in which steps lead forward.
std::vector<const Hypothesis*> live_hypotheses(const Search& search) {
  std::vector<const Hypothesis*> nodes, open;
  std::unordered_map<const Hypothesis*, bool> reached;
  const auto reach = [&](const Hypothesis* node) {
    if (reached.emplace(node, true).second) {
      nodes.push_back(node);
      open.push_back(node);
    }
  };
  for (const Hypothesis* complete : search.complete()) reach(complete);
  while (!open.empty()) {
    const Hypothesis* const node = open.back();
    open.pop_back();
    for (const Hypothesis* each = node; each != nullptr; each = each->worse) {
      if (each->before) reach(each->before);
    }
  }
  std::ranges::sort(nodes, [](const Hypothesis* a, const Hypothesis* b) {
    const auto x = a->coverage->n_covered, y = b->coverage->n_covered;
    return x != y ? x < y : a->number < b->number;
  });
  return nodes;
}

/// The features of steps, sparse ones as their weighted sum.
class StepFeatures {
 public:
  StepFeatures(const Search& search, std::size_t n_features) : search_(search), n_features_(n_features) {}

  std::span<const float> step(const Hypothesis& hypothesis) {
    const auto values = explained(hypothesis, false);
    row_.assign(values.begin(), values.end());
    return row_;
  }
  /// The end alone: the step with it, less the step without.
  std::span<const float> end(const Hypothesis& hypothesis) {
    const auto with = explained(hypothesis, true), without = explained(hypothesis, false);
    row_.clear();
    for (std::size_t f = 0; f < n_features_; ++f) row_.push_back(static_cast<float>(with[f] - without[f]));
    return row_;
  }

 private:
  std::vector<double> explained(const Hypothesis& hypothesis, bool last) {
    std::vector<double> values(n_features_, 0.0);
    if (n_features_ == 0) return values;
    sparse_.clear();
    search_.explain(hypothesis, last, std::span(values).first(search_.engine().n_features()), &sparse_);
    for (const SparseValue& each : sparse_) {
      values.back() += static_cast<double>(search_.sparse_weight(each.key)) * static_cast<double>(each.value);
    }
    return values;
  }

  const Search& search_;
  std::size_t n_features_;
  std::vector<float> row_;
  std::vector<SparseValue> sparse_;
};

}  // namespace

SearchGraph search_graph(const Search& search, bool with_features) {
  const Engine& engine = search.engine();
  const std::size_t n_features = with_features ? engine.n_features() + (engine.is_sparse() ? 1 : 0) : 0;
  HypergraphBuilder builder(search.options().length(), n_features);
  StepFeatures features(search, n_features);
  SearchGraph made;
  std::unordered_map<const Option*, std::uint32_t> phrases;
  const auto phrase_of = [&](const Option* option) {
    const auto [place, is_new] = phrases.try_emplace(option, 0);
    if (is_new) {
      const auto& translation = option->translation;
      place->second = builder.add_phrase(option->span.begin, option->span.end, translation.words, translation.links);
      made.options.push_back(option);
    }
    return place->second;
  };
  std::unordered_map<const Hypothesis*, float> ends;
  for (std::size_t i = 0; i < search.complete().size(); ++i) ends[search.complete()[i]] = search.ends()[i];

  const auto nodes = live_hypotheses(search);
  std::unordered_map<const Hypothesis*, std::uint32_t> numbers;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    numbers[nodes[i]] = i == 0 ? 0 : builder.add_node();
    const auto end = ends.find(nodes[i]);
    const float less = end == ends.end() ? 0.0F : end->second;
    for (const Hypothesis* each = nodes[i]; each != nullptr && each->before; each = each->worse) {
      builder.add_arc({&numbers[each->before], 1}, phrase_of(each->option), each->score - less - each->before->score,
                      features.step(*each));
    }
  }
  if (!nodes.empty()) builder.add_node();
  for (std::size_t i = 0; i < search.complete().size(); ++i) {
    const Hypothesis* const node = search.complete()[i];
    builder.add_arc({&numbers[node], 1}, Hypergraph::kNoPhrase, search.ends()[i], features.end(*node));
  }
  made.graph = builder.finish();
  return made;
}

}  // namespace dragoman::phrase
