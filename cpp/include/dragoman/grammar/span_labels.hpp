#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dragoman::grammar {

/// The number of a label of one side; 0 is the default, `X`.
using Label = std::uint32_t;

/// A span of a sentence that has a label of its own: a constituent, a category, a complete dependency subtree …
struct LabelledSpan {
  std::int32_t begin, end;  // [begin, end), from 0
  std::int32_t label;
  std::int32_t anchor;  // a word that must stay a word of every rule with this span as a gap; -1: none
};

/// What one side's spans are called, and which of them may be rules and gaps. Those of sentence i are
/// [offsets[i], offsets[i + 1]), each at most once; without offsets there are none.
struct SpanLabels {
  std::span<const LabelledSpan> spans;
  std::span<const std::int64_t> offsets;
  bool other_rules = true;  // a span that is not listed may be the whole of a rule, with the default label
  bool other_gaps = true;   // a span that is not listed may be a gap, with the default label
  bool names_rules =
      true;  // the whole of a rule is called by its span's label; else all have the default, gaps alone have names
};

/// The labels of one sentence's spans of at most `longest` words, looked up in constant time.
class SentenceLabels {
 public:
  /// Throws data_error for a span outside its sentence, an anchor that is none, or a span listed twice.
  void set(const SpanLabels& labels, std::size_t sentence, std::size_t n_words, std::size_t longest);

  /// The label of a span as the whole of a rule, or -1 if it may not be one.
  std::int64_t of_rule(std::size_t begin, std::size_t end) const noexcept {
    const std::int64_t own = label(begin, end, other_rule_);
    return names_rules_ || own < 0 ? own : 0;
  }
  /// The label of a span as a gap, or -1 if it may not be one.
  std::int64_t of_gap(std::size_t begin, std::size_t end) const noexcept { return label(begin, end, other_gap_); }
  /// The word that must stay beside the gap, or -1.
  std::int32_t anchor(std::size_t begin, std::size_t end) const noexcept {
    const auto place = at(begin, end);
    return place == 0 ? -1 : spans_[place - 1].anchor;
  }

 private:
  std::uint32_t at(std::size_t begin, std::size_t end) const noexcept {
    return places_.empty() ? 0 : places_[begin * longest_ + (end - begin - 1)];
  }
  std::int64_t label(std::size_t begin, std::size_t end, std::int64_t other) const noexcept {
    const auto place = at(begin, end);
    return place == 0 ? other : spans_[place - 1].label;
  }

  std::span<const LabelledSpan> spans_;
  std::vector<std::uint32_t> places_;  // by begin and length: number of the span, from 1; empty if there are none
  std::size_t longest_ = 0;
  std::int64_t other_rule_ = 0, other_gap_ = 0;
  bool names_rules_ = true;
};

/// Throws data_error unless offsets fit the sentences and every label is one of `n_labels`.
void check_labels(const SpanLabels& labels, std::size_t n_sentences, std::size_t n_labels, const char* side);

}  // namespace dragoman::grammar
