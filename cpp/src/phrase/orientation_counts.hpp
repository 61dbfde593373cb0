#pragma once

#include <cstdint>
#include <vector>

#include "sentence_phrases.hpp"

namespace dragoman::phrase {

/// How the phrase pairs of one sentence pair stand to what is before and behind them on the target side.
class SentenceOrientations {
 public:
  void set(Orientation kind, const SentenceAlignment& alignment) {
    kind_ = kind;
    alignment_ = &alignment;
    if (kind != Orientation::hierarchical) return;
    // Corners of all phrase pairs of any size: a block that ends (begins) there can stand before (behind) another.
    const std::size_t n = (alignment.n_source() + 1) * (alignment.n_target() + 1);
    ends_high_.assign(n, false);
    ends_low_.assign(n, false);
    begins_high_.assign(n, false);
    begins_low_.assign(n, false);
    alignment.for_each_phrase(alignment.n_source() + alignment.n_target(), [&](const PhraseSpan& span) {
      ends_high_[at(span.source_end, span.target_end)] = true;
      ends_low_[at(span.source_begin, span.target_end)] = true;
      begins_high_[at(span.source_end, span.target_begin)] = true;
      begins_low_[at(span.source_begin, span.target_begin)] = true;
    });
    ends_high_[at(0, 0)] = true;
    begins_low_[at(alignment.n_source(), alignment.n_target())] = true;
  }

  unsigned before(const PhraseSpan& span) const {
    if (kind_ == Orientation::hierarchical) {
      if (ends_high_[at(span.source_begin, span.target_begin)]) return kMonotone;
      return ends_low_[at(span.source_end, span.target_begin)] ? kSwap : kDiscontinuous;
    }
    if (span.target_begin == 0) return span.source_begin == 0 ? kMonotone : kDiscontinuous;
    if (span.source_begin > 0 && alignment_->linked(span.source_begin - 1, span.target_begin - 1)) return kMonotone;
    const bool swapped = span.source_end < alignment_->n_source() &&
                         alignment_->linked(span.source_end, span.target_begin - 1);
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
    if (span.source_end < alignment_->n_source() && alignment_->linked(span.source_end, span.target_end)) return kMonotone;
    const bool swapped = span.source_begin > 0 && alignment_->linked(span.source_begin - 1, span.target_end);
    return swapped ? kSwap : kDiscontinuous;
  }

 private:
  /// The place between words, source × target.
  std::size_t at(std::size_t source, std::size_t target) const noexcept {
    return source * (alignment_->n_target() + 1) + target;
  }

  Orientation kind_ = Orientation::none;
  const SentenceAlignment* alignment_ = nullptr;
  std::vector<bool> ends_high_, ends_low_, begins_high_, begins_low_;
};

}  // namespace dragoman::phrase
