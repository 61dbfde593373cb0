#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/core/arena.hpp"
#include "dragoman/phrase/options.hpp"

namespace dragoman::phrase {

struct Coverage;

/// A partial translation. Those that no continuation can tell apart are kept together: the best stands in the stack, the
/// others hang on it as `worse`.
struct Hypothesis {
  float score;                  // weighted, so far
  const Coverage* coverage;     // which source words are translated
  const Hypothesis* before;     // null: nothing is translated yet
  const Option* option;         // what was applied last
  const lm::State* lm_states;   // one for each language model
  Hypothesis* worse;
  std::uint32_t number;         // in the order of making
};

/// The options of a hypothesis and those before it, in the order of the target.
std::vector<const Option*> steps_of(const Hypothesis& hypothesis);

/// What a search cost. Counts do not depend on the machine.
struct Effort {
  std::uint64_t hypotheses = 0;  // scored
  std::uint64_t lm_queries = 0;
};

/// Phrase-based stack decoding with cube pruning (Huang & Chiang, ACL 2007). One object serves one thread for many
/// sentences and keeps its memory.
class Search {
 public:
  Search(const Engine& engine, const DecodeOptions& limits);
  ~Search();

  /// Translate a sentence. The best complete hypothesis, whose score has its end; good until the next call.
  const Hypothesis* run(std::span<const TokenId> source, std::span<const float> weights);

  /// All complete hypotheses of the last sentence, best first, those told apart by their past alone as `worse`.
  std::span<const Hypothesis* const> complete() const noexcept { return complete_; }
  const OptionSet& options() const noexcept { return options_; }
  const Effort& effort() const noexcept { return effort_; }

  /// The features of a translation of the last sentence, given as its options in the order of the target, added to
  /// `into`: a replay that shares nothing with the search but the models. Weighted they are the translation's score.
  void replay(std::span<const Option* const> steps, std::span<double> into) const;

 private:
  struct Edge;
  struct Cell;
  struct Stack;
  struct LessPromising;

  /// What applying an option to a hypothesis adds, weighted, and the states behind it.
  float step(const Hypothesis& before, const Option& option, lm::State* states);
  const Coverage* cover(const Coverage* before, Span span);
  void open_edges(std::size_t covered);
  void explore(std::size_t covered);
  void offer(Edge& edge, std::uint32_t hypothesis, std::uint32_t option);
  float guess(const Edge& edge, const Hypothesis& before, const Option& option) const;
  void keep(Stack& stack, const Hypothesis& candidate);
  float reordering(const Hypothesis& before, const Option& option) const;
  void finish_all();

  const Engine* engine_;
  DecodeOptions limits_;
  OptionSet options_;
  std::vector<float> weights_;
  Arena arena_;
  std::vector<Stack> stacks_;
  std::vector<Cell> cells_;
  std::vector<std::uint32_t> heap_;
  std::vector<const Hypothesis*> complete_;
  Effort effort_;
  std::uint32_t n_made_ = 0;
};

}  // namespace dragoman::phrase
