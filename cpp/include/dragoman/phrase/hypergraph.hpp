#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "dragoman/core/bytes.hpp"
#include "dragoman/phrase/search.hpp"

namespace dragoman::phrase {

/// Everything a search found: nodes are partial translations that no continuation tells apart, arcs the phrases between
/// them. A phrase-based search joins one partial translation with one phrase, so each arc has one tail, and the
/// hypergraph is a graph: node 0 is the beginning, the last node the end, arcs lead forward and are sorted by where they
/// lead. Flat arrays: it outlives the search, is saved and loaded as it is, and goes to Python without copying.
class Hypergraph {
 public:
  static constexpr std::uint32_t kNoPhrase = 0xFFFFFFFF;  // an arc to the end

  struct Arc {
    std::uint32_t from, to;
    std::uint32_t phrase;
    float score;  // weighted
  };
  /// A source span and its translation; an option of the search.
  struct Phrase {
    std::uint32_t begin, end;
    std::uint32_t first_word, first_link;  // those of the next phrase end them
  };

  Hypergraph() = default;
  /// The graph of a finished search; with `features`, those of every arc, of `n_features` each: the engine's and, if it
  /// has sparse ones, their weighted sum, whose weight is 1.
  Hypergraph(const Search& search, bool features);

  std::size_t n_nodes() const noexcept { return arc_offsets_.empty() ? 0 : arc_offsets_.size() - 1; }
  std::size_t n_phrases() const noexcept { return phrases_.empty() ? 0 : phrases_.size() - 1; }
  std::size_t n_features() const noexcept { return n_features_; }
  std::size_t n_source() const noexcept { return n_source_; }
  std::span<const Arc> arcs() const noexcept { return arcs_; }
  std::span<const Arc> arcs_to(std::size_t node) const noexcept {
    return std::span(arcs_).subspan(arc_offsets_[node], arc_offsets_[node + 1] - arc_offsets_[node]);
  }
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
  std::span<const float> features() const noexcept { return features_; }
  /// The options behind the phrases; good until the search runs again, empty for a loaded graph.
  std::span<const Option* const> options() const noexcept { return options_; }
  void forget_options() noexcept { options_.clear(); }

  /// The graph with the `most_arcs` best arcs, or a few more, and what hangs together by them: an arc is as good as the
  /// best way through it. The best ways stay.
  Hypergraph pruned(std::size_t most_arcs) const;

  /// Weigh every arc anew by its features. Throws data_error if there are none or their number differs.
  void reweigh(std::span<const float> weights);

  /// The content of a file, and a graph from one. Throws data_error that says what is wrong with it.
  Bytes serialised() const;
  static Hypergraph loaded(std::string_view file);

 private:
  void check() const;

  std::size_t n_source_ = 0, n_features_ = 0;
  std::vector<Arc> arcs_;
  std::vector<std::uint32_t> arc_offsets_;
  std::vector<Phrase> phrases_;  // one more than there are
  std::vector<TokenId> words_;
  std::vector<Link> links_;
  std::vector<float> features_;
  std::vector<const Option*> options_;
};

/// One way through a graph: numbers of its arcs, first to last.
struct Path {
  double score = 0;
  std::vector<std::uint32_t> arcs;
};

/// The target words of a way.
std::vector<TokenId> words_of(const Hypergraph& graph, const Path& path);

/// Best score from the beginning to each node, and from each node to the end.
std::vector<double> best_before(const Hypergraph& graph);
std::vector<double> best_behind(const Hypergraph& graph);

/// The probability of each arc when ways are drawn in proportion to exp(scale · score) (inside–outside), and the
/// logarithm of what they sum to.
struct Posteriors {
  std::vector<double> arcs;
  double log_total = 0;
};
Posteriors posteriors(const Hypergraph& graph, double scale);

/// For each word of a way, how much of the probability agrees that this word translates its source word: all ways cover
/// that word once, and some do so with a phrase that says the same.
std::vector<double> word_confidence(const Hypergraph& graph, const Path& path, std::span<const double> arc_posteriors);

/// The way whose beginning is nearest to given words, and where in it they end: `n_words` of its words stand for the
/// prefix. An edit (a word inserted, left out or replaced) costs `edit_cost`; what follows is the best that can follow.
/// `next`: a word behind the prefix is one of these (see Target::next), or an edit. Graphs answer while a translator
/// types (Och, Zens & Ney, EACL 2003).
struct Completion {
  Path path;
  std::size_t n_words = 0;
  std::size_t edits = 0;
};
Completion complete(const Hypergraph& graph, std::span<const TokenId> prefix, std::span<const TokenId> next,
                    double edit_cost);

/// The way nearest to a whole translation by word edits, the best of those: what the search could have said.
Completion closest(const Hypergraph& graph, std::span<const TokenId> target);

/// The way whose beginning is nearest to a prefix, with `next` as in `complete`, and whose end is nearest to a suffix;
/// between them anything may be said. `n_words` are all of its words.
Completion bridge(const Hypergraph& graph, std::span<const TokenId> prefix, std::span<const TokenId> next,
                  std::span<const TokenId> suffix, double edit_cost);

}  // namespace dragoman::phrase
