#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "dragoman/core/parallel.hpp"

namespace dragoman::metrics {

/// A word as the vocabulary of the references numbers it. One id stands for all words of a hypothesis that no reference
/// has, and no reference holds that id: kernels compare hypotheses with references, never hypotheses with themselves.
using TokenId = std::int32_t;

using Tokens = std::span<const TokenId>;

/// Segments of token ids in one array; segment i is ids[offsets[i]] up to ids[offsets[i + 1]].
struct IdBatch {
  std::span<const TokenId> ids;
  std::span<const std::int64_t> offsets;

  std::size_t size() const noexcept { return offsets.size() - 1; }
  Tokens operator[](std::size_t i) const noexcept {
    return ids.subspan(static_cast<std::size_t>(offsets[i]), static_cast<std::size_t>(offsets[i + 1] - offsets[i]));
  }
};

/// Segments of UTF-8.
using LineBatch = std::span<const std::string_view>;

/// What a metric's kernel is: it digests the references of one segment and then gives the statistics of any number of
/// hypotheses against them. One object serves one thread; its buffers live from segment to segment. Batches, threads,
/// many systems at once and matrices of all pairs come from the two functions below.
template <class S>
concept SegmentScorer = std::copy_constructible<S> &&
                        requires(S scorer, const S fixed, std::span<const typename S::Segment> refs,
                                 typename S::Segment hyp, std::span<double> row) {
                          { fixed.width() } -> std::same_as<std::size_t>;  // statistics in a row
                          { scorer.digest(refs) } -> std::same_as<void>;
                          { scorer.score(hyp, row) } -> std::same_as<void>;
                        };

/// Which references there are: `present[r * n_segments + i]`, or all of them where the span is empty.
using Presence = std::span<const std::uint8_t>;

/// rows[s][i] = statistics of segment i of system s against that segment's references. Each segment is digested once.
template <SegmentScorer Scorer, class Batch>
void score_aligned(const Scorer& prototype, std::span<const Batch> systems, std::span<const Batch> refs,
                   Presence present, std::span<double> rows, unsigned n_threads) {
  const std::size_t n = refs.empty() ? 0 : refs[0].size();
  const std::size_t width = prototype.width();
  for_each_chunk(n, n_threads, [&](Chunk chunk) {
    Scorer scorer(prototype);
    std::vector<typename Scorer::Segment> group;
    for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
      group.clear();
      for (std::size_t r = 0; r < refs.size(); ++r) {
        if (present.empty() || present[r * n + i] != 0) group.push_back(refs[r][i]);
      }
      scorer.digest(group);
      for (std::size_t s = 0; s < systems.size(); ++s) {
        scorer.score(systems[s][i], rows.subspan((s * n + i) * width, width));
      }
    }
  });
}

/// rows[i][j] = statistics of hypothesis i against reference j, for all pairs.
template <SegmentScorer Scorer, class Batch>
void score_pairs(const Scorer& prototype, const Batch& hyps, const Batch& refs, std::span<double> rows,
                 unsigned n_threads) {
  const std::size_t width = prototype.width();
  for_each_chunk(refs.size(), n_threads, [&](Chunk chunk) {
    Scorer scorer(prototype);
    for (std::size_t j = chunk.begin; j < chunk.end; ++j) {
      const typename Scorer::Segment ref = refs[j];
      scorer.digest(std::span(&ref, 1));
      for (std::size_t i = 0; i < hyps.size(); ++i) {
        scorer.score(hyps[i], rows.subspan((i * refs.size() + j) * width, width));
      }
    }
  });
}

}  // namespace dragoman::metrics
