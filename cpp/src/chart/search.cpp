#include "dragoman/chart/search.hpp"

#include <algorithm>

#include "chart.hpp"

namespace dragoman::chart {

Search::Search(const Engine& engine, const DecodeOptions& limits)
    : engine_(&engine),
      limits_(limits),
      book_(std::make_unique<RuleBook>(engine)),
      states_(std::make_unique<SpanStates>(engine)),
      chart_(std::make_unique<Chart>(engine, *book_, *states_, limits_)) {}
Search::~Search() = default;

std::size_t Search::length() const noexcept { return chart_->length(); }

phrase::Effort Search::effort() const noexcept { return {chart_->n_scored(), states_->n_queries()}; }

void Search::run(std::span<const TokenId> source, const Weights& weights, const Constraints* constraints,
                 const std::span<const LabelledSpan>* labels) {
  sparse_ = weights.sparse;
  states_->start(weights);
  book_->start(weights, limits_.options_per_phrase);
  chart_->run(source, weights, constraints, labels);
  finish();
}

void Search::finish() {
  complete_.clear();
  ends_.clear();
  struct Ended {
    double score;
    float end;
    const Item* item;
  };
  std::vector<Ended> all;
  for (const Choice& each : chart_->complete()) {
    const float end = states_->end(each.state);
    all.push_back({each.score + static_cast<double>(end), end, each.item});
  }
  std::ranges::stable_sort(all, [](const Ended& a, const Ended& b) { return a.score > b.score; });
  for (const Ended& each : all) {
    complete_.push_back(each.item);
    ends_.push_back(each.end);
  }
}

std::vector<const Arc*> Search::best_of(const Item& item) {
  // Heads first and tails from the last: the other way round it is the order of a derivation.
  std::vector<const Arc*> arcs;
  std::vector<const Item*> open{&item};
  while (!open.empty()) {
    const Item* const next = open.back();
    open.pop_back();
    if (!next->arcs) continue;  // the beginning
    arcs.push_back(next->arcs);
    open.insert(open.end(), next->arcs->tails.begin(), next->arcs->tails.end());
  }
  std::ranges::reverse(arcs);
  return arcs;
}

}  // namespace dragoman::chart
