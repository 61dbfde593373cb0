#include "dragoman/grammar/score_parts.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "dragoman/core/runs.hpp"
#include "rule_run.hpp"
#include "rule_scores.hpp"
#include "test_matches.hpp"

namespace dragoman::grammar {

namespace {

constexpr std::size_t kBlock = 1 << 20;  // bytes of text written at once, or a few more

/// Rules as runs have them.
class RunRules {
 public:
  RunRules() = default;
  explicit RunRules(const phrase::LinkCountsView& links) : counts_(phrase::slots_of(links)) {}

  static void sides(const RunRule& rule, RuleSides& sides) { rule.sides(sides); }

  template <class Use>
  static void for_each_link(const RunRule& rule, const RuleSides&, const Use& use) {
    for (const PlaceLink link : rule.place_links) use(link.source, link.target);
  }

  phrase::LexicalWeights weights(const RunRule& rule) const {
    const Words words(rule, counts_);
    const PhraseSpan whole{0, static_cast<std::uint16_t>(rule.source.size()), 0,
                           static_cast<std::uint16_t>(rule.target.size())};
    return lexical_weights(words, 0, 0, whole, words, words.holes());
  }

 private:
  /// The words of a rule and the probabilities of their links.
  struct Words {
    const RunRule& rule;
    const phrase::LexicalCounts& counts;
    std::array<std::uint16_t, 257> offsets{};  // of its links, by source place

    Words(const RunRule& at, const phrase::LexicalCounts& links) : rule(at), counts(links) {
      for (const PlaceLink link : rule.place_links) ++offsets[link.source + 1U];
      for (std::size_t s = 1; s < offsets.size(); ++s)
        offsets[s] = static_cast<std::uint16_t>(offsets[s] + offsets[s - 1]);
    }
    std::uint64_t at(std::size_t s) const noexcept { return offsets[s]; }
    std::uint16_t target(std::uint64_t point) const noexcept { return rule.place_links[point].target; }
    double source_given_target(std::size_t s, std::size_t t, std::uint64_t) const noexcept {
      return counts.source_given_target(rule.source[s], rule.target[t]);
    }
    double target_given_source(std::size_t s, std::size_t t, std::uint64_t) const noexcept {
      return counts.target_given_source(rule.source[s], rule.target[t]);
    }
    double source_given_null(std::size_t s) const noexcept { return counts.source_given_null(rule.source[s]); }
    double target_given_null(std::size_t t) const noexcept { return counts.target_given_null(rule.target[t]); }

    struct Holes {
      const RunRule& rule;
      bool source(std::size_t place) const noexcept { return RuleSides::is_gap(rule.source[place]); }
      bool target(std::size_t place) const noexcept { return RuleSides::is_gap(rule.target[place]); }
    };
    Holes holes() const noexcept { return {rule}; }
  };

  phrase::LexicalCounts counts_;
};

/// The first rule of a run that has this key or a later one; the marks say where to look.
std::uint64_t place_of(const RuleRun& run, const SourceKey& key) {
  const auto behind = std::ranges::lower_bound(run.marks, key, {}, &RuleMark::key);
  if (behind == run.marks.begin()) return 0;
  std::uint64_t at = std::prev(behind)->at;
  RunCursor cursor(run.rules, at, run.rules.size());
  while (cursor && cursor.head().key < key) {
    at += cursor.head().size;
    ++cursor;
  }
  return at;
}

template <class Record>
std::span<const Record> records(std::string_view bytes) {
  if (bytes.size() % sizeof(Record) != 0) throw data_error("A file of rule counts is cut off.");
  return {reinterpret_cast<const Record*>(bytes.data()), bytes.size() / sizeof(Record)};
}

template <class Record>
void append(Bytes& bytes, const Record& record) {
  bytes.append({reinterpret_cast<const char*>(&record), sizeof record});
}

/// What is known of the whole text.
struct Totals {
  std::uint64_t n_rules = 0, n_instances = 0;

  explicit Totals(const std::vector<std::uint64_t>& counts_of_counts) {
    for (std::size_t c = 1; c < counts_of_counts.size(); ++c) {
      n_rules += counts_of_counts[c];
      n_instances += c * counts_of_counts[c];
    }
  }
};

phrase::PhraseSmoothing smoothing_of(phrase::Smoothing kind, const std::vector<std::uint64_t>& counts_of_counts) {
  const Totals totals(counts_of_counts);
  return {kind, counts_of_counts, totals.n_rules, totals.n_instances};
}

}  // namespace

MergedRules merge_rules(std::span<const RuleRun> runs, const SourceKey& begin, const std::optional<SourceKey>& end,
                        const Symbols& symbols, const TestText& test,
                        const std::function<void(std::string_view)>& write) {
  MergedRules merged;
  merged.targets.resize(kRuleShards);
  const RuleKeys keys(symbols);
  const TestMatches matches(test);
  RunWriter kept(write);
  RuleSides sides;
  SourceGroups<RunRule> groups(
      [&](const RunRule& rule, std::vector<std::uint32_t>& ranks) {
        rule.sides(sides);
        keys.ranks(rule, sides, ranks);
      },
      [&](std::span<const RunRule> rules) {
        rules.front().sides(sides);
        const bool is_kept = matches.any(sides.source);
        for (const RunRule& rule : rules) {
          rule.sides(sides);
          count_up(merged.counts_of_counts, rule.met);
          const auto number = is_kept ? static_cast<std::uint32_t>(merged.n_kept++) : kNotKept;
          const std::uint64_t hash = keys.target_hash(rule, sides, false);
          append(merged.targets[hash % kRuleShards],
                 OfTarget{hash, rule.evidence().mass, rule.met, static_cast<std::uint32_t>(rules.size()), number,
                          rule.labels});
          if (is_kept) kept.add(rule);
        }
      });
  std::vector<RunCursor> cursors;
  for (const RuleRun& run : runs) {
    cursors.emplace_back(run.rules, place_of(run, begin), end ? place_of(run, *end) : run.rules.size());
  }
  RunRule waiting;  // all of one rule with the same links
  bool waits = false;
  const auto less = [](const RunCursor& a, const RunCursor& b) { return InstanceOrder::less(a.head(), b.head()); };
  merge_runs(std::move(cursors), less, [&](const RunCursor& next) {
    if (waits && !InstanceOrder::less(waiting, next.head())) {
      InstanceOrder::join(waiting, next.head());
      return;
    }
    if (waits) groups.take(waiting);
    waiting = next.rule();
    waits = true;
  });
  if (waits) groups.take(waiting);
  groups.end();
  kept.end();
  return merged;
}

std::vector<Bytes> add_up_rule_targets(std::span<const std::string_view> ranges, std::span<const std::uint64_t> n_kept,
                                       const std::vector<std::uint64_t>& counts_of_counts, phrase::Smoothing kind) {
  if (ranges.size() != n_kept.size()) throw data_error("A file of rule counts is cut off.");
  const auto smoothing = smoothing_of(kind, counts_of_counts);
  std::vector<OfTarget> all;
  std::vector<std::uint64_t> ends;  // of the numbers of each range
  std::uint64_t before = 0;
  for (std::size_t range = 0; range < ranges.size(); ++range) {
    for (OfTarget each : records<OfTarget>(ranges[range])) {
      if (each.number != kNotKept) each.number = static_cast<std::uint32_t>(before + each.number);
      all.push_back(each);
    }
    before += n_kept[range];
    if (before >= kNotKept) throw data_error("More than 4,294,967,295 rules; extract with lower limits.");
    ends.push_back(before);
  }
  std::ranges::sort(all, OfTarget::less);
  std::vector<FromTarget> answers;
  for (std::size_t first = 0; first < all.size();) {
    std::size_t last = first;
    while (last < all.size() && all[last].target == all[first].target) ++last;
    const auto group = std::span(all).subspan(first, last - first);
    tell_rules(group, smoothing, false, [&](const FromTarget& known) { answers.push_back(known); });
    first = last;
  }
  std::ranges::sort(answers, FromTarget::less);
  std::vector<Bytes> by_range(ranges.size());
  std::size_t range = 0;
  for (const FromTarget& each : answers) {
    while (each.number >= ends[range]) ++range;
    append(by_range[range], each);
  }
  return by_range;
}

RuleStatistics score_range(std::string_view rules, std::span<const std::string_view> answers, std::uint64_t before,
                           const phrase::LinkCountsView& links, const Symbols& symbols,
                           const std::vector<std::uint64_t>& counts_of_counts, const ScoreOptions& options,
                           const std::function<void(std::string_view)>& write) {
  std::vector<FromTarget> known;
  for (const std::string_view shard : answers) {
    const auto of_shard = records<FromTarget>(shard);
    known.insert(known.end(), of_shard.begin(), of_shard.end());
  }
  std::ranges::sort(known, FromTarget::less);
  const auto smoothing = smoothing_of(options.smoothing, counts_of_counts);
  const RunRules places(links);
  const RuleFeatures features(options.features);
  const RuleWriter writer(places, symbols, features, options, smoothing, Totals(counts_of_counts).n_instances);
  std::vector<ScoredRule<RunRule>> source;
  RuleLines lines;
  const auto close = [&] {
    writer.write(std::span(source), lines);
    source.clear();
    if (lines.text.size() < kBlock) return;
    write(lines.text.view());
    lines.text.clear();
  };
  std::size_t number = 0;
  for (RunCursor cursor(rules, 0, rules.size()); cursor; ++cursor, ++number) {
    const RunRule rule = cursor.rule();
    if (number >= known.size() || known[number].number != before + number)
      throw data_error("A file of rule counts is cut off.");
    if (!source.empty() && !source.front().rule.same_source(rule)) close();
    source.push_back({rule, known[number], {}});
  }
  if (!source.empty()) close();
  if (lines.text.size() > 0) write(lines.text.view());
  return lines.statistics;
}

}  // namespace dragoman::grammar
