#include "dragoman/grammar/tree_extract.hpp"

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include "dragoman/core/errors.hpp"
#include "expansions.hpp"

namespace dragoman::grammar {

namespace {

constexpr std::size_t kLongestWhole = 255;  // words; places in a rule are kept in bytes
constexpr Label kDefault = 0;

/// What the sources of all threads have seen; whole numbers, so that the order of adding does not matter.
struct Seen {
  std::atomic<std::uint64_t> trees = 0, nodes = 0, frontier = 0, cut = 0;
};

class RulesOfTrees final : public RuleSource {
 public:
  RulesOfTrees(const AlignedBitext& bitext, const phrase::SortedPoints& points, const Symbols& symbols,
               const Trees& trees, std::span<const std::int64_t> log_p, const TreeExtractOptions& options, Seen& seen)
      : bitext_(bitext),
        points_(points),
        symbols_(symbols),
        trees_(trees),
        log_p_(log_p),
        options_(options),
        seen_(seen),
        rules_(options.rules) {}

  void rules(std::size_t sentence, const Use& use) override {
    const auto source_at = static_cast<std::size_t>(bitext_.source_offsets[sentence]);
    const auto n_source = static_cast<std::size_t>(bitext_.source_offsets[sentence + 1]) - source_at;
    const auto n_target =
        static_cast<std::size_t>(bitext_.target_offsets[sentence + 1] - bitext_.target_offsets[sentence]);
    const auto first = static_cast<std::size_t>(trees_.offsets[sentence]);
    const auto nodes = trees_.nodes.subspan(first, static_cast<std::size_t>(trees_.offsets[sentence + 1]) - first);
    if (options_.phrases > 0 && (nodes.empty() || options_.phrases_of_trees)) {
      alignment_.set(points_.view(), source_at, n_source, n_target);
      alignment_.for_each_phrase(options_.phrases,
                                 [&](const PhraseSpan& span) { use({span, symbols_.pair(0, 0), {}}, kOne); });
    }
    if (nodes.empty()) return;
    set_tree(nodes, log_p_.empty() ? log_p_ : log_p_.subspan(first, nodes.size()), source_at, n_source, n_target,
             sentence);
    count(nodes.size());
    rules_.for_each([&](const TreeRule& rule) { add(rule, use); });
  }

 private:
  void count(std::size_t n_nodes) {
    ++seen_.trees;
    seen_.nodes += n_nodes;
    for (std::size_t node = 0; node < n_nodes; ++node) seen_.frontier += rules_.is_frontier(node) ? 1 : 0;
    seen_.cut += rules_.n_cut();
  }

  void set_tree(std::span<const TreeNode> nodes, std::span<const std::int64_t> log_p, std::size_t source_at,
                std::size_t n_source, std::size_t n_target, std::size_t sentence) {
    links_.clear();
    for (std::size_t s = 0; s < n_source; ++s) {
      for (auto p = points_.at(source_at + s); p < points_.at(source_at + s + 1); ++p) {
        const auto source = static_cast<std::uint16_t>(s), target = points_.target(p);
        links_.push_back(trees_.of_source ? phrase::Point{source, target} : phrase::Point{target, source});
      }
    }
    try {
      rules_.set(nodes, links_, trees_.of_source ? n_source : n_target, trees_.of_source ? n_target : n_source,
                 trees_.of_source, log_p);
    } catch (const data_error& error) {
      throw data_error("Sentence pair " + std::to_string(sentence + 1) + ": " + error.what());
    }
  }

  void add(const TreeRule& rule, const Use& use) {
    const PhraseSpan whole = span(rule.whole);
    if (whole.source_end - whole.source_begin > static_cast<int>(kLongestWhole) ||
        whole.target_end - whole.target_begin > static_cast<int>(kLongestWhole)) {
      return;
    }
    gaps_.clear();
    for (const NodeSpan& gap : rule.gaps) gaps_.push_back({span(gap), labels(gap)});
    std::ranges::sort(gaps_, {}, [](const RuleGap& gap) { return gap.span.source_begin; });
    use({whole, labels(rule.whole), gaps_, rule.log_p}, kOne);
  }

  PhraseSpan span(const NodeSpan& at) const noexcept {
    if (trees_.of_source) return {at.tree_begin, at.tree_end, at.begin, at.end};
    return {at.begin, at.end, at.tree_begin, at.tree_end};
  }
  LabelPair labels(const NodeSpan& at) const noexcept {
    const auto label = static_cast<Label>(at.label);
    return trees_.of_source ? symbols_.pair(label, kDefault) : symbols_.pair(kDefault, label);
  }

  const AlignedBitext& bitext_;
  const phrase::SortedPoints& points_;
  const Symbols& symbols_;
  const Trees& trees_;
  std::span<const std::int64_t> log_p_;
  const TreeExtractOptions& options_;
  Seen& seen_;
  TreeRules rules_;
  phrase::SentenceAlignment alignment_;
  std::vector<phrase::Point> links_;
  std::vector<RuleGap> gaps_;
};

void check(const Trees& trees, std::size_t n_sentences, std::size_t n_labels) {
  bool good = trees.offsets.size() == n_sentences + 1 && trees.offsets.front() == 0 &&
              trees.offsets.back() == static_cast<std::int64_t>(trees.nodes.size());
  for (std::size_t i = 1; good && i < trees.offsets.size(); ++i) good = trees.offsets[i - 1] <= trees.offsets[i];
  if (!good)
    throw data_error("The offsets of the trees must rise from 0 to the number of nodes, one for each sentence.");
  for (const TreeNode& node : trees.nodes) {
    if (node.label < 0 || static_cast<std::size_t>(node.label) >= n_labels) {
      throw data_error("A node has the label " + std::to_string(node.label) + "; there are " +
                       std::to_string(n_labels) + ".");
    }
  }
}

}  // namespace

TreeStatistics extract_trees(const AlignedBitext& bitext, const Symbols& symbols, const Trees& trees,
                             const TreeExtractOptions& options, const TestText& test, const ScoreOptions& scoring,
                             const std::function<void(std::string_view)>& write) {
  check(trees, bitext.size(), trees.of_source ? symbols.n_source_labels() : symbols.n_target_labels());
  TreeExtractOptions limited = options;
  limited.rules.gaps = options.rules.gaps == 0 ? kMostGaps : std::min(options.rules.gaps, kMostGaps);
  const phrase::SortedPoints points(bitext);
  Seen seen;
  const bool with_trees = std::ranges::find(scoring.features, RuleFeature::tree) != scoring.features.end();
  const auto log_p = with_trees ? expansion_logs(trees) : std::vector<std::int64_t>{};
  const auto source = [&] {
    return std::make_unique<RulesOfTrees>(bitext, points, symbols, trees, log_p, limited, seen);
  };
  const auto rules = score_rules(bitext, points, symbols, limited.rules.gaps, source, test, scoring, write);
  return {rules, seen.trees, seen.nodes, seen.frontier, seen.cut};
}

}  // namespace dragoman::grammar
