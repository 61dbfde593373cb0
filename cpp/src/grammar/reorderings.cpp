#include "dragoman/grammar/reorderings.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "dragoman/core/parallel.hpp"
#include "dragoman/phrase/sentence_phrases.hpp"

namespace dragoman::grammar {

namespace {

using phrase::PhraseSpan;
using Key = std::tuple<std::int32_t, std::int32_t, std::int32_t>;
using Counts = std::map<Key, std::array<std::uint32_t, 4>>;

Reordering between(const PhraseSpan& first, const PhraseSpan& second) noexcept {
  if (first.target_end <= second.target_begin) {
    return first.target_end == second.target_begin ? Reordering::monotone : Reordering::apart;
  }
  return second.target_end == first.target_begin ? Reordering::swap : Reordering::swap_apart;
}

class Counting {
 public:
  Counting(const phrase::AlignedBitext& bitext, const phrase::SortedPoints& points, const SpanLabels& labels,
           unsigned longest)
      : bitext_(bitext), points_(points), listed_(labels), longest_(longest) {
    listed_.other_rules = listed_.other_gaps = false;
  }

  void add(std::size_t sentence, Counts& counts) {
    const auto source_at = static_cast<std::size_t>(bitext_.source_offsets[sentence]);
    const auto n_source = static_cast<std::size_t>(bitext_.source_offsets[sentence + 1]) - source_at;
    alignment_.set(points_.view(), source_at, n_source,
                   static_cast<std::size_t>(bitext_.target_offsets[sentence + 1] - bitext_.target_offsets[sentence]));
    labels_.set(listed_, sentence, n_source, 2 * longest_);
    phrases_.assign(n_source, {});
    alignment_.for_each_tight(longest_, [&](const PhraseSpan& span) {
      if (alignment_.target_is_free(span.target_begin) || alignment_.target_is_free(span.target_end - 1u)) return;
      phrases_[span.source_begin].push_back(span);
    });
    for (const auto& beginning : phrases_) {
      for (const PhraseSpan& first : beginning) {
        if (first.source_end == n_source) continue;
        for (const PhraseSpan& second : phrases_[first.source_end]) add(first, second, counts);
      }
    }
  }

 private:
  void add(const PhraseSpan& first, const PhraseSpan& second, Counts& counts) const {
    const auto whole = labels_.of_rule(first.source_begin, second.source_end);
    const auto left = labels_.of_rule(first.source_begin, first.source_end);
    const auto right = labels_.of_rule(second.source_begin, second.source_end);
    if (whole < 0 || left < 0 || right < 0) return;
    const Key key{static_cast<std::int32_t>(whole), static_cast<std::int32_t>(left), static_cast<std::int32_t>(right)};
    ++counts[key][static_cast<std::size_t>(between(first, second))];
  }

  const phrase::AlignedBitext& bitext_;
  const phrase::SortedPoints& points_;
  SpanLabels listed_;
  unsigned longest_;
  phrase::SentenceAlignment alignment_;
  SentenceLabels labels_;
  std::vector<std::vector<PhraseSpan>> phrases_;  // by source begin
};

}  // namespace

std::vector<ReorderingCounts> count_reorderings(const phrase::AlignedBitext& bitext, const SpanLabels& labels,
                                                unsigned longest, unsigned n_threads) {
  const phrase::SortedPoints points(bitext);
  std::vector<Counts> parts(std::max(1U, n_threads));
  for_each_chunk(bitext.size(), n_threads, [&](const Chunk& chunk) {
    Counting counting(bitext, points, labels, longest);
    for (std::size_t i = chunk.begin; i < chunk.end; ++i) counting.add(i, parts[chunk.index]);
  });
  Counts all;
  for (const Counts& part : parts) {
    for (const auto& [key, counts] : part) {
      for (std::size_t way = 0; way < counts.size(); ++way) all[key][way] += counts[way];
    }
  }
  std::vector<ReorderingCounts> rows;
  rows.reserve(all.size());
  for (const auto& [key, counts] : all) rows.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), counts});
  return rows;
}

}  // namespace dragoman::grammar
