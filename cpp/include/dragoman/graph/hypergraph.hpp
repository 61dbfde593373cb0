#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "dragoman/core/bytes.hpp"
#include "dragoman/text/word_table.hpp"

/// Derivations of translations, whatever engine made them, and what can be asked of all of them at once.
namespace dragoman::graph {

using text::TokenId;

/// A word of the source phrase and one of the target phrase that translate each other, counted from 0 in their phrases.
/// In a phrase of a graph that has gaps, source words are counted with those that fill the gaps, target words with the
/// gaps as one each.
struct Link {
  std::uint8_t source;
  std::uint8_t target;

  friend bool operator==(const Link&, const Link&) = default;
};

/// In the words of a phrase: here stand the words of a tail.
inline constexpr std::size_t kMostTails = 256;
constexpr TokenId gap(std::size_t tail) { return std::numeric_limits<TokenId>::min() + static_cast<TokenId>(tail); }
constexpr bool is_gap(TokenId word) { return word < gap(kMostTails); }
constexpr std::size_t tail_of(TokenId gap_word) {
  return static_cast<std::size_t>(static_cast<std::int64_t>(gap_word) - std::numeric_limits<TokenId>::min());
}

/// Everything a search found: nodes are partial translations that no continuation tells apart; an arc makes one of
/// them, its head, out of others, its tails, by a phrase. Node 0 is the beginning, the last node the end; arcs lead
/// from earlier nodes to later ones and are sorted by their heads.
///
/// A phrase-based search puts one phrase behind one partial translation: each arc has one tail. The rules of grammars
/// join several parts, or none; their phrases have gaps in which the words of the tails stand. In a phrase without
/// gaps what the tails say comes first, in their order, then its own words.
///
/// Flat arrays: a graph outlives the search, is saved and loaded as it is, and goes to Python without copying. One with
/// single tails stores nothing for the sake of the others.
class Hypergraph {
 public:
  static constexpr std::uint32_t kNoPhrase = 0xFFFFFFFF;  // an arc that adds no words: to the end, or gluing parts

  struct Arc {
    std::uint32_t tail;  // its only one; in a graph with many, where in the list of tails its own begin
    std::uint32_t to;    // its head
    std::uint32_t phrase;
    float score;  // weighted
  };
  /// A source span and its translation; an option of a search, or a rule with the span that it and its gaps cover.
  struct Phrase {
    std::uint32_t begin, end;
    std::uint32_t first_word, first_link;  // those of the next phrase end them
  };

  std::size_t n_nodes() const noexcept { return arc_offsets_.empty() ? 0 : arc_offsets_.size() - 1; }
  std::size_t n_phrases() const noexcept { return phrases_.empty() ? 0 : phrases_.size() - 1; }
  std::size_t n_features() const noexcept { return n_features_; }
  std::size_t n_source() const noexcept { return n_source_; }
  bool is_many_tailed() const noexcept { return is_many_tailed_; }
  std::span<const Arc> arcs() const noexcept { return arcs_; }
  std::span<const std::uint32_t> tails(std::size_t arc) const noexcept {
    if (!is_many_tailed_) return {&arcs_[arc].tail, 1};
    const std::size_t end = arc + 1 < arcs_.size() ? arcs_[arc + 1].tail : tails_.size();
    return std::span(tails_).subspan(arcs_[arc].tail, end - arcs_[arc].tail);
  }
  /// The arcs to a node are [arc_offsets()[node], arc_offsets()[node + 1]).
  std::span<const std::uint32_t> arc_offsets() const noexcept { return arc_offsets_; }
  std::span<const Phrase> phrases() const noexcept { return {phrases_.data(), n_phrases()}; }
  std::span<const TokenId> words() const noexcept { return words_; }
  std::span<const Link> links() const noexcept { return links_; }
  std::span<const TokenId> words_of(std::uint32_t phrase) const noexcept {
    if (phrase == kNoPhrase) return {};
    return std::span(words_).subspan(phrases_[phrase].first_word,
                                     phrases_[phrase + 1].first_word - phrases_[phrase].first_word);
  }
  std::span<const Link> links_of(std::uint32_t phrase) const noexcept {
    if (phrase == kNoPhrase) return {};
    return std::span(links_).subspan(phrases_[phrase].first_link,
                                     phrases_[phrase + 1].first_link - phrases_[phrase].first_link);
  }
  bool has_gaps(std::uint32_t phrase) const noexcept;
  std::span<const float> features() const noexcept { return features_; }
  std::span<const float> features_of(std::size_t arc) const noexcept {
    return std::span(features_).subspan(arc * n_features_, n_features_);
  }

  /// Tell what an arc says, in its order: `part(k)` where the words of tail k stand, `word(w)` for each of its own.
  template <class Part, class Word>
  void tell(std::size_t arc, const Part& part, const Word& word) const {
    const auto words = words_of(arcs_[arc].phrase);
    if (!is_many_tailed_ || !has_gaps(arcs_[arc].phrase)) {
      for (std::size_t k = 0; k < tails(arc).size(); ++k) part(k);
    }
    for (const TokenId each : words) is_gap(each) ? part(tail_of(each)) : word(each);
  }

  /// The graph with the `most_arcs` best arcs, or a few more, and what hangs together by them: an arc is as good as the
  /// best derivation with it. The best derivations stay.
  Hypergraph pruned(std::size_t most_arcs) const;

  /// Weigh every arc anew by its features. Throws data_error if there are none or their number differs.
  void reweigh(std::span<const float> weights);

  /// The content of a file, and a graph from one. Throws data_error that says what is wrong with it.
  Bytes serialised() const;
  static Hypergraph loaded(std::string_view file);

 private:
  friend class HypergraphBuilder;
  void check() const;

  std::size_t n_source_ = 0, n_features_ = 0;
  bool is_many_tailed_ = false;
  std::vector<Arc> arcs_;
  std::vector<std::uint32_t> arc_offsets_;
  std::vector<std::uint32_t> tails_;  // empty where each arc has one
  std::vector<Phrase> phrases_;       // one more than there are
  std::vector<TokenId> words_;
  std::vector<Link> links_;
  std::vector<float> features_;
};

/// Puts a graph together, node by node. It begins with the beginning alone, node 0.
class HypergraphBuilder {
 public:
  explicit HypergraphBuilder(std::size_t n_source, std::size_t n_features = 0);

  /// The number of a phrase that translates the source words [begin, end).
  std::uint32_t add_phrase(std::uint32_t begin, std::uint32_t end, std::span<const TokenId> words,
                           std::span<const Link> links = {});
  /// The number of the next node; arcs that are added lead there.
  std::uint32_t add_node();
  /// `tails` are earlier nodes. An arc that joins nothing has none, or the beginning.
  void add_arc(std::span<const std::uint32_t> tails, std::uint32_t phrase, float score,
               std::span<const float> features = {});
  /// The graph, whose end is the last node. Throws data_error where an array leads outside another.
  Hypergraph finish();

 private:
  void give_many_tails();

  Hypergraph graph_;
};

/// One derivation: numbers of its arcs, each behind those of its tails, which stand in their order. Where arcs have one
/// tail, that is from first to last.
struct Path {
  double score = 0;
  std::vector<std::uint32_t> arcs;
};

/// The target words of a derivation.
std::vector<TokenId> words_of(const Hypergraph& graph, const Path& path);

/// The word links of a derivation: places in the source and in its target words, by the target's.
std::vector<std::pair<std::uint32_t, std::uint32_t>> links_of(const Hypergraph& graph, const Path& path);

/// By node, whether its words may stand behind others: if not, whatever is made of it begins with them.
std::vector<bool> inner_nodes(const Hypergraph& graph);

}  // namespace dragoman::graph
