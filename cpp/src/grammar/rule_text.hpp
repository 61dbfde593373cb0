#pragma once

#include <charconv>
#include <cmath>
#include <span>

#include "dragoman/core/bytes.hpp"
#include "rule_instance.hpp"

namespace dragoman::grammar {

/// Lines of a rule table.
class RuleText {
 public:
  explicit RuleText(const Symbols& symbols) : symbols_(symbols) {}

  /// Number in as few digits as say which float it is.
  static void append(Bytes& text, float number) {
    char* const place = text.room(24);
    text.end_at(std::to_chars(place, place + 24, number).ptr);
  }

  /// `rules.for_each_link` knows the links of its words.
  template <class Rule, class Rules>
  void line(Bytes& text, const Rule& at, const RuleSides& sides, std::span<const float> scores, std::span<const float> counts,
            const Rules& rules) const {
    side(text, at, sides.source, [&](TokenId word) { return symbols_.source_word(word); });
    text.append(symbols_.source_whole(at.labels));
    text.append(" ||| ");
    side(text, at, sides.target, [&](TokenId word) { return symbols_.target_word(word); });
    text.append(symbols_.target_whole(at.labels));
    text.append(" |||");
    numbers(text, scores);
    text.append(" |||");
    links(text, at, sides, rules);
    text.append(" |||");
    numbers(text, counts);
    text.append("\n");
  }

 private:
  template <class Rule, class Word>
  void side(Bytes& text, const Rule& at, std::span<const std::int32_t> symbols, const Word& word) const {
    for (const auto symbol : symbols) {
      text.append(RuleSides::is_gap(symbol) ? symbols_.gap(at.gap_labels[RuleSides::gap(symbol)]) : word(symbol));
      text.append(" ");
    }
  }

  static void numbers(Bytes& text, std::span<const float> all) {
    for (const float each : all) {
      text.append(" ");
      append(text, each);
    }
  }

  /// Words and gaps by their places, in the order of the source.
  template <class Rule, class Rules>
  static void links(Bytes& text, const Rule& at, const RuleSides& sides, const Rules& rules) {
    std::size_t gap = 0;
    const auto append_link = [&](unsigned s, unsigned t) {
      char* const place = text.room(16);
      char* end = place;
      *end++ = ' ';
      end = std::to_chars(end, place + 16, s).ptr;
      *end++ = '-';
      text.end_at(std::to_chars(end, place + 16, t).ptr);
    };
    const auto gaps_before = [&](unsigned s) {
      for (; gap < at.n_gaps && sides.gap_sources[gap] < s; ++gap) append_link(sides.gap_sources[gap], sides.gap_targets[gap]);
    };
    rules.for_each_link(at, sides, [&](std::uint8_t s, std::uint8_t t) {
      gaps_before(s);
      append_link(s, t);
    });
    gaps_before(256);
  }

  const Symbols& symbols_;
};

}  // namespace dragoman::grammar
