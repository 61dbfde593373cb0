#include "dragoman/grammar/extract.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "dragoman/core/errors.hpp"

namespace dragoman::grammar {

namespace {

/// The rules of one sentence pair after another.
class HieroRules final : public RuleSource {
 public:
  HieroRules(const AlignedBitext& bitext, const phrase::SortedPoints& points, const Symbols& symbols,
             const BitextLabels& labels, const HieroOptions& options)
      : bitext_(bitext), points_(points), symbols_(symbols), labels_(labels), options_(options) {}

  void rules(std::size_t sentence, const Use& use) override {
    set(sentence);
    for (const Phrase& phrase : phrases_) {
      const auto source = source_.of_rule(phrase.span.source_begin, phrase.span.source_end);
      const auto target = target_.of_rule(phrase.span.target_begin, phrase.span.target_end);
      if (source < 0 || target < 0 || (options_.tight == Tight::all && !phrase.tight)) continue;
      whole_ = phrase.span;
      labels_of_whole_ = symbols_.pair(static_cast<Label>(source), static_cast<Label>(target));
      found_.clear();
      gaps_.clear();
      add_rules(whole_.source_begin);
      const std::uint64_t count = options_.fractional && !found_.empty() ? kOne / found_.size() : kOne;
      for (const Found& rule : found_) {
        const auto gaps = std::span(found_gaps_).subspan(rule.first, rule.n);
        options_.shallow == 0 ? use({whole_, labels_of_whole_, gaps}, count) : use_depths(gaps, count, use);
      }
      found_gaps_.clear();
    }
  }

 private:
  struct Phrase {
    PhraseSpan span;
    bool tight;
  };
  struct Found {
    std::size_t first, n;  // of its gaps
  };

  /// A rule once for each way in which its gaps can have depths below the deepest.
  void use_depths(std::span<RuleGap> gaps, std::uint64_t count, const Use& use) const {
    std::vector<Label> depths(gaps.size(), 0);
    for (;;) {
      Label deepest = 0;
      for (std::size_t g = 0; g < gaps.size(); ++g) {
        gaps[g].labels = symbols_.pair(depths[g], depths[g]);
        deepest = std::max(deepest, depths[g] + 1);
      }
      use({whole_, symbols_.pair(deepest, deepest), gaps}, count);
      std::size_t next = 0;
      while (next < depths.size() && ++depths[next] == options_.shallow) depths[next++] = 0;
      if (next == depths.size()) return;
    }
  }

  /// The phrases of a sentence pair, and by source word those that may be gaps from there on.
  void set(std::size_t sentence) {
    const auto source_at = static_cast<std::size_t>(bitext_.source_offsets[sentence]);
    const auto n_source = static_cast<std::size_t>(bitext_.source_offsets[sentence + 1]) - source_at;
    const auto n_target =
        static_cast<std::size_t>(bitext_.target_offsets[sentence + 1] - bitext_.target_offsets[sentence]);
    alignment_.set(points_.view(), source_at, n_source, n_target);
    source_.set(labels_.source, sentence, n_source, options_.longest);
    target_.set(labels_.target, sentence, n_target, options_.longest);
    n_aligned_.assign(n_source + 1, 0);
    for (std::size_t s = 0; s < n_source; ++s)
      n_aligned_[s + 1] = n_aligned_[s] + (alignment_.source_is_free(s) ? 0 : 1);
    phrases_.clear();
    candidates_.resize(std::max(candidates_.size(), n_source));
    for (auto& each : candidates_) each.clear();
    alignment_.for_each_phrase(options_.longest, [&](const PhraseSpan& span) {
      phrases_.push_back({span, is_tight(span)});
      add_candidate(phrases_.back());
    });
  }

  bool is_tight(const PhraseSpan& span) const noexcept {
    return !alignment_.source_is_free(span.source_begin) && !alignment_.source_is_free(span.source_end - 1u) &&
           !alignment_.target_is_free(span.target_begin) && !alignment_.target_is_free(span.target_end - 1u);
  }

  void add_candidate(const Phrase& phrase) {
    const PhraseSpan& span = phrase.span;
    if (options_.tight != Tight::none && !phrase.tight) return;
    if (static_cast<unsigned>(span.source_end - span.source_begin) < options_.shortest_gap) return;
    const auto source = source_.of_gap(span.source_begin, span.source_end);
    const auto target = target_.of_gap(span.target_begin, span.target_end);
    if (source < 0 || target < 0) return;
    candidates_[span.source_begin].push_back(
        {span, symbols_.pair(static_cast<Label>(source), static_cast<Label>(target))});
  }

  /// All rules of the whole whose first gaps are those so far, and whose further ones begin at `from` or behind.
  void add_rules(std::size_t from) {
    if (is_rule()) {
      found_.push_back({found_gaps_.size(), gaps_.size()});
      found_gaps_.insert(found_gaps_.end(), gaps_.begin(), gaps_.end());
    }
    if (gaps_.size() == options_.gaps) return;
    const bool has_words_between = gaps_.empty() || options_.adjacent_gaps;
    for (std::size_t begin = has_words_between ? from : from + 1; begin < whole_.source_end; ++begin) {
      for (const RuleGap& gap : candidates_[begin]) {
        if (!fits(gap.span)) continue;
        gaps_.push_back(gap);
        add_rules(gap.span.source_end);
        gaps_.pop_back();
      }
    }
  }

  bool fits(const PhraseSpan& gap) const noexcept {
    if (gap.source_end > whole_.source_end || gap.target_begin < whole_.target_begin ||
        gap.target_end > whole_.target_end)
      return false;
    for (const RuleGap& other : gaps_) {
      if (gap.target_begin < other.span.target_end && other.span.target_begin < gap.target_end) return false;
    }
    return true;
  }

  bool is_rule() const noexcept {
    auto n_symbols = static_cast<unsigned>(whole_.source_end - whole_.source_begin);
    unsigned n_aligned = n_aligned_[whole_.source_end] - n_aligned_[whole_.source_begin];
    for (const RuleGap& gap : gaps_) {
      n_symbols -= static_cast<unsigned>(gap.span.source_end - gap.span.source_begin) - 1;
      n_aligned -= n_aligned_[gap.span.source_end] - n_aligned_[gap.span.source_begin];
    }
    // Without the condition, a rule still has a word somewhere: else it would be the whole, or mere reordering.
    const bool has_words = n_aligned > 0 || (!options_.aligned_word && n_symbols > gaps_.size());
    return n_symbols <= options_.symbols && has_words && anchors_stay();
  }

  /// True if the words that the gaps ask for are words of the rule.
  bool anchors_stay() const noexcept {
    if (labels_.source.offsets.empty() && labels_.target.offsets.empty()) return true;
    return std::ranges::all_of(gaps_, [&](const RuleGap& gap) {
      return stays(source_.anchor(gap.span.source_begin, gap.span.source_end), &PhraseSpan::source_begin,
                   &PhraseSpan::source_end) &&
             stays(target_.anchor(gap.span.target_begin, gap.span.target_end), &PhraseSpan::target_begin,
                   &PhraseSpan::target_end);
    });
  }
  bool stays(std::int32_t anchor, std::uint16_t PhraseSpan::* begin, std::uint16_t PhraseSpan::* end) const noexcept {
    if (anchor < 0) return true;
    const auto inside = [&](const PhraseSpan& span) { return span.*begin <= anchor && anchor < span.*end; };
    return inside(whole_) && std::ranges::none_of(gaps_, [&](const RuleGap& gap) { return inside(gap.span); });
  }

  const AlignedBitext& bitext_;
  const phrase::SortedPoints& points_;
  const Symbols& symbols_;
  const BitextLabels& labels_;
  const HieroOptions& options_;

  phrase::SentenceAlignment alignment_;
  SentenceLabels source_, target_;
  std::vector<unsigned> n_aligned_;  // source words before a place that are linked
  std::vector<Phrase> phrases_;
  std::vector<std::vector<RuleGap>> candidates_;  // by source begin
  PhraseSpan whole_{};
  LabelPair labels_of_whole_ = 0;
  std::vector<RuleGap> gaps_, found_gaps_;
  std::vector<Found> found_;
};

}  // namespace

std::unique_ptr<RuleSource> hiero_rules(const AlignedBitext& bitext, const phrase::SortedPoints& points,
                                        const Symbols& symbols, const BitextLabels& labels,
                                        const HieroOptions& options) {
  return std::make_unique<HieroRules>(bitext, points, symbols, labels, options);
}

RuleStatistics extract_hiero(const AlignedBitext& bitext, const Symbols& symbols, const BitextLabels& labels,
                             const HieroOptions& options, const TestText& test, const ScoreOptions& scoring,
                             const std::function<void(std::string_view)>& write) {
  if (options.longest < 1 || options.longest > 255) throw data_error("An initial phrase has 1 to 255 words.");
  if (options.gaps > kMostGaps) throw data_error("A rule has at most " + std::to_string(kMostGaps) + " gaps.");
  check_labels(labels.source, bitext.size(), symbols.n_source_labels(), "source");
  check_labels(labels.target, bitext.size(), symbols.n_target_labels(), "target");
  const bool labelled = !labels.source.offsets.empty() || !labels.target.offsets.empty();
  const std::size_t n_labels = std::min(symbols.n_source_labels(), symbols.n_target_labels());
  if (options.shallow > 0 && (labelled || n_labels != options.shallow + 1)) {
    throw data_error("Shallow rules have their depths for labels, from 0 to " + std::to_string(options.shallow) +
                     ", and no others.");
  }
  const phrase::SortedPoints points(bitext);
  const auto source = [&] { return hiero_rules(bitext, points, symbols, labels, options); };
  return score_rules(bitext, points, symbols, options.gaps, source, test, scoring, write);
}

}  // namespace dragoman::grammar
