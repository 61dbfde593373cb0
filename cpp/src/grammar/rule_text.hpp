#pragma once

#include <bit>
#include <charconv>
#include <cstring>
#include <span>
#include <vector>

#include "dragoman/core/bytes.hpp"
#include "rule_instance.hpp"

namespace dragoman::grammar {

/// Numbers behind a space, in as few digits as say which float it is. Those of rule tables come again and again: their
/// texts are kept.
class NumberTexts {
 public:
  void append(Bytes& text, float number) {
    const auto bits = std::bit_cast<std::uint32_t>(number);
    Kept& kept = kept_[(bits * 0x9E3779B1U) >> (32 - kBits)];
    if (kept.size == 0 || kept.bits != bits) {
      kept.bits = bits;
      kept.text[0] = ' ';
      kept.size =
          static_cast<std::uint8_t>(std::to_chars(kept.text + 1, kept.text + sizeof kept.text, number).ptr - kept.text);
    }
    char* const place = text.room(sizeof kept.text);
    std::memcpy(place, kept.text, sizeof kept.text);
    text.end_at(place + kept.size);
  }

 private:
  static constexpr unsigned kBits = 13;
  struct Kept {
    std::uint32_t bits;
    std::uint8_t size = 0;  // 0: none
    char text[19];          // no float has more: -1.23456789e-38
  };
  std::vector<Kept> kept_ = std::vector<Kept>(std::size_t{1} << kBits);
};

/// What a thread writes, and what it needs for that.
struct RuleLines {
  Bytes text;
  RuleStatistics statistics;
  RuleSides sides;
  NumberTexts numbers;
  std::vector<float> scores;
};

/// Lines of a rule table.
class RuleText {
 public:
  explicit RuleText(const Symbols& symbols) : symbols_(symbols) {}

  /// `rules.for_each_link` knows the links of its words.
  template <class Rule, class Rules>
  void line(RuleLines& lines, const Rule& at, std::span<const float> counts, const Rules& rules) const {
    Bytes& text = lines.text;
    const RuleSides& sides = lines.sides;
    side(text, at, sides.source, [&](TokenId word) { return symbols_.source_word(word); });
    text.append(symbols_.source_whole(at.labels));
    text.append(" ||| ");
    side(text, at, sides.target, [&](TokenId word) { return symbols_.target_word(word); });
    text.append(symbols_.target_whole(at.labels));
    text.append(" |||");
    numbers(lines, lines.scores);
    text.append(" |||");
    links(text, at, sides, rules);
    text.append(" |||");
    numbers(lines, counts);
    text.append("\n");
  }

 private:
  template <class Rule, class Word>
  void side(Bytes& text, const Rule& at, std::span<const std::int32_t> symbols, const Word& word) const {
    for (const auto symbol : symbols) {
      const std::string_view spelt =
          RuleSides::is_gap(symbol) ? symbols_.gap(at.gap_labels[RuleSides::gap(symbol)]) : word(symbol);
      char* const place = text.room(spelt.size() + 1);
      copy(place, spelt);
      place[spelt.size()] = ' ';
      text.end_at(place + spelt.size() + 1);
    }
  }

  /// Short as words are, without a call: the last step may overlap the one before.
  static void copy(char* place, std::string_view text) noexcept {
    const char* const from = text.data();
    const std::size_t n = text.size();
    const auto step = [&]<std::size_t kSize>(std::size_t at) { std::memcpy(place + at, from + at, kSize); };
    if (n > 16) {
      std::memcpy(place, from, n);
    } else if (n >= 8) {
      step.template operator()<8>(0);
      step.template operator()<8>(n - 8);
    } else if (n >= 4) {
      step.template operator()<4>(0);
      step.template operator()<4>(n - 4);
    } else {
      for (std::size_t i = 0; i < n; ++i) place[i] = from[i];
    }
  }

  static void numbers(RuleLines& lines, std::span<const float> all) {
    for (const float each : all) lines.numbers.append(lines.text, each);
  }

  static char* digits(char* place, unsigned number) {
    if (number >= 10) return std::to_chars(place, place + 4, number).ptr;
    *place = static_cast<char>('0' + number);
    return place + 1;
  }

  /// Words and gaps by their places, in the order of the source.
  template <class Rule, class Rules>
  static void links(Bytes& text, const Rule& at, const RuleSides& sides, const Rules& rules) {
    std::size_t gap = 0;
    const auto append_link = [&](unsigned s, unsigned t) {
      char* const place = text.room(16);
      char* end = place;
      *end++ = ' ';
      end = digits(end, s);
      *end++ = '-';
      text.end_at(digits(end, t));
    };
    const auto gaps_before = [&](unsigned s) {
      for (; gap < at.n_gaps && sides.gap_sources[gap] < s; ++gap)
        append_link(sides.gap_sources[gap], sides.gap_targets[gap]);
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
