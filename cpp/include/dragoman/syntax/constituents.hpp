#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/syntax/kbest_trees.hpp"

namespace dragoman::syntax {

struct ParseLimits {
  std::size_t n_best = 1;
  double least_share = 0;  ///< trees less likely than this share of the best are not listed
  double threshold =
      1e-5;          ///< symbols less likely than this in the coarse chart are not tried in the fine one; 0: all are
  double beam = 14;  ///< in natural logarithms, within a cell of the fine chart
  std::size_t longest = 100;  ///< longer sentences are parsed in pieces of so many words
};

struct Parsed {
  std::vector<FlatTree> trees;  ///< best first; a single one, glued from parts, if `is_failed`
  double log_sentence = 0;      ///< log-probability of all trees, or of the parts
  bool is_failed = false;
};

/// Parse sentences one by one, keeping scratch space between them. Never throws for what a sentence is like.
class ConstituentParser {
 public:
  ConstituentParser(const Grammar& grammar, ParseLimits limits) : grammar_(grammar), limits_(limits) {}

  Parsed parse(std::span<const std::int32_t> rows);

 private:
  bool fill(std::span<const std::int32_t> rows);
  void glue(std::span<const std::int32_t> rows, std::size_t shift, Parsed& parsed);

  const Grammar& grammar_;
  const ParseLimits limits_;
  CoarseChart coarse_;
  FineChart fine_;
};

/// Parse a batch; sentence s has the rows [offsets[s], offsets[s + 1]). Throws data_error for a row that is none.
std::vector<Parsed> parse_constituents(const Grammar& grammar, const ParseLimits& limits,
                                       std::span<const std::int32_t> rows, std::span<const std::int64_t> offsets,
                                       unsigned n_threads);

}  // namespace dragoman::syntax
