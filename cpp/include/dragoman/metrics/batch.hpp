#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"
#include "dragoman/text/line_source.hpp"
#include "dragoman/text/word_table.hpp"

namespace dragoman::metrics {

/// A word as the vocabulary of the references numbers it. One id stands for all words of a hypothesis that no reference
/// has, and no reference holds that id: kernels compare hypotheses with references, never hypotheses with themselves.
using TokenId = text::TokenId;

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

/// A segment of text, to be read where it is needed, and segments of text.
struct Line {
  const text::LineSource* source;
  std::size_t number;

  std::string_view read(Bytes& scratch) const { return source->line(number, scratch); }
};
struct LineBatch {
  const text::LineSource* source;

  std::size_t size() const noexcept { return source->size(); }
  Line operator[](std::size_t i) const noexcept { return {source, i}; }
};

/// What a metric's kernel is: it digests the references of one segment and then gives the statistics of any number of
/// hypotheses against them. One object serves one thread; its buffers live from segment to segment. Batches, threads,
/// many systems at once and matrices of all pairs come from the two functions below, which make a scorer per thread.
template <class S>
concept SegmentScorer = requires(S scorer, const S fixed, std::span<const typename S::Segment> refs,
                                 typename S::Segment hyp, std::span<double> row) {
  { fixed.width() } -> std::same_as<std::size_t>;  // statistics in a row
  { scorer.digest(refs) } -> std::same_as<void>;
  { scorer.score(hyp, row) } -> std::same_as<void>;
};

template <class Make>
concept ScorerMaker = SegmentScorer<std::invoke_result_t<const Make&>>;

/// Segments that need no reading. What does (see WordReader) has the same functions: `begin` before the references of a
/// segment, then `ref` for each of them, then `hyp` for each hypothesis. References stay good until the next `begin`.
struct PlainReader {
  void begin() noexcept {}
  template <class Segment>
  Segment ref(const Segment& segment) const noexcept {
    return segment;
  }
  template <class Segment>
  Segment hyp(const Segment& segment) const noexcept {
    return segment;
  }
};

/// Which references there are: `present[r * n_segments + i]`, or all of them where the span is empty.
using Presence = std::span<const std::uint8_t>;

/// rows[s][i] = statistics of segment i of system s against that segment's references. Each segment is digested once.
template <ScorerMaker Make, class MakeReader, class Batch>
void score_aligned(const Make& make_scorer, const MakeReader& make_reader, std::span<const Batch> systems,
                   std::span<const Batch> refs, Presence present, std::span<double> rows, unsigned n_threads) {
  const std::size_t n = refs.empty() ? 0 : refs[0].size();
  for_each_chunk(n, n_threads, [&](Chunk chunk) {
    auto scorer = make_scorer();
    auto reader = make_reader();
    const std::size_t width = scorer.width();
    std::vector<typename decltype(scorer)::Segment> group;
    for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
      group.clear();
      reader.begin();
      for (std::size_t r = 0; r < refs.size(); ++r) {
        if (present.empty() || present[r * n + i] != 0) group.push_back(reader.ref(refs[r][i]));
      }
      try {
        scorer.digest(group);
        for (std::size_t s = 0; s < systems.size(); ++s) {
          scorer.score(reader.hyp(systems[s][i]), rows.subspan((s * n + i) * width, width));
        }
      } catch (const segment_error& error) {
        throw data_error("Segment " + std::to_string(i + 1) + ": " + error.what());
      }
    }
  });
}

/// rows[i][j] = statistics of hypothesis i against reference j, for all pairs.
template <ScorerMaker Make, class Batch>
void score_pairs(const Make& make_scorer, const Batch& hyps, const Batch& refs, std::span<double> rows,
                 unsigned n_threads) {
  for_each_chunk(refs.size(), n_threads, [&](Chunk chunk) {
    auto scorer = make_scorer();
    const std::size_t width = scorer.width();
    for (std::size_t j = chunk.begin; j < chunk.end; ++j) {
      const auto ref = refs[j];
      scorer.digest(std::span(&ref, 1));
      for (std::size_t i = 0; i < hyps.size(); ++i) {
        scorer.score(hyps[i], rows.subspan((i * refs.size() + j) * width, width));
      }
    }
  });
}

}  // namespace dragoman::metrics
