#pragma once

#include "dragoman/chart/rule_table.hpp"
#include "dragoman/core/file_header.hpp"

namespace dragoman::chart {

inline constexpr FileKind kRuleTable{"DragRul\n", 1, "rule table",
                                     "this is no rule table of Dragoman's. Make one with: dragoman smt grammar pack."};

/// A table file: this header, then the arrays in the order of their numbers, each beginning at a multiple of eight.
struct RuleTable::Header {
  char magic[8];
  std::uint32_t byte_order;
  std::uint32_t version;
  std::uint64_t file_size;
  std::uint64_t n_scores, n_sources, n_target_words, n_source_labels, n_target_labels;
  std::uint64_t sizes[kArrays];  // bytes of each array, without what fills it up to eight
  std::uint64_t header_hash;     // of all before it
};

}  // namespace dragoman::chart
