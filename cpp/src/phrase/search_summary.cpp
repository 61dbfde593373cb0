#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "dragoman/phrase/search.hpp"
#include "running.hpp"
#include "search_parts.hpp"

namespace dragoman::phrase {

SearchSummary Search::summary() const {
  SearchSummary found;
  const std::size_t n = options_.length();
  for (std::size_t covered = 0; covered <= options_.steps(0, n); ++covered)
    found.n_nodes += stacks_[covered].hypotheses.size();
  found.n_options = options_.size();
  for (std::size_t begin = 0; begin < n; ++begin) {
    for (std::size_t end = begin + 1; end <= std::min(n, begin + options_.longest()); ++end) {
      found.option_words += (end - begin) * options_.at(begin, end).size();
    }
  }
  std::unordered_map<const Hypothesis*, float> ends;
  for (std::size_t i = 0; i < complete_.size(); ++i) ends[complete_[i]] = ends_[i];
  std::vector<const Hypothesis*> open(complete_.begin(), complete_.end());
  std::unordered_set<const Hypothesis*> reached(open.begin(), open.end());
  const std::size_t n_features = engine_->n_features();
  std::vector<Running> running(n_features + 2);
  std::vector<double> values;
  while (!open.empty()) {
    const Hypothesis* const node = open.back();
    open.pop_back();
    const auto end = ends.find(node);
    const float less = end == ends.end() ? 0.0F : end->second;
    for (const Hypothesis* each = node; each != nullptr && each->before; each = each->worse) {
      ++found.n_arcs;
      values.assign(n_features, 0.0);
      explain(*each, false, values);
      for (std::size_t f = 0; f < n_features; ++f) running[f].add(values[f]);
      running[n_features].add(static_cast<double>(each->score - less - each->before->score));
      running[n_features + 1].add(static_cast<double>(each->coverage->future));
      if (reached.insert(each->before).second) open.push_back(each->before);
    }
  }
  found.n_dead = found.n_nodes - std::min<std::uint64_t>(found.n_nodes, reached.size());
  for (const Running& each : running) found.spreads.push_back(each.spread());
  return found;
}

}  // namespace dragoman::phrase
