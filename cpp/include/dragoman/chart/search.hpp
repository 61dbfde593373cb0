#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "dragoman/chart/engine.hpp"
#include "dragoman/phrase/search.hpp"

namespace dragoman::chart {

using phrase::Constraints;
using phrase::DecodeOptions;
using phrase::Span;
using phrase::SparseValue;

struct RuleUse;
class RuleBook;
class SpanStates;
class Chart;
struct Item;

/// One way to make an item: by a rule, of those in its gaps.
struct Arc {
  const RuleUse* rule;
  std::span<const Item* const> tails;
  const Arc* next;  // another way to the same
  float score;      // weighted, what it adds to its tails
  float lattice;    // of the source's arcs that its words stand on
  Span span;
};

/// Translations of a source span that nothing they become part of tells apart.
struct Item {
  double score;  // of the best
  Arc* arcs;     // the best first
  std::uint32_t state;
  std::uint32_t number;  // in the order of making
  Span span;
};

/// A source span that is called so in the source, as a parser says.
struct LabelledSpan {
  std::uint32_t begin, end, label;
};

/// Translation by a grammar: every span is filled from its parts (CKY+; Chappelier & Rajman, TAPD 1998), the best of
/// what rules and parts make being found by cube pruning (Huang & Chiang, ACL 2007). Parts that no rule joins are glued
/// from left to right, so that every sentence has a translation. One object serves one thread for many sentences and
/// keeps its memory.
class Search {
 public:
  Search(const Engine& engine, const DecodeOptions& limits);
  ~Search();
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  /// Translate a sentence; the answers below are good until the next call. `labels`: what spans of the source are
  /// called, null: rules ask for nothing.
  void run(std::span<const TokenId> source, const Weights& weights, const Constraints* constraints = nullptr,
           const std::span<const LabelledSpan>* labels = nullptr);

  /// All complete translations, best first; none if constraints leave none. Their scores are without the end.
  std::span<const Item* const> complete() const noexcept { return complete_; }
  /// What the end of the sentence adds to each of them.
  std::span<const float> ends() const noexcept { return ends_; }
  const Engine& engine() const noexcept { return *engine_; }
  /// Words of the source, or one less than the nodes of a lattice.
  std::size_t length() const noexcept;
  phrase::Effort effort() const noexcept;

  /// The arcs of an item's best derivation, each behind those of its tails.
  static std::vector<const Arc*> best_of(const Item& item);
  /// The features of a derivation, added to `into`: of the rules one by one, language models on the whole of the words.
  void replay(std::span<const Arc* const> arcs, std::span<double> into, std::vector<SparseValue>* sparse);
  /// The features of one arc, and of the end behind an item.
  void explain(const Arc& arc, std::span<double> into, std::vector<SparseValue>* sparse);
  void explain_end(const Item& item, std::span<double> into, std::vector<SparseValue>* sparse);
  phrase::SearchSummary summary();
  float sparse_weight(phrase::SparseKey key) const noexcept { return sparse_ ? sparse_->of(key) : 0.0F; }

 private:
  void finish();

  const Engine* engine_;
  DecodeOptions limits_;
  std::unique_ptr<RuleBook> book_;
  std::unique_ptr<SpanStates> states_;
  std::unique_ptr<Chart> chart_;
  const phrase::SparseWeights* sparse_ = nullptr;
  std::vector<const Item*> complete_;
  std::vector<float> ends_;
};

}  // namespace dragoman::chart
