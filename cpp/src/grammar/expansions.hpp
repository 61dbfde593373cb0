#pragma once

#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "dragoman/grammar/tree_extract.hpp"
#include "rule_instance.hpp"

namespace dragoman::grammar {

/// For each node of all trees the logarithm of p(labels of its children | its label), in parts of kLogUnit, as the
/// trees themselves have it; 0 for nodes above words alone. A word beside children counts as a child without a label.
inline std::vector<std::int64_t> expansion_logs(const Trees& trees) {
  std::vector<std::uint64_t> keys(trees.nodes.size());  // hashes of label and children; 0: no children
  for (std::size_t tree = 0; tree + 1 < trees.offsets.size(); ++tree) {
    const auto first = static_cast<std::size_t>(trees.offsets[tree]),
               last = static_cast<std::size_t>(trees.offsets[tree + 1]);
    std::vector<std::int32_t> covered(last - first);  // the words of each node before which all was seen
    for (std::size_t node = first; node < last; ++node) covered[node - first] = trees.nodes[node].begin;
    const auto add_words = [&](std::size_t node, std::int32_t until) {
      for (; covered[node - first] < until; ++covered[node - first]) keys[node] = mixed(keys[node], 1);
    };
    for (std::size_t node = first + 1; node < last; ++node) {
      const TreeNode& each = trees.nodes[node];
      if (each.parent < 0 || static_cast<std::size_t>(each.parent) >= node - first)
        continue;  // refused where rules are made
      const std::size_t parent = first + static_cast<std::size_t>(each.parent);
      if (keys[parent] == 0) keys[parent] = mixed(1, static_cast<std::uint64_t>(trees.nodes[parent].label));
      add_words(parent, each.begin);
      keys[parent] = mixed(keys[parent], static_cast<std::uint64_t>(each.label) + 2);
      covered[parent - first] = each.end;
    }
    for (std::size_t node = first; node < last; ++node) {
      if (keys[node] != 0) add_words(node, trees.nodes[node].end);
    }
  }
  std::unordered_map<std::uint64_t, std::uint64_t> counts;
  std::unordered_map<std::int32_t, std::uint64_t> totals;
  for (std::size_t node = 0; node < keys.size(); ++node) {
    if (keys[node] == 0) continue;
    ++counts[keys[node]];
    ++totals[trees.nodes[node].label];
  }
  std::vector<std::int64_t> logs(keys.size());
  for (std::size_t node = 0; node < keys.size(); ++node) {
    if (keys[node] == 0) continue;
    const double p = static_cast<double>(counts[keys[node]]) / static_cast<double>(totals[trees.nodes[node].label]);
    logs[node] = std::llround(std::log(p) * static_cast<double>(kLogUnit));
  }
  return logs;
}

}  // namespace dragoman::grammar
