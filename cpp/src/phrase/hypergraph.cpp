#include "dragoman/phrase/hypergraph.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <unordered_map>

#include "coverage.hpp"
#include "dragoman/core/errors.hpp"

namespace dragoman::phrase {

Hypergraph::Hypergraph(const Search& search, bool features)
    : n_source_(search.options().length()), n_features_(features ? search.engine().n_features() + (search.engine().is_sparse() ? 1 : 0) : 0) {
  // Only what lies on a way to the end. Arcs lead to where more words are covered.
  std::vector<const Hypothesis*> nodes, open;
  std::unordered_map<const Hypothesis*, std::uint32_t> numbers;
  const auto reach = [&](const Hypothesis* node) {
    if (numbers.emplace(node, 0).second) {
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
  for (std::size_t i = 0; i < nodes.size(); ++i) numbers[nodes[i]] = static_cast<std::uint32_t>(i);

  std::unordered_map<const Option*, std::uint32_t> phrase_numbers;
  const auto phrase_of = [&](const Option* option) {
    const auto [place, is_new] = phrase_numbers.try_emplace(option, static_cast<std::uint32_t>(options_.size()));
    if (is_new) {
      options_.push_back(option);
      phrases_.push_back({option->span.begin, option->span.end, static_cast<std::uint32_t>(words_.size()),
                          static_cast<std::uint32_t>(links_.size())});
      words_.insert(words_.end(), option->translation.words.begin(), option->translation.words.end());
      links_.insert(links_.end(), option->translation.links.begin(), option->translation.links.end());
    }
    return place->second;
  };
  std::unordered_map<const Hypothesis*, float> ends;
  for (std::size_t i = 0; i < search.complete().size(); ++i) ends[search.complete()[i]] = search.ends()[i];
  std::vector<double> values;
  std::vector<SparseValue> sparse;
  const auto explain = [&](const Hypothesis& hypothesis, bool last, std::span<double> into) {
    sparse.clear();
    search.explain(hypothesis, last, into.first(search.engine().n_features()), &sparse);
    for (const SparseValue& each : sparse) {
      into.back() += static_cast<double>(search.sparse_weight(each.key)) * static_cast<double>(each.value);
    }
  };
  const auto describe = [&](const Hypothesis& hypothesis, bool last) {
    if (n_features_ == 0) return;
    values.assign(n_features_, 0.0);
    explain(hypothesis, last, values);
    features_.insert(features_.end(), values.begin(), values.end());
  };
  for (const Hypothesis* node : nodes) {
    arc_offsets_.push_back(static_cast<std::uint32_t>(arcs_.size()));
    const auto end = ends.find(node);
    const float less = end == ends.end() ? 0.0F : end->second;
    const auto to = numbers[node];
    for (const Hypothesis* each = node; each != nullptr && each->before; each = each->worse) {
      arcs_.push_back({numbers[each->before], to, phrase_of(each->option), each->score - less - each->before->score});
      describe(*each, false);
    }
  }
  arc_offsets_.push_back(static_cast<std::uint32_t>(arcs_.size()));
  if (!nodes.empty()) {
    for (std::size_t i = 0; i < search.complete().size(); ++i) {
      const Hypothesis* const node = search.complete()[i];
      arcs_.push_back({numbers[node], static_cast<std::uint32_t>(nodes.size()), kNoPhrase, search.ends()[i]});
      if (n_features_ == 0) continue;
      // The end alone: the step with it, less the step without.
      std::vector<double> with(n_features_, 0.0), without(n_features_, 0.0);
      explain(*node, true, with);
      explain(*node, false, without);
      for (std::size_t f = 0; f < n_features_; ++f) features_.push_back(static_cast<float>(with[f] - without[f]));
    }
    arc_offsets_.push_back(static_cast<std::uint32_t>(arcs_.size()));
  } else {
    arc_offsets_.clear();
  }
  phrases_.push_back({0, 0, static_cast<std::uint32_t>(words_.size()), static_cast<std::uint32_t>(links_.size())});
}

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

std::vector<TokenId> words_of(const Hypergraph& graph, const Path& path) {
  std::vector<TokenId> all;
  for (const auto arc : path.arcs) {
    const auto words = graph.words_of(graph.arcs()[arc].phrase);
    all.insert(all.end(), words.begin(), words.end());
  }
  return all;
}

std::vector<double> best_before(const Hypergraph& graph) {
  std::vector<double> best(graph.n_nodes(), -std::numeric_limits<double>::infinity());
  if (!best.empty()) best[0] = 0;
  for (const auto& arc : graph.arcs()) best[arc.to] = std::max(best[arc.to], best[arc.from] + arc.score);
  return best;
}

std::vector<double> best_behind(const Hypergraph& graph) {
  std::vector<double> best(graph.n_nodes(), -std::numeric_limits<double>::infinity());
  if (!best.empty()) best.back() = 0;
  const auto arcs = graph.arcs();
  for (auto arc = arcs.rbegin(); arc != arcs.rend(); ++arc) {
    best[arc->from] = std::max(best[arc->from], best[arc->to] + arc->score);
  }
  return best;
}

}  // namespace dragoman::phrase
