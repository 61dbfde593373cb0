#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "dragoman/core/arena.hpp"
#include "dragoman/phrase/blocks.hpp"
#include "dragoman/phrase/options.hpp"

namespace dragoman::phrase {

struct Coverage;
class LanguageStates;

/// A partial translation. Those that no continuation can tell apart are kept together: the best stands in the stack,
/// the others hang on it as `worse`.
struct Hypothesis {
  float score;               // weighted, so far
  std::uint32_t number;      // in the order of making
  const Coverage* coverage;  // which source words are translated
  const Hypothesis* before;  // null: nothing is translated yet
  const Option* option;      // what was applied last
  const Block* stack;        // the blocks so far, if orientation or a constraint asks for them
  Hypothesis* worse;
  std::uint32_t lm;      // number of the states of language models and features
  std::uint32_t target;  // words of the constrained target that are said
};

/// The options of a hypothesis and those before it, in the order of the target.
std::vector<const Option*> steps_of(const Hypothesis& hypothesis);

/// What a search cost. Counts do not depend on the machine.
struct Effort {
  std::uint64_t hypotheses = 0;  // scored
  std::uint64_t lm_queries = 0;
};

/// What a number is over the steps of a search.
struct Spread {
  double mean = 0, variance = 0, least = 0, most = 0;
};

/// A search in a few numbers. Nodes are partial translations that no continuation tells apart, arcs the steps that lead
/// to those of them that lie on a way to the end.
struct SearchSummary {
  std::uint64_t n_nodes = 0, n_dead = 0;  // dead: no step from there reached the end
  std::uint64_t n_arcs = 0;
  std::uint64_t n_options = 0,
                option_words = 0;  // translations of source phrases at hand, and the words of these phrases
  // Over arcs: each feature, the weighted score, and the estimate of what is still to come behind it.
  std::vector<Spread> spreads;
};

/// Phrase-based stack decoding with cube pruning (Huang & Chiang, ACL 2007). One object serves one thread for many
/// sentences and keeps its memory.
class Search {
 public:
  Search(const Engine& engine, const DecodeOptions& limits);
  ~Search();
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  /// Translate a sentence. The best complete hypothesis, whose score has its end; good until the next call. Null if the
  /// constraints leave none. Throws data_error if they do not fit the sentence.
  /// `layer`: what each word is annotated with, or nothing.
  const Hypothesis* run(std::span<const TokenId> source, const Weights& weights,
                        const Constraints* constraints = nullptr, std::span<const std::int32_t> layer = {});

  /// All complete hypotheses of the last sentence, best first, those told apart by their past alone as `worse`.
  std::span<const Hypothesis* const> complete() const noexcept { return complete_; }
  /// What the end of the sentence added to each of them.
  std::span<const float> ends() const noexcept { return ends_; }
  const Engine& engine() const noexcept { return *engine_; }
  const OptionSet& options() const noexcept { return options_; }
  Effort effort() const noexcept;

  /// The features of a translation of the last sentence, given as its options in the order of the target, added to
  /// `into`: a replay that shares nothing with the search but the models. Weighted they are the translation's score.
  void replay(std::span<const Option* const> steps, std::span<double> into,
              std::vector<SparseValue>* sparse = nullptr) const;
  /// The features of one step of the search, added to `into`: what `option` adds behind `before`, and with `last` also
  /// what the end of the sentence adds behind that.
  void explain(const Hypothesis& hypothesis, bool last, std::span<double> into,
               std::vector<SparseValue>* sparse = nullptr) const;
  /// What the last search was like.
  SearchSummary summary() const;
  /// The weight of a sparse feature in the last search.
  float sparse_weight(SparseKey key) const noexcept { return sparse_ ? sparse_->of(key) : 0.0F; }

 private:
  struct Edge;
  struct Cell;
  struct Stack;
  struct Ordered;
  struct Place;

  const Coverage* cover(const Coverage* before, Span span);
  void open_edges(std::size_t covered);
  void open_edges_of(std::size_t covered, std::span<const Hypothesis* const> group);
  std::span<const Option* const> admitted(std::span<const Option* const> options, std::size_t target, bool last);
  const Option* fitted(const Option& option, std::size_t target, bool last);
  void explore(std::size_t covered);
  void offer(Edge& edge, std::uint32_t hypothesis, std::uint32_t option);
  Cell guess(Edge& edge, std::uint32_t hypothesis, std::uint32_t option) const;
  void keep(Stack& stack, Hypothesis* made);
  bool same_to_all_that_follow(const Hypothesis& a, const Hypothesis& b) const;
  float reordering(const Hypothesis& before, const Option& option) const;
  unsigned orientation_before(const Hypothesis& before, Span block) const;
  float end_of(const Hypothesis& hypothesis);
  void finish_all();

  const Engine* engine_;
  DecodeOptions limits_;
  OptionSet options_;
  std::unique_ptr<LanguageStates> lm_;
  BlockStacks blocks_;
  bool uses_blocks_;
  const Constraints* constraints_ = nullptr;
  std::vector<float> weights_;
  const SparseWeights* sparse_ = nullptr;
  std::vector<float> jumps_;  // what a jump over so many words adds, weighted
  Arena arena_;
  std::vector<Stack> stacks_;
  std::vector<const Coverage*> coverages_;  // open addressing
  std::vector<std::uint64_t> scratch_;
  std::size_t n_coverages_ = 0;
  std::vector<Ordered> ordered_;
  std::vector<Cell> cells_;
  std::vector<Place> heap_;
  std::vector<const Hypothesis*> complete_;
  std::vector<float> ends_;
  std::unordered_map<std::uint64_t, const Option*> fitted_;
  std::uint64_t n_scored_ = 0;
  std::uint32_t n_made_ = 0;
};

}  // namespace dragoman::phrase
