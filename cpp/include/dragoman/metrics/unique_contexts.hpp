#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/metrics/batch.hpp"

namespace dragoman::metrics {

/// What tells repeated words apart (Isozaki et al. 2010): for each word of the hypothesis the shortest n-gram that
/// begins or ends with it and stands exactly once in both texts. O(n log² n) through suffix arrays, whatever repeats.
class UniqueContexts {
 public:
  struct Context {
    std::size_t length = 0;  // in words; 0: there is none
    std::size_t ref = 0;     // where the word stands in the reference
  };

  void find(Tokens hyp, Tokens ref);

  /// The context that begins with the word i of the hypothesis, and the one that ends with it.
  const Context& right(std::size_t i) const noexcept { return right_[i]; }
  const Context& left(std::size_t i) const noexcept { return left_[i]; }

 private:
  /// What a suffix of the hypothesis has in common with the other suffixes of both texts, in words.
  struct Shared {
    std::size_t hyp = 0;  // longest prefix that another suffix of the hypothesis has too
    std::size_t ref = 0;  // longest that a suffix of the reference has, and where that begins
    std::size_t ref_place = 0;
    std::size_t second_ref = 0;  // longest that another suffix of the reference has
  };
  void sort_suffixes();
  void find_beginnings(std::size_t n_hyp, std::vector<Context>& contexts);

  std::vector<Context> right_, left_;
  std::vector<Shared> shared_;
  std::vector<std::int64_t> text_;  // hypothesis and reference with a mark between them
  std::vector<std::size_t> suffixes_, rank_, next_rank_, common_;
};

}  // namespace dragoman::metrics
