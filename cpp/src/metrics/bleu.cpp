#include "dragoman/metrics/bleu.hpp"

#include <algorithm>

namespace dragoman::metrics {

void BleuScorer::digest(std::span<const Segment> refs) {
  ref_lengths_.clear();
  std::size_t length = 0;
  for (const Segment ref : refs) {
    ref_lengths_.push_back(ref.size());
    length += ref.size();
  }
  trie_.clear(length);
  for (const Segment ref : refs) trie_.add(ref);
}

void BleuScorer::score(Segment hyp, std::span<double> row) {
  const auto distance = [&](std::size_t length) { return length < hyp.size() ? hyp.size() - length : length - hyp.size(); };
  const auto closest = std::ranges::min_element(ref_lengths_, [&](std::size_t a, std::size_t b) {
    return distance(a) != distance(b) ? distance(a) < distance(b) : a < b;
  });
  std::ranges::fill(matches_, 0);
  trie_.match(hyp, [&](NgramTrie::Node, std::size_t n) { ++matches_[n - 1]; });
  const std::size_t order = trie_.order();
  row[0] = static_cast<double>(hyp.size());
  row[1] = closest == ref_lengths_.end() ? 0.0 : static_cast<double>(*closest);
  for (std::size_t n = 1; n <= order; ++n) {
    row[1 + n] = static_cast<double>(matches_[n - 1]);
    row[1 + order + n] = n_grams(hyp.size(), n);
  }
}

void OverlapScorer::digest(std::span<const Segment> refs) {
  const Segment ref = refs.empty() ? Segment{} : refs[0];
  ref_length_ = ref.size();
  trie_.clear(ref.size());
  trie_.add(ref);
}

void OverlapScorer::score(Segment hyp, std::span<double> row) {
  std::int64_t matches = 0;
  trie_.match(hyp, [&](NgramTrie::Node, std::size_t n) { matches += n == trie_.order(); });
  row[0] = static_cast<double>(matches);
  row[1] = n_grams(hyp.size(), trie_.order());
  row[2] = n_grams(ref_length_, trie_.order());
}

}  // namespace dragoman::metrics
