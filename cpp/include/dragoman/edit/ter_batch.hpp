#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dragoman/edit/ter.hpp"
#include "dragoman/edit/tercom.hpp"
#include "dragoman/text/line_source.hpp"
#include "dragoman/text/word_table.hpp"

namespace dragoman::edit {

/// A segment against its best reference, with the words that were compared.
struct SegmentTrace {
  std::int32_t reference = 0;  // the first of those that need the fewest edits
  TerTrace trace;
  std::vector<std::string> hyp_words;  // as they came, before any shift
  std::vector<std::string> ref_words;
};

/// The references of a test set, digested once for many systems.
class TerReferences {
 public:
  /// All streams have one line per segment. `present[r * n_segments + i]` is 0 where segment i lacks reference r; an
  /// empty span says that there are all. Throws data_error if the sizes do not fit each other. Like sacreBLEU 2.6.0
  /// this sends references through the tokeniser twice, hypotheses once.
  TerReferences(std::span<const text::LineSource* const> streams, std::span<const std::uint8_t> present,
                TercomOptions options);

  std::size_t n_segments() const noexcept { return n_segments_; }
  std::size_t n_references() const noexcept { return n_references_; }
  std::size_t n_bytes() const noexcept;

  /// Words of each reference of each segment, -1 where there is no such reference: (segments, references).
  std::vector<std::int32_t> lengths() const;

  /// Edits of each segment against each of its references, -1 where there is no such reference: (segments, references).
  /// There must be one hypothesis per segment.
  std::vector<std::int32_t> count(const text::LineSource& hyps, unsigned n_threads) const;

  /// Edits of every hypothesis against the first reference of every segment: (hypotheses, segments).
  std::vector<std::int32_t> count_pairs(const text::LineSource& hyps, unsigned n_threads) const;

  /// Each segment against the best of its references.
  std::vector<SegmentTrace> trace(const text::LineSource& hyps, bool with_shifts, unsigned n_threads) const;

 private:
  class Reader;

  std::span<const std::int32_t> words(std::size_t segment, std::size_t reference) const noexcept;
  void check_number(std::size_t n_hyps) const;
  bool has(std::size_t segment, std::size_t reference) const noexcept;

  TercomOptions options_;
  std::size_t n_segments_ = 0;
  std::size_t n_references_ = 0;
  text::WordTable table_;
  std::vector<std::int32_t> words_;
  std::vector<std::size_t> offsets_{0};  // of reference r of segment i at i · n_references + r
  std::vector<bool> present_;
};

}  // namespace dragoman::edit
