#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "dragoman/phrase/sentence_phrases.hpp"

namespace dragoman::phrase {

/// How the phrase pairs of one sentence pair stand to what is before and behind them on the target side.
class SentenceOrientations {
 public:
  void set(Orientation kind, const SentenceAlignment& alignment) {
    kind_ = kind;
    alignment_ = &alignment;
    if (kind != Orientation::hierarchical) return;
    // Corners of all phrase pairs of any size: a block that ends (begins) there can stand before (behind) another.
    // Those of pairs without free source words at their edges are noted, then moved over the free words: quadratic in
    // the words, where going through all pairs is not (Cherry, Moore & Quirk, WMT 2012: corner propagation).
    const std::size_t n = (alignment.n_source() + 1) * (alignment.n_target() + 1);
    for (auto* corners : {&ends_high_, &ends_low_, &begins_high_, &begins_low_}) corners->assign(n, 0);
    alignment.for_each_tight(std::max(alignment.n_source(), alignment.n_target()),
                             [&](const PhraseSpan& span) { note(span); });
    move_over_free_source_words();
    note_ends();
  }

  /// Towards any phrase pair of at most `longest` words that touches a corner.
  void set_phrases(const SentenceAlignment& alignment, std::size_t longest) {
    kind_ = Orientation::hierarchical;  // corners are asked in the same way
    alignment_ = &alignment;
    const std::size_t n = (alignment.n_source() + 1) * (alignment.n_target() + 1);
    for (auto* corners : {&ends_high_, &ends_low_, &begins_high_, &begins_low_}) corners->assign(n, 0);
    alignment.for_each_phrase(longest, [&](const PhraseSpan& span) { note(span); });
    note_ends();
  }

  unsigned before(const PhraseSpan& span) const {
    if (kind_ == Orientation::hierarchical) {
      if (ends_high_[at(span.source_begin, span.target_begin)]) return kMonotone;
      return ends_low_[at(span.source_end, span.target_begin)] ? kSwap : kDiscontinuous;
    }
    if (span.target_begin == 0) return span.source_begin == 0 ? kMonotone : kDiscontinuous;
    if (span.source_begin > 0 && alignment_->linked(span.source_begin - 1, span.target_begin - 1)) return kMonotone;
    const bool swapped =
        span.source_end < alignment_->n_source() && alignment_->linked(span.source_end, span.target_begin - 1);
    return swapped ? kSwap : kDiscontinuous;
  }

  unsigned behind(const PhraseSpan& span) const {
    if (kind_ == Orientation::hierarchical) {
      if (begins_low_[at(span.source_end, span.target_end)]) return kMonotone;
      return begins_high_[at(span.source_begin, span.target_end)] ? kSwap : kDiscontinuous;
    }
    if (span.target_end == alignment_->n_target()) {
      return span.source_end == alignment_->n_source() ? kMonotone : kDiscontinuous;
    }
    if (span.source_end < alignment_->n_source() && alignment_->linked(span.source_end, span.target_end))
      return kMonotone;
    const bool swapped = span.source_begin > 0 && alignment_->linked(span.source_begin - 1, span.target_end);
    return swapped ? kSwap : kDiscontinuous;
  }

 private:
  void note(const PhraseSpan& span) {
    ends_high_[at(span.source_end, span.target_end)] = 1;
    ends_low_[at(span.source_begin, span.target_end)] = 1;
    begins_high_[at(span.source_end, span.target_begin)] = 1;
    begins_low_[at(span.source_begin, span.target_begin)] = 1;
  }
  void note_ends() {
    ends_high_[at(0, 0)] = 1;
    begins_low_[at(alignment_->n_source(), alignment_->n_target())] = 1;
  }

  /// for_each_tight has gone over the free target words already.
  void move_over_free_source_words() {
    const std::size_t width = alignment_->n_target() + 1;
    const auto take = [&](std::vector<std::uint8_t>& corners, std::size_t from, std::size_t to) {
      for (std::size_t t = 0; t < width; ++t) corners[at(to, t)] |= corners[at(from, t)];
    };
    const std::size_t n = alignment_->n_source();
    for (std::size_t s = 0; s < n; ++s) {
      if (!alignment_->source_is_free(s)) continue;
      take(ends_high_, s, s + 1);
      take(begins_high_, s, s + 1);
    }
    for (std::size_t s = n; s-- > 0;) {
      if (!alignment_->source_is_free(s)) continue;
      take(ends_low_, s + 1, s);
      take(begins_low_, s + 1, s);
    }
  }

  /// The place between words, source × target.
  std::size_t at(std::size_t source, std::size_t target) const noexcept {
    return source * (alignment_->n_target() + 1) + target;
  }

  Orientation kind_ = Orientation::none;
  const SentenceAlignment* alignment_ = nullptr;
  std::vector<std::uint8_t> ends_high_, ends_low_, begins_high_, begins_low_;
};

}  // namespace dragoman::phrase
