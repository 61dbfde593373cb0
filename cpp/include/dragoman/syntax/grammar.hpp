#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dragoman::syntax {

using Symbol = std::int32_t;

/// A rule with two children; `score` is the natural logarithm of its probability.
struct Binary {
  Symbol parent, left, right;
  double score;
};

/// A rule with one child.
struct Unary {
  Symbol parent, child;
  double score;
};

/// Rules in the order in which a chart asks for them. Rules with one child are joined to chains, the best one for each
/// pair of ends: a span is first covered by a word or by two children, then at most one chain is put on top.
class Rules {
 public:
  struct Pair {
    Symbol right;
    double score, probability;
  };
  /// Rules of one parent with one left child.
  struct Group {
    Symbol parent;
    std::uint32_t begin, end;
  };
  struct Chain {
    Symbol parent;
    double score, probability;
    std::uint32_t begin, end;  ///< symbols between the ends, from the top
  };

  Rules(std::size_t n_symbols, std::vector<Binary> binary, std::span<const Unary> unary);

  std::size_t n_symbols() const { return chain_begin_.size() - 1; }
  std::span<const Group> groups(Symbol left) const {
    return {groups_.data() + group_begin_[left], groups_.data() + group_begin_[left + 1]};
  }
  std::span<const Pair> pairs(const Group& group) const {
    return {pairs_.data() + group.begin, pairs_.data() + group.end};
  }
  std::span<const Chain> chains(Symbol child) const {
    return {chains_.data() + chain_begin_[child], chains_.data() + chain_begin_[child + 1]};
  }
  std::span<const Symbol> between(const Chain& chain) const {
    return {between_.data() + chain.begin, between_.data() + chain.end};
  }

 private:
  void join_chains(std::span<const Unary> unary);

  std::vector<Pair> pairs_;
  std::vector<Group> groups_;
  std::vector<std::uint32_t> group_begin_;
  std::vector<Chain> chains_;
  std::vector<std::uint32_t> chain_begin_;
  std::vector<Symbol> between_;
};

/// What a word may be: symbols and log P(word | symbol), row by row.
struct Lexicon {
  std::vector<std::int64_t> offsets;
  std::vector<Symbol> symbols;
  std::vector<double> scores;

  std::size_t n_rows() const { return offsets.size() - 1; }
};

/// A grammar with split symbols, and the coarse one that they were split from.
struct Grammar {
  Rules fine, coarse;
  std::vector<Symbol> coarse_of;
  std::vector<double> share;      ///< P(symbol | its coarse symbol)
  std::vector<double> log_prior;  ///< logarithm of P(symbol) of a node drawn at random
  std::vector<double> coarse_prior;
  std::vector<std::int32_t> labels;  ///< what a symbol is called in a tree; −1: it is not shown
  Symbol root;
  Lexicon lexicon;

  /// Throws data_error if the parts do not fit together.
  void check() const;
};

}  // namespace dragoman::syntax
