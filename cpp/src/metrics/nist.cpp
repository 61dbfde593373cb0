#include "dragoman/metrics/nist.hpp"

#include <algorithm>
#include <cmath>

#include "dragoman/metrics/bleu.hpp"

namespace dragoman::metrics {

NistCounts::NistCounts(std::size_t order, std::span<const IdBatch> refs, Presence present) : trie_(order) {
  std::size_t n_words = 0;
  for (const IdBatch& ref : refs) n_words += ref.ids.size();
  trie_.clear(n_words);
  for (std::size_t r = 0; r < refs.size(); ++r) {
    for (std::size_t i = 0; i < refs[r].size(); ++i) {
      if (!present.empty() && present[r * refs[r].size() + i] == 0) continue;
      trie_.add(refs[r][i], NgramTrie::Merge::kSum);
      n_words_ += static_cast<double>(refs[r][i].size());
    }
  }
}

double NistCounts::information(NgramTrie::Node parent, NgramTrie::Node node) const noexcept {
  const double before = parent == NgramTrie::kRoot ? n_words_ : trie_.count(parent);
  return std::log2(before / trie_.count(node));
}

void NistScorer::digest(std::span<const Segment> refs) {
  std::size_t length = 0;
  for (const Segment ref : refs) length += ref.size();
  mean_length_ = refs.empty() ? 0.0 : static_cast<double>(length) / static_cast<double>(refs.size());
  trie_.clear(length);
  in_corpus_.assign(1, NgramTrie::kRoot);
  information_.assign(1, 0.0);
  for (const Segment ref : refs) {
    trie_.add(ref, NgramTrie::Merge::kMax, [&](NgramTrie::Node parent, NgramTrie::Symbol symbol, NgramTrie::Node) {
      const auto before = in_corpus_[parent];
      const auto here = counts_->child(before, symbol);
      in_corpus_.push_back(here);
      information_.push_back(counts_->information(before, here));
    });
  }
}

void NistScorer::score(Segment hyp, std::span<double> row) {
  const std::size_t order = trie_.order();
  std::ranges::fill(row, 0.0);
  trie_.match(hyp, [&](NgramTrie::Node node, std::size_t n) { row[n - 1] += information_[node]; });
  for (std::size_t n = 1; n <= order; ++n) row[order + n - 1] = n_grams(hyp.size(), n);
  row[2 * order] = mean_length_;
}

}  // namespace dragoman::metrics
