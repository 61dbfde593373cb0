#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "dragoman/phrase/features.hpp"

/// Sparse features (Chiang, Knight & Wang, NAACL 2009; Eidelman, WMT 2012): thousands of weights, one for each pair of
/// words, learnt by tuners that stand so many.
namespace dragoman::phrase {

/// What features without a state and without dense values share.
struct LocalSparse {
  using State = NoState;
  static State begin() { return {}; }
  std::vector<std::string> names() const { return {}; }
  template <class Sink>
  void end(const State&, Sink&) const {}
};

/// Each linked pair of a source and a target word.
struct WordPairs : LocalSparse {
  static constexpr SparseParts parts = SparseParts::source_target;
  template <class Sink>
  void extend(const State&, const Extension& step, State&, Sink& sink) const {
    for (const Link link : step.links) {
      if (link.source < step.source_words.size() && link.target < step.target_words.size()) {
        sink.add(step.source_words[link.source], step.target(link.target), 1);
      }
    }
  }
};
static_assert(DecoderFeature<WordPairs>);

/// Each target word of a phrase that is linked to nothing, with each source word of the phrase.
struct Insertions : LocalSparse {
  static constexpr SparseParts parts = SparseParts::target_source;
  template <class Sink>
  void extend(const State&, const Extension& step, State&, Sink& sink) const {
    for (std::size_t t = 0; t < step.target_words.size(); ++t) {
      if (std::ranges::any_of(step.links, [&](Link link) { return link.target == t; })) continue;
      for (const TokenId source : step.source_words) sink.add(step.target(t), source, 1);
    }
  }
};
static_assert(DecoderFeature<Insertions>);

/// Each source word of a phrase that is linked to nothing; named twice, as a name has two parts.
struct Deletions : LocalSparse {
  static constexpr SparseParts parts = SparseParts::source_source;
  template <class Sink>
  void extend(const State&, const Extension& step, State&, Sink& sink) const {
    for (std::size_t s = 0; s < step.source_words.size(); ++s) {
      if (std::ranges::any_of(step.links, [&](Link link) { return link.source == s; })) continue;
      sink.add(step.source_words[s], step.source_words[s], 1);
    }
  }
};
static_assert(DecoderFeature<Deletions>);

/// How many words become how many; more than nine count as nine.
struct PhraseLengths : LocalSparse {
  static constexpr SparseParts parts = SparseParts::numbers;
  template <class Sink>
  void extend(const State&, const Extension& step, State&, Sink& sink) const {
    const auto cut = [](std::size_t n) { return static_cast<TokenId>(std::min<std::size_t>(n, 9)); };
    sink.add(cut(step.source_words.size()), cut(step.target_words.size()), 1);
  }
};
static_assert(DecoderFeature<PhraseLengths>);

/// Each linked pair of what a source word is annotated with in this sentence and the class of the target word, both as
/// numbers: parts of speech tell apart what a word alone does not (as in Cherry's sparse features, NAACL 2013). The
/// table `target` has a class for each target word; words beyond it, and source words without a value (-1), count for
/// nothing.
struct TagPairs : LocalSparse {
  static constexpr SparseParts parts = SparseParts::numbers;
  static constexpr bool reads_layer = true;
  static constexpr std::array<std::string_view, 1> resources{"target"};

  std::vector<std::int32_t> classes;

  explicit TagPairs(const Resources& tables) : classes(tables.find("target")->second) {}
  template <class Sink>
  void extend(const State&, const Extension& step, State&, Sink& sink) const {
    for (const Link link : step.links) {
      if (link.source >= step.layer.size() || link.target >= step.target_words.size()) continue;
      const TokenId word = step.target_words[link.target];
      if (word < 0 || static_cast<std::size_t>(word) >= classes.size() || step.layer[link.source] < 0) continue;
      sink.add(step.layer[link.source], classes[static_cast<std::size_t>(word)], 1);
    }
  }
};
static_assert(DecoderFeature<TagPairs>);

/// Each two neighbours in the target, the borders of the sentence among them.
struct TargetBigrams {
  struct State {
    TokenId last = kUnknownPast;
  };
  static constexpr TokenId kUnknownPast = -9;
  static constexpr SparseParts parts = SparseParts::target_target;
  static State begin() { return {kSparseBegin}; }
  std::vector<std::string> names() const { return {}; }
  template <class Sink>
  void extend(const State& before, const Extension& step, State& after, Sink& sink) const {
    after = before;
    for (std::size_t t = 0; t < step.target_words.size(); ++t) {
      const TokenId word = step.target(t);
      if (after.last != kUnknownPast) sink.add(after.last, word, 1);
      after.last = word;
    }
  }
  template <class Sink>
  void end(const State& before, Sink& sink) const {
    if (before.last != kUnknownPast) sink.add(before.last, static_cast<TokenId>(kSparseEnd), 1);
  }

  /// Between neighbours on both sides: the outermost words.
  struct Part {
    TokenId first = kUnknownPast, last = kUnknownPast;
  };
  template <class Sink>
  void combine(const Rule& rule, std::span<const Part> parts, Part& whole, Sink& sink) const {
    const auto follow = [&](const Part& next) {
      if (next.first == kUnknownPast) return;  // it says nothing
      if (whole.last != kUnknownPast) sink.add(whole.last, next.first, 1);
      if (whole.first == kUnknownPast) whole.first = next.first;
      whole.last = next.last;
    };
    for (std::size_t t = 0; t < rule.target_words.size(); ++t) {
      const TokenId word = rule.target_words[t];
      follow(graph::is_gap(word) ? parts[graph::tail_of(word)] : Part{rule.target(t), rule.target(t)});
    }
  }
  template <class Sink>
  void finish(const Part& whole, Sink& sink) const {
    const TokenId begin = kSparseBegin, end = kSparseEnd;
    const bool says = whole.first != kUnknownPast;
    if (says) sink.add(begin, whole.first, 1);
    sink.add(says ? whole.last : begin, end, 1);
  }
};
static_assert(CombiningFeature<TargetBigrams> && !CombiningFeature<WordPairs>);

}  // namespace dragoman::phrase
