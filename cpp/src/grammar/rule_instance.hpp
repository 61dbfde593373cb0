#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "dragoman/core/hash.hpp"
#include "dragoman/grammar/score.hpp"
#include "dragoman/phrase/smoothing.hpp"

namespace dragoman::grammar {

inline std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) noexcept {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15ULL;
  return hash ^ (hash >> 32);
}

/// What a rule is known by: hashes of what does not fit into the key among source sides that begin alike, and of target
/// sides among those of one source side; and how often it was met.
struct RuleHead {
  SourceKey key;
  std::uint64_t target;  // hash of the target side, with the gaps' numbers
  std::uint64_t count;   // in parts of kOne
  std::int64_t tree;     // sum of the logarithms of its trees' probabilities, in parts of kLogUnit
  std::uint32_t met;     // how often
  std::uint32_t tail;    // hash of source symbols that the key has no room for; 0: none
  std::uint32_t links;   // hash
  LabelPair labels;

  phrase::Evidence evidence() const noexcept { return {met, static_cast<double>(count) / static_cast<double>(kOne)}; }
  bool begins_like(const RuleHead& other) const noexcept { return key[0] == other.key[0] && key[1] == other.key[1]; }
  bool same_source(const RuleHead& other) const noexcept { return begins_like(other) && tail == other.tail; }
  bool same_rule(const RuleHead& other) const noexcept { return same_source(other) && target == other.target; }
};

/// Where a rule was met.
template <std::size_t kGaps>
struct RulePlace {
  struct Gap {
    std::uint8_t source_begin, n_source, target_begin, n_target;  // counted from the whole's begins
  };

  std::uint32_t sentence;
  std::uint16_t source_begin, target_begin;
  std::uint8_t n_source, n_target;  // words, those of gaps included
  std::uint8_t n_gaps;
  std::array<Gap, kGaps> gaps;
  std::array<LabelPair, kGaps> gap_labels;

  PhraseSpan whole() const noexcept {
    return {source_begin, static_cast<std::uint16_t>(source_begin + n_source), target_begin,
            static_cast<std::uint16_t>(target_begin + n_target)};
  }
};

/// A rule where it was met, or all of its instances with the same links.
template <std::size_t kGaps>
struct Instance : RuleHead, RulePlace<kGaps> {};

struct InstanceOrder {
  static bool less(const RuleHead& a, const RuleHead& b) noexcept {
    if (a.key[0] != b.key[0]) return a.key[0] < b.key[0];
    if (a.key[1] != b.key[1]) return a.key[1] < b.key[1];
    if (a.tail != b.tail) return a.tail < b.tail;
    if (a.target != b.target) return a.target < b.target;
    return a.links < b.links;
  }
  static bool join(RuleHead& a, const RuleHead& b) noexcept {
    a.count += b.count;
    a.met += b.met;
    a.tree += b.tree;
    return true;
  }
  static std::uint64_t first(const RuleHead& rule) noexcept { return rule.key[0]; }
  static bool same(const RuleHead& a, const RuleHead& b) noexcept { return a.same_rule(b) && a.links == b.links; }
  static std::uint64_t hash(const RuleHead& rule) noexcept {
    return mixed(mixed(mixed(rule.target, rule.key[0]), rule.key[1]), std::uint64_t{rule.tail} << 32 | rule.links);
  }
};

/// The symbols of one side of a rule.
class RuleSide {
 public:
  void clear() noexcept { n_ = 0; }
  void push_back(std::int32_t symbol) noexcept { symbols_[n_++] = symbol; }
  std::size_t size() const noexcept { return n_; }
  const std::int32_t* begin() const noexcept { return symbols_.data(); }
  const std::int32_t* end() const noexcept { return symbols_.data() + n_; }
  std::int32_t operator[](std::size_t i) const noexcept { return symbols_[i]; }
  operator std::span<const std::int32_t>() const noexcept { return {begin(), n_}; }

 private:
  std::array<std::int32_t, 256> symbols_;  // a place is a byte
  std::size_t n_ = 0;
};

/// The two sides of a rule, symbol by symbol: a word, or a gap by its number in the source's order.
struct RuleSides {
  static constexpr std::int32_t kFirstGap = std::numeric_limits<std::int32_t>::min();
  static constexpr bool is_gap(std::int32_t symbol) noexcept { return symbol < 0; }
  static constexpr std::size_t gap(std::int32_t symbol) noexcept {
    return static_cast<std::size_t>(symbol - kFirstGap);
  }

  RuleSide source, target;
  // Where each word of the whole stands in its side: the places of words, kNone inside of gaps.
  static constexpr std::uint8_t kNone = 255;
  std::array<std::uint8_t, 256> source_places, target_places;
  std::array<std::uint8_t, kMostGaps> gap_sources, gap_targets;  // places of gaps in their sides

  template <std::size_t kGaps>
  void set(const AlignedBitext& bitext, const RulePlace<kGaps>& at) {
    side(source, source_places, gap_sources, bitext.source, bitext.source_offsets[at.sentence] + at.source_begin,
         at.n_source, at, [](const auto& gap) { return std::pair{gap.source_begin, gap.n_source}; });
    side(target, target_places, gap_targets, bitext.target, bitext.target_offsets[at.sentence] + at.target_begin,
         at.n_target, at, [](const auto& gap) { return std::pair{gap.target_begin, gap.n_target}; });
  }

 private:
  template <class At, class Extent>
  static void side(RuleSide& symbols, std::array<std::uint8_t, 256>& places,
                   std::array<std::uint8_t, kMostGaps>& gap_places, std::span<const TokenId> words, std::int64_t first,
                   std::size_t n, const At& at, const Extent& extent) {
    symbols.clear();
    for (std::size_t i = 0; i < n;) {
      std::size_t gap = 0;
      while (gap < at.n_gaps && extent(at.gaps[gap]).first != i) ++gap;
      if (gap == at.n_gaps) {
        places[i] = static_cast<std::uint8_t>(symbols.size());
        symbols.push_back(words[static_cast<std::size_t>(first) + i]);
        ++i;
      } else {
        gap_places[gap] = static_cast<std::uint8_t>(symbols.size());
        symbols.push_back(kFirstGap + static_cast<std::int32_t>(gap));
        const std::size_t end = i + extent(at.gaps[gap]).second;
        for (; i < end; ++i) places[i] = kNone;
      }
    }
  }
};

/// The links of rules of a bitext.
class BitextLinks {
 public:
  BitextLinks(const AlignedBitext& bitext, const phrase::SortedPoints& points) : bitext_(bitext), points_(points) {}

  /// Call `use(place in the source side, place in the target side)` for the links of a rule's words, by source place.
  template <std::size_t kGaps, class Use>
  void for_each_link(const RulePlace<kGaps>& at, const RuleSides& sides, const Use& use) const {
    const auto first = static_cast<std::size_t>(bitext_.source_offsets[at.sentence]) + at.source_begin;
    for (std::size_t s = 0; s < at.n_source; ++s) {
      if (sides.source_places[s] == RuleSides::kNone) continue;
      for (auto p = points_.at(first + s); p < points_.at(first + s + 1); ++p) {
        use(sides.source_places[s], sides.target_places[points_.target(p) - at.target_begin]);
      }
    }
  }

 private:
  const AlignedBitext& bitext_;
  const phrase::SortedPoints& points_;
};

/// Makes what rules are known by.
class RuleKeys {
 public:
  explicit RuleKeys(const Symbols& symbols)
      : symbols_(symbols), bits_(static_cast<unsigned>(std::bit_width(symbols.n_ranks() - 1))), room_(64 / bits_) {}

  template <std::size_t kGaps>
  Instance<kGaps> instance(const AlignedBitext& bitext, const BitextLinks& links, std::size_t sentence,
                           const RuleSpans& rule, std::uint64_t count, RuleSides& sides) const {
    Instance<kGaps> made{};
    const PhraseSpan& whole = rule.whole;
    made.count = count;
    made.met = 1;
    made.tree = rule.tree;
    made.sentence = static_cast<std::uint32_t>(sentence);
    made.labels = rule.labels;
    made.source_begin = whole.source_begin;
    made.target_begin = whole.target_begin;
    made.n_source = static_cast<std::uint8_t>(whole.source_end - whole.source_begin);
    made.n_target = static_cast<std::uint8_t>(whole.target_end - whole.target_begin);
    made.n_gaps = static_cast<std::uint8_t>(rule.gaps.size());
    for (std::size_t g = 0; g < rule.gaps.size(); ++g) {
      const PhraseSpan& span = rule.gaps[g].span;
      made.gaps[g] = {static_cast<std::uint8_t>(span.source_begin - whole.source_begin),
                      static_cast<std::uint8_t>(span.source_end - span.source_begin),
                      static_cast<std::uint8_t>(span.target_begin - whole.target_begin),
                      static_cast<std::uint8_t>(span.target_end - span.target_begin)};
      made.gap_labels[g] = rule.gaps[g].labels;
    }
    sides.set(bitext, made);
    set_key(made, sides);
    made.target = target_hash(made, sides, true);
    made.links = links_hash(made, sides, links);
    return made;
  }

  /// Of the target side's text: with the numbers of its gaps as a part of a rule, without them on its own.
  template <class Rule>
  std::uint64_t target_hash(const Rule& at, const RuleSides& sides, bool numbered) const noexcept {
    std::uint64_t hash = mixed(1, symbols_.target_label(at.labels));  // spread before words come: theirs are small, too
    for (const auto symbol : sides.target) {
      std::uint64_t value = static_cast<std::uint32_t>(symbol);
      if (RuleSides::is_gap(symbol)) {
        const std::size_t gap = RuleSides::gap(symbol);
        value = (std::uint64_t{at.gap_labels[gap]} << 32 | (numbered ? gap : 0)) ^ (std::uint64_t{1} << 63);
      }
      hash = mixed(hash, value);
    }
    return mixed(hash, sides.target.size());
  }

  /// The ranks of the source side's symbols, the whole's label last: they compare as the spellings do.
  template <class Rule>
  void ranks(const Rule& at, const RuleSides& sides, std::vector<std::uint32_t>& ranks) const {
    ranks.clear();
    for_each_rank(at, sides, [&](std::uint32_t rank) { ranks.push_back(rank); });
  }

 private:
  template <class Rule, class Use>
  void for_each_rank(const Rule& at, const RuleSides& sides, const Use& use) const {
    for (const auto symbol : sides.source) {
      use(RuleSides::is_gap(symbol) ? symbols_.gap_rank(at.gap_labels[RuleSides::gap(symbol)])
                                    : symbols_.word_rank(symbol));
    }
    use(symbols_.whole_rank(at.labels));
  }

  template <std::size_t kGaps>
  void set_key(Instance<kGaps>& at, const RuleSides& sides) const {
    unsigned n = 0;
    std::uint64_t tail = 0;
    at.key = {0, 0};
    for_each_rank(at, sides, [&](std::uint32_t rank) {
      if (n < 2 * room_) {
        at.key[n / room_] |= static_cast<std::uint64_t>(rank) << (64 - bits_ * (n % room_ + 1));
      } else {
        tail = mixed(tail, rank);
      }
      ++n;
    });
    at.tail = n > 2 * room_ ? static_cast<std::uint32_t>(mixed(tail, n) >> 32) | 1U : 0;
  }

  template <std::size_t kGaps>
  std::uint32_t links_hash(const Instance<kGaps>& at, const RuleSides& sides, const BitextLinks& links) const {
    std::uint64_t hash = 0;
    links.for_each_link(at, sides,
                        [&](std::uint8_t s, std::uint8_t t) { hash = mixed(hash, (std::uint64_t{s} << 8 | t) + 1); });
    return static_cast<std::uint32_t>(hash >> 32);
  }

  const Symbols& symbols_;
  unsigned bits_;  // of a rank
  unsigned room_;  // ranks in one half of a key
};

}  // namespace dragoman::grammar
