#include "dragoman/chart/forced_rules.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <string>

#include "dragoman/chart/batch.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"
#include "dragoman/graph/kbest.hpp"
#include "dragoman/graph/posteriors.hpp"
#include "matching_rules.hpp"
#include "own_rules.hpp"
#include "rule_book.hpp"

namespace dragoman::chart {

namespace {

using phrase::AlignedBitext;

constexpr std::size_t kCounts = 3;      // of target side, source side and rule, behind the scores
constexpr double kRounding = 1 + 1e-4;  // of counts, which were written with few digits

/// What one sentence pair says.
struct Told {
  std::vector<std::uint32_t> used;
  bool reached = false, whole = false;
};

RuleTableBuilder::Sizes sizes_of(const RuleTable& table) {
  return {table.n_source_words(), table.n_target_words(), table.n_source_labels(), table.n_target_labels()};
}

/// Translates sentence pairs again, for one thread.
class Forcing {
 public:
  Forcing(const RuleTable& table, const AlignedBitext& bitext, std::unique_ptr<grammar::RuleSource> rules,
          unsigned span, std::span<const TokenId> copies, std::span<const float> weights,
          const phrase::DecodeOptions& limits, const phrase::ForcedOptions& options)
      : table_(table),
        bitext_(bitext),
        matching_(table),
        own_(bitext, std::move(rules)),
        span_(span),
        copies_(copies),
        weights_(weights),
        limits_(limits),
        options_(options),
        scores_(table.n_scores()) {}

  Told pair(std::size_t i) {
    const auto source = words_of(bitext_.source, bitext_.source_offsets, i);
    const auto target = words_of(bitext_.target, bitext_.target_offsets, i);
    Told told;
    if (source.empty()) return told;
    if (options_.leave_one_out) own_.count(i);
    const std::shared_ptr<const RuleTable> small = matching(source, target);
    const Engine engine({small, {}, {0}, 0, span_}, {});
    if (weights_.size() != engine.n_features()) {
      throw data_error("Forced decoding has " + std::to_string(engine.n_features()) + " features, got " +
                       std::to_string(weights_.size()) + " weights.");
    }
    Constraints constraints;
    constraints.target.emplace();
    constraints.target->words.assign(target.begin(), target.end());
    constraints.target->artificial = options_.artificial;
    for (const TokenId word : source) {
      const auto at = static_cast<std::size_t>(word);
      constraints.target->copies.push_back(at < copies_.size() ? copies_[at] : text::kNoToken);
    }
    Search search(engine, limits_);
    search.run(source, {weights_, nullptr}, &constraints);
    if (search.complete().empty()) return told;
    told.reached = true;
    read(search, told);
    return told;
  }

 private:
  static std::span<const TokenId> words_of(std::span<const TokenId> words, std::span<const std::int64_t> offsets,
                                           std::size_t i) {
    const auto begin = static_cast<std::size_t>(offsets[i]);
    return words.subspan(begin, static_cast<std::size_t>(offsets[i + 1]) - begin);
  }

  /// The rules that the pair can have, their probabilities without its own counts.
  std::shared_ptr<const RuleTable> matching(std::span<const TokenId> source, std::span<const TokenId> target) {
    const std::size_t n = table_.n_scores() - kCounts;
    RuleTableBuilder builder(n);
    std::map<std::vector<TokenId>, std::vector<std::uint32_t>> sides;
    matching_.for_each(source, target, [&](std::span<const TokenId> symbols, std::uint32_t number) {
      const RuleView rule = table_.rule(number);
      table_.scores(number, scores_);
      if (options_.leave_one_out) leave_out(own_.of(symbols, rule));
      builder.add(symbols, rule, std::span(scores_).first(n));
      sides[{symbols.begin(), symbols.end()}].push_back(number);
    });
    std::shared_ptr<const RuleTable> small = builder.finish(table_.labels(), sizes_of(table_), false);
    numbers_.assign(small->n_rules(), 0);
    small->for_each_side([&](std::span<const TokenId> symbols, RuleTable::Range range) {
      std::ranges::copy(sides[{symbols.begin(), symbols.end()}], numbers_.begin() + range.first);
    });
    return small;
  }

  void leave_out(const OwnRules::Counts& own) {
    const std::size_t n = scores_.size();
    const auto count = [&](std::size_t i) { return std::exp(static_cast<double>(scores_[n - kCounts + i])); };
    const double target = count(0), source = count(1), rule = count(2);
    const auto left = [&](float log_p, double total, double own_total) {
      const bool is_own = rule <= own.rule * kRounding;
      return phrase::left_out(log_p, rule, total, is_own ? rule : own.rule, own_total, options_.floor);
    };
    scores_[0] = left(scores_[0], target, own.target);
    scores_[2] = left(scores_[2], source, own.source);
  }

  /// The rules of the best derivations.
  void read(Search& search, Told& told) const {
    const auto [graph, arcs] = search_graph(search, false);
    const auto paths = n_best(graph, options_.margin > 0 ? 1 : options_.n_best, false);
    const auto add = [&](std::size_t arc) {
      if (arc < arcs.size() && arcs[arc]->rule->number != RuleUse::kNoRule) {
        told.used.push_back(numbers_[arcs[arc]->rule->number]);
      }
    };
    told.whole = std::ranges::none_of(paths.front().arcs,
                                      [&](auto arc) { return arc < arcs.size() && arcs[arc]->rule->n_unknown > 0; });
    if (options_.margin > 0) {
      const auto inside = graph::best_inside(graph), outside = graph::best_outside(graph, inside);
      for (std::size_t i = 0; i < graph.arcs().size(); ++i) {
        double through = graph.arcs()[i].score + outside[graph.arcs()[i].to];
        for (const auto tail : graph.tails(i)) through += inside[tail];
        if (through >= inside.back() - options_.margin) add(i);
      }
    } else {
      for (const auto& path : paths) std::ranges::for_each(path.arcs, add);
    }
    std::ranges::sort(told.used);
    told.used.erase(std::ranges::unique(told.used).begin(), told.used.end());
  }

  const RuleTable& table_;
  const AlignedBitext& bitext_;
  MatchingRules matching_;
  OwnRules own_;
  unsigned span_;
  std::span<const TokenId> copies_;
  std::span<const float> weights_;
  const phrase::DecodeOptions& limits_;
  const phrase::ForcedOptions& options_;
  std::vector<float> scores_;
  std::vector<std::uint32_t> numbers_;  // of the table, by rule of the small one
};

}  // namespace

phrase::ForcedUse forced_rules(const RuleTable& table, const AlignedBitext& bitext, const grammar::Symbols& symbols,
                               const grammar::HieroOptions& hiero, unsigned span, std::span<const TokenId> copies,
                               std::span<const float> weights, const phrase::DecodeOptions& limits,
                               const phrase::ForcedOptions& options) {
  if (table.n_scores() < 4 + kCounts)
    throw data_error("Leaving one out needs rules with four scores and three counts.");
  if (table.labels().size() != 1) throw data_error("Leaving one out needs rules with one label.");
  const phrase::SortedPoints points(bitext);
  const grammar::BitextLabels none;
  std::vector<Told> told(bitext.size());
  std::atomic<std::size_t> next{0};
  for_each_chunk(options.n_threads, options.n_threads, [&](const Chunk&) {
    Forcing forcing(table, bitext, grammar::hiero_rules(bitext, points, symbols, none, hiero), span, copies, weights,
                    limits, options);
    for (std::size_t i = next++; i < bitext.size(); i = next++) told[i] = forcing.pair(i);
  });
  phrase::ForcedUse all;
  all.used.assign(table.n_rules(), 0);
  all.n_pairs = bitext.size();
  for (const Told& each : told) {
    all.n_reached += each.reached ? 1 : 0;
    all.n_whole += each.whole ? 1 : 0;
    for (const auto rule : each.used) all.used[rule] = 1;
  }
  return all;
}

std::unique_ptr<RuleTable> prune_rules(const RuleTable& table, std::span<const std::uint8_t> used, unsigned restore,
                                       bool quantised) {
  if (used.size() != table.n_rules() || table.n_scores() < kCounts) {
    throw data_error("The table has " + std::to_string(table.n_rules()) + " rules, got " + std::to_string(used.size()) +
                     " marks.");
  }
  RuleTableBuilder builder(table.n_scores() - kCounts);
  std::vector<float> scores(table.n_scores());
  table.for_each_side([&](std::span<const TokenId> symbols, RuleTable::Range range) {
    const auto marks = used.subspan(range.first, range.last - range.first);
    std::vector<std::pair<float, std::uint32_t>> kept;  // probable ones first, where some are restored
    const bool restores =
        symbols.size() == 1 && !is_gap_symbol(symbols[0]) && std::ranges::find(marks, 1) == marks.end();
    for (auto number = range.first; number < range.last; ++number) {
      table.scores(number, scores);
      if (used[number] || restores) kept.emplace_back(restores && scores.size() > 2 ? -scores[2] : 0.0F, number);
    }
    std::ranges::sort(kept);
    if (restores) kept.resize(std::min<std::size_t>(kept.size(), restore));
    for (const auto& [order, number] : kept) {
      table.scores(number, scores);
      builder.add(symbols, table.rule(number), std::span(scores).first(scores.size() - kCounts));
    }
  });
  return builder.finish(table.labels(), sizes_of(table), quantised);
}

}  // namespace dragoman::chart
