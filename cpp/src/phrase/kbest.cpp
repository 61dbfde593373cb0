#include "dragoman/phrase/kbest.hpp"

#include <algorithm>

namespace dragoman::phrase {

namespace {

bool worse(const auto& a, const auto& b) {
  if (a.score != b.score) return a.score < b.score;
  if (a.hypothesis->number != b.hypothesis->number) return a.hypothesis->number > b.hypothesis->number;
  return a.rank > b.rank;
}

}  // namespace

KBest::KBest(const Search& search) {
  for (const Hypothesis* complete : search.complete()) {
    for (const Hypothesis* each = complete; each != nullptr; each = each->worse) push(end_, each, 0);
  }
  end_.open = true;
}

void KBest::push(Node& node, const Hypothesis* hypothesis, std::size_t rank) {
  float score = hypothesis->score;
  if (rank > 0) {
    // A later way to what lies before it, with the same last step.
    const Way* const before = way(hypothesis->before, rank);
    if (before == nullptr) return;
    score += before->score - hypothesis->before->score;
  }
  node.candidates.push_back({hypothesis, rank, score});
  std::push_heap(node.candidates.begin(), node.candidates.end(), worse<Way, Way>);
}

bool KBest::extend(Node& node) {
  if (node.candidates.empty()) return false;
  std::pop_heap(node.candidates.begin(), node.candidates.end(), worse<Way, Way>);
  const Way best = node.candidates.back();
  node.candidates.pop_back();
  node.found.push_back(best);
  if (best.hypothesis->before != nullptr) push(node, best.hypothesis, best.rank + 1);
  return true;
}

const KBest::Way* KBest::way(const Hypothesis* hypothesis, std::size_t rank) {
  Node& node = nodes_[hypothesis];
  if (!node.open) {
    node.open = true;
    for (const Hypothesis* each = hypothesis; each != nullptr; each = each->worse) push(node, each, 0);
  }
  while (node.found.size() <= rank) {
    if (!extend(node)) return nullptr;
  }
  return &node.found[rank];
}

bool KBest::next(Path& path) {
  if (!extend(end_)) return false;
  Way at = end_.found.back();
  path.score = at.score;
  path.steps.clear();
  while (at.hypothesis->option != nullptr) {
    path.steps.push_back(at.hypothesis->option);
    at = *way(at.hypothesis->before, at.rank);
  }
  std::reverse(path.steps.begin(), path.steps.end());
  return true;
}

}  // namespace dragoman::phrase
