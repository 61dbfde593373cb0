#include <algorithm>
#include <cstring>
#include <unordered_set>

#include "chart.hpp"
#include "derivation.hpp"
#include "phrase/running.hpp"

namespace dragoman::chart {

namespace {

std::vector<std::uint32_t> states_of(const Arc& arc) {
  std::vector<std::uint32_t> states;
  for (const Item* tail : arc.tails) states.push_back(tail->state);
  return states;
}

}  // namespace

void Search::replay(std::span<const Arc* const> arcs, std::span<double> into, std::vector<SparseValue>* sparse) {
  for (const Arc* arc : arcs) {
    book_->tell(*arc->rule, into);
    if (engine_->n_given() > 0) into[engine_->given_at()] += static_cast<double>(arc->lattice);
  }
  const auto said = said_by(arcs);
  const auto& models = engine_->language_models();
  for (std::size_t m = 0; m < models.size(); ++m) {
    lm::State before = models[m].model->begin(), after;
    double sum = 0;
    const auto say = [&](lm::WordId word) {
      sum += static_cast<double>(phrase::floored(models[m].model->score(before, word, after).log_p));
      before = after;
    };
    for (const Said& each : said) {
      if (each.place != Said::kNothing) say(models[m].id(each.arc->rule->target[each.place]));
    }
    say(lm::kEos);
    into[engine_->language_model_at(m)] += kLn10 * sum;
  }
  phrase::Recorder sink(into, sparse);
  for (const FeatureUse& use : engine_->features()) {
    using Bytes = std::vector<std::byte>;
    const std::size_t size = use.feature->part_size();
    const auto combine = [&](const RuleUse& rule, std::span<Bytes> parts) {
      Bytes all, whole(size + 1);
      for (const Bytes& part : parts)
        all.insert(all.end(), part.begin(), part.begin() + static_cast<std::ptrdiff_t>(size));
      const phrase::Rule asked{{}, rule.target, rule.links, engine_->n_target_words()};
      sink.turn_to(use.at, use.family);
      use.feature->combine(asked, all.data(), parts.size(), whole.data(), sink);
      return whole;
    };
    const Bytes beginning = combine({}, {});
    const Bytes whole = folded<Bytes>(
        arcs, beginning, [&](const Arc& arc, std::span<Bytes> parts) { return combine(*arc.rule, parts); });
    sink.turn_to(use.at, use.family);
    use.feature->finish(whole.data(), sink);
  }
}

void Search::explain(const Arc& arc, std::span<double> into, std::vector<SparseValue>* sparse) {
  book_->tell(*arc.rule, into);
  if (engine_->n_given() > 0) into[engine_->given_at()] += static_cast<double>(arc.lattice);
  states_->explain(*arc.rule, states_of(arc), into, sparse);
}

void Search::explain_end(const Item& item, std::span<double> into, std::vector<SparseValue>* sparse) {
  states_->explain_end(item.state, into, sparse);
}

phrase::SearchSummary Search::summary() {
  phrase::SearchSummary found;
  found.n_nodes = chart_->n_items();
  found.n_options = chart_->n_uses();
  found.option_words = chart_->used_words();
  const std::size_t n_features = engine_->n_features();
  // A chart has no estimate of what is still to come: it fills spans whatever comes around them.
  std::vector<phrase::Running> running(n_features + 2);
  std::vector<const Item*> open(complete_.begin(), complete_.end());
  std::unordered_set<const Item*> reached(open.begin(), open.end());
  std::vector<double> values;
  while (!open.empty()) {
    const Item* const item = open.back();
    open.pop_back();
    for (const Arc* arc = item->arcs; arc != nullptr; arc = arc->next) {
      ++found.n_arcs;
      values.assign(n_features, 0.0);
      explain(*arc, values, nullptr);
      for (std::size_t f = 0; f < n_features; ++f) running[f].add(values[f]);
      running[n_features].add(static_cast<double>(arc->score));
      running[n_features + 1].add(0);
      for (const Item* tail : arc->tails) {
        if (reached.insert(tail).second) open.push_back(tail);
      }
    }
  }
  found.n_dead = found.n_nodes - std::min<std::uint64_t>(found.n_nodes, reached.size());
  for (const phrase::Running& each : running) found.spreads.push_back(each.spread());
  return found;
}

}  // namespace dragoman::chart
