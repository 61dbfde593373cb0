#include "dragoman/metrics/edit_rates.hpp"

#include <algorithm>
#include <bit>

namespace dragoman::metrics {

void WerScorer::score(Segment hyp, std::span<double> row) {
  column_.start(masks_.length());
  for (const TokenId token : hyp) column_.step(masks_.positions(token));
  row[0] = static_cast<double>(column_.bottom());
  row[1] = static_cast<double>(masks_.length());
}

void PerScorer::digest(std::span<const Segment> refs) {
  const Segment ref = refs.empty() ? Segment{} : refs[0];
  ref_length_ = ref.size();
  index_.clear(ref.size());
  counts_.clear();
  for (const TokenId token : ref) {
    const std::uint32_t number = index_.add(token);
    if (number == counts_.size()) counts_.push_back(0);
    ++counts_[number];
  }
}

void PerScorer::score(Segment hyp, std::span<double> row) {
  left_ = counts_;
  std::size_t common = 0;
  for (const TokenId token : hyp) {
    const std::uint32_t number = index_.find(token);
    if (number != TokenIndex::kNone && left_[number] > 0) {
      --left_[number];
      ++common;
    }
  }
  row[0] = static_cast<double>(std::max(hyp.size(), ref_length_) - common);
  row[1] = static_cast<double>(ref_length_);
}

void CderScorer::score(Segment hyp, std::span<double> row) {
  masks_.digest(hyp);
  // Place i is before word i of the hypothesis; the last one, bit n of block n / 64, is behind all words.
  const std::size_t n_blocks = hyp.size() / 64 + 1;
  low_.assign(n_blocks, 0);
  next_.resize(n_blocks);
  low_[0] = 1;  // at the start; every other place is one jump away
  std::int64_t cost = 0;
  for (const TokenId word : ref_) {
    const std::uint64_t* const positions = masks_.positions(word);
    const auto equal = [&](std::size_t b) { return b < masks_.n_blocks() ? positions[b] : 0; };
    // From a place that costs the least over an equal word nothing is added.
    std::uint64_t any = 0, carry = 0;
    for (std::size_t b = 0; b < n_blocks; ++b) {
      const std::uint64_t over = low_[b] & equal(b);
      next_[b] = over << 1 | carry;
      carry = over >> 63;
      any |= next_[b];
    }
    if (any == 0) {
      // Else one edit: the word is inserted, or it replaces another one, or a place that costs one more has it.
      ++cost;
      carry = 0;
      for (std::size_t b = 0; b < n_blocks; ++b) {
        const std::uint64_t over = low_[b] | equal(b);
        next_[b] = low_[b] | over << 1 | carry;
        carry = over >> 63;
      }
    }
    low_.swap(next_);
  }
  const bool ends_low = (low_[hyp.size() / 64] >> hyp.size() % 64 & 1) != 0;
  row[0] = static_cast<double>(cost + !ends_low);
  row[1] = static_cast<double>(ref_.size());
}

void LcsScorer::score(Segment hyp, std::span<double> row) {
  open_.assign(masks_.n_blocks(), ~std::uint64_t{0});
  for (const TokenId token : hyp) {
    const std::uint64_t* const positions = masks_.positions(token);
    std::uint64_t carry = 0;
    for (std::size_t b = 0; b < open_.size(); ++b) {
      const std::uint64_t hits = open_[b] & positions[b];
      const std::uint64_t partial = open_[b] + hits;
      const std::uint64_t sum = partial + carry;
      carry = (partial < hits) | (sum < carry);
      open_[b] = sum | (open_[b] - hits);
    }
  }
  std::int64_t common = 0;
  for (const std::uint64_t block : open_) common += std::popcount(~block);
  row[0] = static_cast<double>(common);
  row[1] = static_cast<double>(hyp.size());
  row[2] = static_cast<double>(masks_.length());
}

}  // namespace dragoman::metrics
