#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/chart/engine.hpp"
#include "dragoman/core/arena.hpp"
#include "span_states.hpp"

namespace dragoman::chart {

inline constexpr double kLn10 = 2.302585092994046;  // language models speak in log10, engines in natural logarithms

/// A rule with everything that is known before it is applied.
struct RuleUse {
  static constexpr std::uint32_t kNoRule = 0xFFFFFFFF;  // not from the table

  /// What a language model makes of the words before the first gap.
  struct Beginning {
    Reading reading;
    float log_p = 0;
  };

  std::uint32_t number = kNoRule;
  std::uint32_t n_unknown = 0;  // unknown, left out or inserted words
  std::uint32_t n_first = 0;    // symbols before the first gap
  bool is_glue = false;
  std::span<const TokenId> target = {};
  std::span<const Link> links = {};
  std::span<const float> given = {};           // values of the given features
  std::span<const Beginning> beginnings = {};  // by language model
  float fixed = 0;                             // weighted: scores, penalties, given features
  float estimate = 0;  // with what language models say of its words, not knowing what comes before them
};

/// The rules of one source side that give the same label, best first.
struct Bundle {
  Label label;
  float estimate;  // of the best
  std::span<const RuleUse* const> rules;
};

/// Weighed rules. Source sides come again in other sentences: what is known of theirs is kept.
class RuleBook {
 public:
  explicit RuleBook(const Engine& engine) : engine_(&engine) {}

  /// Weigh rules so from now on, at most `most` of a source side and label; what was made for one sentence is gone.
  void start(const Weights& weights, std::size_t most);
  /// The rules whose source side ends at a node.
  std::span<const Bundle> at(Node node);
  /// All of them, however many.
  std::span<const Bundle> all_at(Node node) { return made_at(node, 0xFFFFFFFF, sentence_); }

  /// A rule that is not in the table, for this sentence; its words, links and values must outlive it.
  const RuleUse* make(const RuleUse& rule);
  const RuleUse* glue() const noexcept { return glue_; }

  /// The features of a rule wherever it stands, added to `into`.
  void tell(const RuleUse& rule, std::span<double> into) const;

 private:
  std::span<const Bundle> made_at(Node node, std::size_t most, Arena& arena);
  void weigh(RuleUse& rule, Arena& arena) const;

  const Engine* engine_;
  std::vector<float> weights_;
  std::size_t most_ = 0, n_known_ = 0;
  Arena known_arena_, sentence_;
  /// The rules of a node, where its number leads to or behind that place; kNoNode: free.
  struct Known {
    Node node = kNoNode;
    std::uint32_t n_bundles = 0;
    const Bundle* bundles = nullptr;
  };
  Known& known(Node node) noexcept;
  void widen();

  std::vector<Known> known_;
  std::size_t n_nodes_ = 0;
  const RuleUse* glue_ = nullptr;
};

}  // namespace dragoman::chart
