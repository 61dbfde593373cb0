#pragma once

#include "dragoman/phrase/bitext_index.hpp"
#include "dragoman/phrase/lexical_counts.hpp"
#include "dragoman/phrase/sentence_phrases.hpp"

namespace dragoman::phrase {

/// Sentence pairs of an index: both sides with their sorted places, and the points by place of the source word.
struct BitextIndex::Segment {
  SuffixText source, target;
  PointsView points;

  GrowingText own_source, own_target;
  std::vector<std::uint64_t> own_offsets{0};
  std::vector<std::uint16_t> own_targets;

  std::size_t n_pairs() const noexcept { return source.n_sentences(); }

  /// Look at the own arrays.
  void show() {
    source = own_source.view();
    target = own_target.view();
    points = {own_offsets, own_targets};
  }

  /// The points of a sentence's source words, given by their targets; its end has none.
  void append_points(const SortedPoints& from, std::size_t source_at, std::size_t n_source) {
    own_offsets.pop_back();
    for (std::size_t s = source_at; s < source_at + n_source; ++s) {
      own_offsets.push_back(own_targets.size());
      for (auto p = from.at(s); p < from.at(s + 1); ++p) own_targets.push_back(from.target(p));
    }
    own_offsets.push_back(own_targets.size());
    own_offsets.push_back(own_targets.size());
  }

  void set(SentenceAlignment& alignment, std::size_t sentence) const {
    alignment.set(points, source.starts[sentence], source.length(sentence), target.length(sentence));
  }
};

}  // namespace dragoman::phrase
