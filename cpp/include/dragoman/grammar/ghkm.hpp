#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/phrase/extract.hpp"

namespace dragoman::grammar {

/// A node of a tree over the words [begin, end) of a sentence. Nodes stand in pre-order, a parent before its children;
/// a word that no child covers is a leaf of the node itself.
struct TreeNode {
  std::int32_t label;
  std::int32_t parent;  // −1: the root, which comes first
  std::int32_t begin, end;
};

/// Which rules are cut out of trees. 0 where a limit is not wanted.
struct TreeRuleOptions {
  unsigned depth = 3;     // steps from a composed fragment's root to its deepest node; words are none
  unsigned nodes = 15;    // of a composed fragment; words are none
  unsigned size = 3;      // nodes of a composed fragment that have children in it and are no parts of speech
  unsigned gaps = 0;      // of any rule
  unsigned symbols = 12;  // of any rule's source side; its target side may have twice as many
  unsigned scope = 3;     // of the source side
  bool unary = false;     // rules whose source side is one gap
  bool lexical = true;    // rules without gaps
  unsigned most = 5000;   // fragments of a node that are looked at
};

/// A stretch of both sentences: [tree_begin, tree_end) of the side that has a tree, [begin, end) of the other.
struct NodeSpan {
  std::int32_t label;
  std::uint16_t tree_begin, tree_end, begin, end;
};

/// A rule where it was met: its whole and its gaps, in the order of the side that has a tree.
struct TreeRule {
  NodeSpan whole;
  std::span<const NodeSpan> gaps;
  std::int64_t log_p;  // sum over the nodes that it takes apart
};

/// A stretch of one sentence, [begin, end).
struct Stretch {
  std::uint16_t begin, end;
};

/// Ambiguity of a source side that is matched against a sentence (Hopkins & Langmead, EMNLP 2010): gaps that begin
/// where another ends, or at either end of the whole. Gaps are given from left to right.
unsigned scope(Stretch whole, std::span<const Stretch> gaps);

/// The rules of one sentence pair whose one side has a tree (Galley et al., NAACL 2004; Williams & Koehn, WMT 2012).
///
/// A node is a frontier node if words are aligned to it and nothing between the first and the last of them is aligned
/// to words outside of it. Rules begin at frontier nodes and go down to frontier nodes, which become gaps, or to words.
/// A minimal rule stops at the first ones, a composed rule further down. Words of the other side that are aligned to
/// nothing belong to the lowest node above both aligned neighbours, which is to say: to every rule that covers them and
/// has no gap there; those before the first or behind the last aligned word belong to the rules of the root.
class TreeRules {
 public:
  explicit TreeRules(const TreeRuleOptions& options) : options_(options) {}

  /// A sentence pair; points are (place in the side with the tree, place in the other). `tree_is_source`: the scope is
  /// that of the side with the tree. `log_p` has a whole number for each node that says how probable its children are,
  /// or nothing. Throws data_error for nodes that are no tree.
  void set(std::span<const TreeNode> nodes, std::span<const phrase::Point> points, std::size_t n_tree_words,
           std::size_t n_words, bool tree_is_source, std::span<const std::int64_t> log_p = {});

  bool is_frontier(std::size_t node) const noexcept { return frontier_[node]; }

  /// Call `use(const TreeRule&)` for every rule, minimal ones of a node first.
  template <class Use>
  void for_each(const Use& use) {
    for (std::size_t node = 0; node < nodes_.size(); ++node) {
      if (!frontier_[node]) continue;
      for (const Fragment& fragment : fragments_[node]) {
        if (keeps(node, fragment)) use(TreeRule{span_of(node), gaps_, fragment.log_p});
      }
    }
  }

  /// Nodes of this sentence with more fragments than are looked at.
  std::uint64_t n_cut() const noexcept { return n_cut_; }

 private:
  struct Fragment {
    std::vector<std::uint16_t> gaps;  // nodes
    std::uint16_t depth = 0, nodes = 0, size = 0, words = 0;
    std::int64_t log_p = 0;
  };

  void check() const;
  void find_children();
  void find_frontier(std::span<const phrase::Point> points);
  void find_fragments(std::size_t node);
  bool is_chain(std::size_t node) const noexcept;
  unsigned symbols(bool of_source) const noexcept { return of_source ? options_.symbols : 2 * options_.symbols; }
  bool is_within(const Fragment& fragment) const noexcept;
  std::vector<Fragment> choices(std::size_t child, bool in_chain) const;
  bool extend(std::vector<Fragment>& parts, const std::vector<Fragment>& choices) const;
  NodeSpan span_of(std::size_t node) const noexcept;
  bool keeps(std::size_t node, const Fragment& fragment);
  unsigned source_scope(const NodeSpan& whole);

  TreeRuleOptions options_;
  std::span<const TreeNode> nodes_;
  std::span<const std::int64_t> log_p_;
  std::size_t n_tree_words_ = 0, n_words_ = 0;
  bool tree_is_source_ = false;
  std::vector<std::vector<std::uint16_t>> children_;
  std::vector<std::uint16_t> bare_;           // words of each node that no child covers
  std::vector<std::uint16_t> begins_, ends_;  // of the words aligned to each node
  std::vector<bool> frontier_;
  std::vector<std::vector<Fragment>> fragments_;
  std::vector<NodeSpan> gaps_;
  std::vector<Stretch> source_gaps_;
  std::uint64_t n_cut_ = 0;
};

}  // namespace dragoman::grammar
