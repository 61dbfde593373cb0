#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dragoman/core/bytes.hpp"
#include "dragoman/graph/hypergraph.hpp"

/// Translation by the rules of a grammar: the rules, the search, and what several grammars say together.
namespace dragoman::chart {

using graph::Link;
using text::TokenId;

/// What the whole of a rule or a gap is called, in the source and in the target: the number of such a pair of names.
using Label = std::uint32_t;
using LabelNames = std::pair<std::uint32_t, std::uint32_t>;  // numbers of source and target name

/// Where a way through the source sides of rules has come to.
using Node = std::uint32_t;
inline constexpr Node kRoot = 0;
inline constexpr Node kNoNode = 0xFFFFFFFF;

/// A symbol of a source side is a word, or a gap by its label.
constexpr TokenId gap_symbol(Label label) { return std::numeric_limits<TokenId>::min() + static_cast<TokenId>(label); }
constexpr bool is_gap_symbol(TokenId symbol) { return symbol < 0; }
constexpr Label label_of(TokenId symbol) { return static_cast<std::uint32_t>(symbol) & 0x7FFFFFFF; }

/// The most symbols of a side: links count them in a byte.
inline constexpr std::size_t kMostSymbols = 255;

/// A rule without its source side, which is the way to it.
struct RuleView {
  Label label;                      // of the whole
  std::span<const TokenId> target;  // words, and graph::gap(k) where what fills the source side's gap k stands
  std::span<const Link> links;      // of words: places among the symbols of the two sides, gaps counted, too
};

/// Rules by their source sides: a trie of words and labelled gaps, flat, so that a file of it is mapped and used as it
/// is.
class RuleTable {
 public:
  struct Gap {
    Label label;
    Node to;
  };
  struct Range {
    std::uint32_t first, last;
  };

  std::size_t n_rules() const noexcept { return entries_.size() - 1; }
  std::size_t n_nodes() const noexcept { return nodes_.size() - 1; }
  std::size_t n_sources() const noexcept { return n_sources_; }  // source sides that have rules
  std::size_t n_scores() const noexcept { return n_scores_; }
  std::size_t n_source_words() const noexcept { return root_.size(); }
  std::size_t n_target_words() const noexcept { return n_target_words_; }
  bool is_quantised() const noexcept { return !bins_.empty(); }
  /// The names of a label's two sides are those of its pair.
  std::span<const LabelNames> labels() const noexcept { return labels_; }
  std::size_t n_source_labels() const noexcept { return n_source_labels_; }
  std::size_t n_target_labels() const noexcept { return n_target_labels_; }

  /// Where a word leads from a node; kNoNode: no source side goes on so.
  Node after(Node node, TokenId word) const noexcept {
    if (node == kRoot)
      return static_cast<std::size_t>(word) < root_.size() ? root_[static_cast<std::size_t>(word)] : kNoNode;
    return after_inner(node, word);
  }
  /// Where gaps lead from a node, by label.
  std::span<const Gap> gaps(Node node) const noexcept {
    return gaps_.subspan(nodes_[node].gap, nodes_[node + 1].gap - nodes_[node].gap);
  }
  /// Whether a source side goes on from a node other than the root with a word.
  bool has_words(Node node) const noexcept { return nodes_[node].step != nodes_[node + 1].step; }
  /// The rules whose source side ends at a node.
  Range rules(Node node) const noexcept { return {nodes_[node].rule, nodes_[node + 1].rule}; }
  RuleView rule(std::uint32_t number) const noexcept {
    const Entry& here = entries_[number];
    const Entry& next = entries_[number + 1];
    return {here.label, words_.subspan(here.word, next.word - here.word),
            links_.subspan(here.link, next.link - here.link)};
  }
  /// The natural logarithms of a rule's scores, none below -100 (phrase::floored).
  void scores(std::uint32_t number, std::span<float> into) const noexcept;

  /// Where a source side ends, or kNoNode.
  Node find(std::span<const TokenId> symbols) const noexcept;
  /// Call `use(symbols, rules)` for every source side that has rules, each behind those that it goes on from.
  template <class Use>
  void for_each_side(const Use& use) const {
    std::vector<TokenId> symbols;
    walk(kRoot, symbols, use);
  }

  /// How many rules have so many gaps, in the order of the source or not, and a label.
  struct Kind {
    std::uint32_t n_gaps;
    bool is_monotone;
    Label label;

    friend auto operator<=>(const Kind&, const Kind&) = default;
  };
  std::vector<std::pair<Kind, std::size_t>> kinds() const;

  /// The content of a table file, which is the table, and a table on one, which `owner` keeps in memory. All that leads
  /// from one array into another is looked at first. Throws data_error that says what is wrong with it.
  std::string_view file() const noexcept { return file_; }
  static std::unique_ptr<RuleTable> on_file(std::string_view file, std::shared_ptr<const void> owner);

 private:
  friend class RuleTableBuilder;
  struct Step {
    TokenId word;
    Node to;
  };
  struct NodeEntry {
    std::uint32_t step, gap, rule;  // where its own begin; they end where those of the next node begin
  };
  struct Entry {
    std::uint32_t word, link;  // where its own begin
    Label label;
  };
  enum Array { kLabels, kRoots, kNodes, kSteps, kGaps, kEntries, kWords, kLinks, kScores, kBins, kCodes, kArrays };
  struct Header;

  static std::unique_ptr<RuleTable> on_bytes(Bytes&& file);
  Node after_inner(Node node, TokenId word) const noexcept;
  bool is_sound() const;
  bool is_tree(std::vector<std::uint8_t>& depths, std::vector<std::uint8_t>& n_gaps) const;
  bool has_sound_rules(Node node, std::size_t depth, std::size_t n_gaps) const;

  template <class Use>
  void walk(Node node, std::vector<TokenId>& symbols, const Use& use) const {
    if (const Range own = rules(node); own.first < own.last) use(std::span<const TokenId>(symbols), own);
    const auto go_on = [&](TokenId symbol, Node to) {
      symbols.push_back(symbol);
      walk(to, symbols, use);
      symbols.pop_back();
    };
    if (node == kRoot) {
      for (std::size_t word = 0; word < root_.size(); ++word) {
        if (root_[word] != kNoNode) go_on(static_cast<TokenId>(word), root_[word]);
      }
    }
    for (auto i = nodes_[node].step; i < nodes_[node + 1].step; ++i) go_on(steps_[i].word, steps_[i].to);
    for (const Gap& gap : gaps(node)) go_on(gap_symbol(gap.label), gap.to);
  }

  std::size_t n_scores_ = 0, n_sources_ = 0, n_target_words_ = 0, n_source_labels_ = 0, n_target_labels_ = 0;
  std::vector<LabelNames> labels_;
  std::span<const Node> root_;        // by word: where it leads from the beginning, where most words go on
  std::span<const NodeEntry> nodes_;  // one more than there are; a node comes behind the one that leads to it
  std::span<const Step> steps_;       // of every other node, by word
  std::span<const Gap> gaps_;         // by label
  std::span<const Entry> entries_;    // one more than there are rules
  std::span<const TokenId> words_;
  std::span<const Link> links_;
  std::span<const float> scores_;  // empty if quantised
  std::span<const float> bins_;    // 256 for each score
  std::span<const std::uint8_t> codes_;
  std::string_view file_;
  std::shared_ptr<const void> owner_;
};

/// Makes a table of rules in any order; those of one source side keep theirs.
class RuleTableBuilder {
 public:
  explicit RuleTableBuilder(std::size_t n_scores);

  /// `source`: words and gap_symbol; the rest as in RuleView. `scores` has n_scores logarithms.
  void add(std::span<const TokenId> source, const RuleView& rule, std::span<const float> scores);
  std::size_t n_rules() const noexcept { return rules_.size(); }

  struct Sizes {
    std::size_t n_source_words, n_target_words;
    std::size_t n_source_labels, n_target_labels;
  };
  /// The table, with what the labels' sides are called; its scores in 256 bins each, if `quantised`.
  std::unique_ptr<RuleTable> finish(std::span<const LabelNames> labels, const Sizes& sizes, bool quantised);

 private:
  struct Way {  // to the node that has its place among them, from 1
    Node from;
    TokenId symbol;
  };
  struct Rule {
    Node node;
    RuleTable::Entry begins;
  };
  class File;

  Node step(Node from, TokenId symbol);
  void widen();
  std::vector<RuleTable::NodeEntry> counted_nodes() const;
  std::vector<std::uint32_t> order_by_node(std::span<const RuleTable::NodeEntry> nodes) const;
  void put_ways(const File& file, std::span<const RuleTable::NodeEntry> nodes, std::size_t n_source_words);
  void put_rules(const File& file, std::span<const std::uint32_t> order);
  void put_scores(const File& file, std::span<const std::uint32_t> order) const;
  void put_bins(const File& file, std::span<const std::uint32_t> order) const;

  std::size_t n_scores_;
  std::vector<Way> ways_;
  std::vector<Node> slots_;  // of a hash table of ways; kNoNode: free
  std::vector<Rule> rules_;
  std::vector<TokenId> words_;
  std::vector<Link> links_;
  std::vector<float> scores_;
  std::vector<TokenId> last_;  // the source side before this one, which often begins alike
  std::vector<Node> last_nodes_;
};

}  // namespace dragoman::chart
