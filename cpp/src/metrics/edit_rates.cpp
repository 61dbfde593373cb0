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
  // costs_[i]: cheapest way to have covered the reference so far and to stand before word i of the hypothesis.
  // Before the first word of the reference, any place is one jump away.
  costs_.assign(hyp.size() + 1, 1);
  costs_[0] = 0;
  for (const TokenId word : ref_) {
    std::int64_t diagonal = costs_[0];
    costs_[0] += 1;
    std::int64_t lowest = costs_[0];
    for (std::size_t i = 1; i <= hyp.size(); ++i) {
      const std::int64_t inserted = costs_[i] + 1;
      const std::int64_t replaced = diagonal + (hyp[i - 1] != word);
      diagonal = costs_[i];
      costs_[i] = std::min({inserted, replaced, costs_[i - 1] + 1});
      lowest = std::min(lowest, costs_[i]);
    }
    for (auto& cost : costs_) cost = std::min(cost, lowest + 1);
  }
  row[0] = static_cast<double>(costs_.back());
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
