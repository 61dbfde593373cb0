#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "derivation.hpp"
#include "dragoman/chart/batch.hpp"

namespace dragoman::chart {

namespace {

using graph::Hypergraph;
using graph::HypergraphBuilder;

/// Items that lie on a way to the end; whatever is made of others comes behind them. The beginning is the first.
std::vector<const Item*> live_items(const Search& search) {
  std::vector<const Item*> items(search.complete().begin(), search.complete().end());
  std::vector<const Item*> open = items;
  std::unordered_set<const Item*> reached(items.begin(), items.end());
  while (!open.empty()) {
    const Item* const item = open.back();
    open.pop_back();
    for (const Arc* arc = item->arcs; arc != nullptr; arc = arc->next) {
      for (const Item* tail : arc->tails) {
        if (!reached.insert(tail).second) continue;
        items.push_back(tail);
        open.push_back(tail);
      }
    }
  }
  std::ranges::sort(items, {}, &Item::number);
  return items;
}

/// Numbers of phrases: a rule, its span, and the spans of its gaps.
class Phrases {
 public:
  explicit Phrases(HypergraphBuilder& builder) : builder_(builder) {}

  std::uint32_t number(const Arc& arc) {
    const RuleUse& rule = *arc.rule;
    if (rule.is_glue) return Hypergraph::kNoPhrase;
    if (is_put_in(arc)) {
      // It stands behind all that is said so far, where phrases without gaps have their words.
      const Span source = source_of(arc);
      return builder_.add_phrase(source.begin, source.end, rule.target.subspan(1));
    }
    key_.assign({arc.span.begin, arc.span.end});
    for (const Item* tail : arc.tails) key_.insert(key_.end(), {tail->span.begin, tail->span.end});
    const auto [place, is_new] = numbers_[&rule].try_emplace(key_, 0);
    if (is_new) place->second = builder_.add_phrase(arc.span.begin, arc.span.end, rule.target, links_at(arc));
    return place->second;
  }

 private:
  HypergraphBuilder& builder_;
  std::vector<std::uint16_t> key_;
  std::unordered_map<const RuleUse*, std::map<std::vector<std::uint16_t>, std::uint32_t>> numbers_;
};

/// The features of arcs, sparse ones as their weighted sum.
class ArcFeatures {
 public:
  ArcFeatures(Search& search, std::size_t n_features) : search_(search), n_features_(n_features) {}

  template <class Explain>
  std::span<const float> row(const Explain& explain) {
    row_.clear();
    if (n_features_ == 0) return row_;
    std::vector<double> values(n_features_, 0.0);
    std::vector<SparseValue> sparse;
    explain(std::span(values).first(search_.engine().n_features()), &sparse);
    for (const SparseValue& each : sparse) {
      values.back() += static_cast<double>(search_.sparse_weight(each.key)) * static_cast<double>(each.value);
    }
    row_.assign(values.begin(), values.end());
    return row_;
  }

 private:
  Search& search_;
  std::size_t n_features_;
  std::vector<float> row_;
};

}  // namespace

SearchGraph search_graph(Search& search, bool with_features) {
  const Engine& engine = search.engine();
  const std::size_t n_features = with_features ? engine.n_features() + (engine.is_sparse() ? 1 : 0) : 0;
  HypergraphBuilder builder(search.length(), n_features);
  ArcFeatures features(search, n_features);
  Phrases phrases(builder);
  SearchGraph made;
  std::unordered_map<const Item*, std::uint32_t> numbers;
  std::vector<std::uint32_t> tails;
  for (const Item* item : live_items(search)) {
    numbers[item] = item->arcs ? builder.add_node() : 0;
    for (const Arc* arc = item->arcs; arc != nullptr; arc = arc->next) {
      tails.clear();
      for (const Item* tail : arc->tails) tails.push_back(numbers[tail]);
      const std::uint32_t phrase = phrases.number(*arc);
      builder.add_arc(tails, phrase, arc->score,
                      features.row([&](auto into, auto* sparse) { search.explain(*arc, into, sparse); }));
      made.arcs.push_back(arc);
    }
  }
  if (!search.complete().empty()) builder.add_node();
  for (std::size_t i = 0; i < search.complete().size(); ++i) {
    const Item* const item = search.complete()[i];
    builder.add_arc({&numbers[item], 1}, Hypergraph::kNoPhrase, search.ends()[i],
                    features.row([&](auto into, auto* sparse) { search.explain_end(*item, into, sparse); }));
  }
  made.graph = builder.finish();
  return made;
}

}  // namespace dragoman::chart
