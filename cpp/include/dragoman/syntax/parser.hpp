#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/syntax/tagger.hpp"
#include "dragoman/syntax/transitions.hpp"
#include "dragoman/syntax/weights.hpp"

namespace dragoman::syntax {

/// The tags that a parser looks at, one for each token.
struct Tags {
  std::span<const Label> upos;
  std::span<const Label> feats;
};

inline constexpr std::size_t kMostAttributes = 8;

/// What sets of morphological features say: (n_feats, n_attributes), a value from 1 on, or 0 where they do not say.
struct Morphology {
  std::vector<std::uint8_t> table;
  std::size_t n_attributes = 0;  // at most kMostAttributes

  /// Throws data_error if the table cannot be such a one.
  void check() const;
  std::size_t n_feats() const noexcept { return n_attributes == 0 ? 0 : table.size() / n_attributes; }
};

/// Trees of tokens: a head (0 is the root, else the word's place in its line from 1 on) and a relation for each.
struct Trees {
  std::span<std::int32_t> heads;
  std::span<Label> relations;
  /// How far the steps that a word's head hung on were ahead of other steps, the narrowest of them; infinite if none
  /// had an alternative.
  std::span<float> margins;
};

/// A dependency parser that decides once for each step and never looks back: linear in the line.
class ArcModel {
 public:
  /// Classes of the weights: shift, then left arcs by relation, then right arcs. `root` is the relation of the one word
  /// that hangs on the root, and of no other. Throws data_error if the weights have another number of classes.
  ArcModel(Weights weights, Morphology morphology, std::size_t n_relations, Label root);

  std::size_t n_relations() const noexcept { return n_relations_; }
  void parse(const TokenLooks& lines, const Tags& tags, const Trees& trees, unsigned n_threads) const;

 private:
  Weights weights_;
  Morphology morphology_;
  std::size_t n_relations_;
  Label root_;
};

struct ArcOptions {
  LearnOptions learn;
  double explore = 0.9;  // how often, from the second epoch on, a wrong step is followed to learn what to do behind it
};

/// Learn from projective trees, by averaged perceptron and a dynamic oracle.
SparseWeights learn_arcs(const TokenLooks& lines, const Tags& tags, const Morphology& morphology,
                         std::span<const std::int32_t> heads, std::span<const Label> relations, std::size_t n_relations,
                         Label root, const ArcOptions& options);

}  // namespace dragoman::syntax
