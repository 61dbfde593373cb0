#include "dragoman/metrics/amber.hpp"

#include <algorithm>

#include "dragoman/metrics/rank_order.hpp"

namespace dragoman::metrics {

void AmberScorer::digest(std::span<const Segment> refs) {
  ref_ = refs.empty() ? Segment{} : refs[0];
  trie_.clear(ref_.size());
  trie_.add(ref_);
}

void AmberScorer::align(Segment hyp) {
  contexts_.find(hyp, ref_);
  links_.assign(hyp.size(), kNone);
  rank_.assign(ref_.size(), kNone);
  for (std::size_t i = 0; i < hyp.size(); ++i) {
    const auto& right = contexts_.right(i);
    const auto& left = contexts_.left(i);
    const bool is_right = right.length != 0 && (left.length == 0 || right.length <= left.length);
    if (!is_right && left.length == 0) continue;
    const std::size_t place = is_right ? right.ref : left.ref;
    if (rank_[place] != kNone) continue;
    rank_[place] = 0;
    links_[i] = place;
  }
  std::size_t next = 0;
  for (std::size_t& rank : rank_) {
    if (rank != kNone) rank = next++;
  }
}

void AmberScorer::score(Segment hyp, std::span<double> row) {
  std::ranges::fill(matches_, 0);
  trie_.match(hyp, [&](NgramTrie::Node, std::size_t n) { ++matches_[n - 1]; });
  std::ranges::copy(matches_, row.begin());
  align(hyp);
  ranks_.clear();
  std::size_t chunks = 0, before = kNone;
  for (const std::size_t link : links_) {
    if (link != kNone) {
      chunks += before == kNone || link != before + 1;
      ranks_.push_back(rank_[link]);
    }
    before = link;
  }
  const std::span<double> rest = row.subspan(matches_.size());
  rest[0] = static_cast<double>(ranks_.size());
  rest[1] = static_cast<double>(chunks);
  const RankOrder order = measure_order(ranks_, scratch_);
  rest[2] = order.rho;
  rest[3] = order.tau;
  rest[4] = order.v1;
  rest[5] = order.v2;
}

}  // namespace dragoman::metrics
