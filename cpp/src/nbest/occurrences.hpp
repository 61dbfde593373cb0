#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "dragoman/nbest/lists.hpp"

namespace dragoman::nbest {

/// Where the words of one sequence stand in others, which come one at a time. Other words cost one look-up each.
class Occurrences {
 public:
  void start(Ids words) {
    types_.clear();
    type_of_.clear();
    for (const auto word : words) {
      const auto next = static_cast<std::int32_t>(types_.size());
      type_of_.push_back(types_.try_emplace(word, next).first->second);
    }
    heads_.assign(types_.size(), -1);
  }

  void find(Ids other) {
    std::ranges::fill(heads_, -1);
    next_.resize(other.size());
    // From right to left: chains then go from left to right.
    for (std::size_t j = other.size(); j-- > 0;) {
      const auto found = types_.find(other[j]);
      if (found == types_.end()) continue;
      auto& head = heads_[static_cast<std::size_t>(found->second)];
      next_[j] = head;
      head = static_cast<std::int32_t>(j);
    }
  }

  /// The first place of word `i` in the other sequence, and the place behind `j` of the same word; -1: none.
  std::int32_t first(std::size_t i) const { return heads_[static_cast<std::size_t>(type_of_[i])]; }
  std::int32_t next(std::int32_t j) const { return next_[static_cast<std::size_t>(j)]; }

 private:
  std::unordered_map<std::int32_t, std::int32_t> types_;
  std::vector<std::int32_t> type_of_, heads_, next_;
};

}  // namespace dragoman::nbest
