#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dragoman::tree {

/// Which parts of trees are counted.
enum class Parts {
  subset,   ///< whole productions, cut anywhere between them (SST; Collins & Duffy 2002)
  partial,  ///< any children in their order, gaps allowed (PTK; Moschitti 2006)
};

struct Decay {
  double width = 0.4;  ///< λ: of the parts' size, and of gaps between children
  double depth = 0.4;  ///< μ: of the parts' depth; partial trees only
};

/// Ordered trees with labelled nodes. A node comes before its children, children in their order.
class Forest {
 public:
  /// `parents` count from the beginning of the tree, −1 is its root; tree t has the nodes [offsets[t], offsets[t + 1]).
  Forest(std::span<const std::int32_t> labels, std::span<const std::int32_t> parents,
         std::span<const std::int64_t> offsets);

  std::size_t size() const { return offsets_.size() - 1; }

  /// K(row, column) of all pairs, row by row. Normalised: K(a, b) / √(K(a, a) K(b, b)); a tree without nodes has 0.
  std::vector<double> gram(Parts parts, Decay decay, bool normalised, std::span<const std::int64_t> rows,
                           std::span<const std::int64_t> columns, unsigned n_threads) const;

 private:
  friend class Counting;

  /// The nodes of each tree by a key, and the rank of each among those with the same key.
  struct Index {
    std::vector<std::int32_t> order, rank;
  };
  Index index(std::span<const std::int32_t> keys) const;

  std::vector<std::int64_t> offsets_;
  std::vector<std::int32_t> labels_;
  std::vector<std::int32_t> productions_;  ///< equal for nodes with equal labels and equal labels of children; −1: leaf
  std::vector<std::int64_t> child_begin_;  ///< children of node n: children_[child_begin_[n], child_begin_[n + 1])
  std::vector<std::int32_t> children_;     ///< counted from the beginning of the tree
  Index by_label_, by_production_;
};

}  // namespace dragoman::tree
