#pragma once

#include "dragoman/grammar/ghkm.hpp"
#include "dragoman/grammar/score.hpp"

namespace dragoman::grammar {

/// The trees of one side of a bitext: those of sentence i are the nodes [offsets[i], offsets[i + 1]), which may be
/// none.
struct Trees {
  std::span<const TreeNode> nodes;
  std::span<const std::int64_t> offsets;
  bool of_source = false;
};

struct TreeExtractOptions {
  TreeRuleOptions rules;
  unsigned phrases = 7;           // words of phrase pairs that are rules of the default label, on either side; 0: none
  bool phrases_of_trees = false;  // also of sentences that have a tree; else only of those without
};

struct TreeStatistics {
  RuleStatistics rules;
  std::uint64_t n_trees = 0;
  std::uint64_t n_nodes = 0;
  std::uint64_t n_frontier = 0;  // nodes at which rules begin
  std::uint64_t n_cut = 0;       // nodes with more fragments than are looked at
};

/// The rules that trees and alignment give (`TreeRules`), labelled by nodes on the side of the trees and by the default
/// on the other, scored and written. Rules of more than 255 words, those of gaps included, are left out.
TreeStatistics extract_trees(const AlignedBitext& bitext, const Symbols& symbols, const Trees& trees,
                             const TreeExtractOptions& options, const TestText& test, const ScoreOptions& scoring,
                             const std::function<void(std::string_view)>& write);

}  // namespace dragoman::grammar
