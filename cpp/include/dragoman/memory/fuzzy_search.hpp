#pragma once

#include <cstdint>
#include <vector>

#include "dragoman/edit/levenshtein.hpp"
#include "dragoman/memory/index.hpp"

namespace dragoman::memory {

/// Finds the units that resemble a query most. One object per thread: it keeps its working space from query to query.
///
/// What a unit and a query share, tokens counted regardless of order, bounds their score from above and is counted for
/// all units at once. Distances are computed from the highest bound down, until none can reach the best that were
/// found.
class FuzzySearch {
 public:
  explicit FuzzySearch(const Index& index) : index_(index) {}

  std::vector<Match> matches(const Query& query, std::size_t most, double threshold);

 private:
  struct Candidate {
    double score;
    Slot unit;
  };
  static constexpr std::size_t kSteps = 64;  // of bounds, between 0 and 1
  static constexpr std::size_t kShort = 64;  // tokens of a query whose places fit into a word

  double bar() const noexcept { return best_.size() < most_ ? threshold_ : best_.back().score; }
  void propose(Slot unit, double score);
  void look_for_same_words(const Query& query);
  bool same_words(Slot unit) const noexcept;
  void count_shared();
  double bound(Slot unit) const noexcept;
  void sort_by_bound();
  void collect();
  void set_masks(bool noted);
  int distance(std::span<const TokenId> tokens);

  const Index& index_;
  Tokens query_;
  std::uint64_t key_ = 0;
  std::size_t most_ = 0;
  double threshold_ = 0;
  std::vector<Candidate> best_;              // best first, targets all different
  std::vector<std::uint16_t> shared_;        // by unit
  std::vector<std::vector<Slot>> by_bound_;  // units whose bound falls into a step
  std::vector<std::uint64_t> masks_;         // by token: its places in the query
  edit::Levenshtein long_;                   // for queries of more than 64 tokens
};

}  // namespace dragoman::memory
