#include "dragoman/grammar/score.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/pipeline.hpp"
#include "dragoman/core/sorter.hpp"
#include "dragoman/phrase/lexicon.hpp"
#include "dragoman/phrase/smoothing.hpp"
#include "rule_run.hpp"
#include "rule_scores.hpp"
#include "test_matches.hpp"

namespace dragoman::grammar {

namespace {

constexpr float kMostWeight = 1e6F;  // counts are kept in parts of one: their sums must fit
constexpr std::size_t kSentences =
    16;  // that one thread looks at before their rules are taken in, while they are in its cache
constexpr std::size_t kRules = 1 << 13;  // that are scored together for each thread, or a few more

/// Rules where they stand in a bitext.
template <std::size_t kGaps>
class BitextRules : public BitextLinks {
 public:
  using Rule = RulePlace<kGaps>;

  BitextRules(const AlignedBitext& bitext, const phrase::SortedPoints& points)
      : BitextLinks(bitext, points), bitext_(bitext), lexicon_(bitext, points) {}

  void sides(const Rule& rule, RuleSides& sides) const { sides.set(bitext_, rule); }
  phrase::LexicalWeights weights(const Rule& rule) const {
    return lexicon_.weights(rule.sentence, rule.whole(), Holes{rule});
  }

 private:
  /// The words that gaps cover.
  struct Holes {
    const Rule& rule;

    bool source(std::size_t place) const noexcept {
      for (std::size_t g = 0; g < rule.n_gaps; ++g) {
        if (place - rule.source_begin - rule.gaps[g].source_begin < rule.gaps[g].n_source) return true;
      }
      return false;
    }
    bool target(std::size_t place) const noexcept {
      for (std::size_t g = 0; g < rule.n_gaps; ++g) {
        if (place - rule.target_begin - rule.gaps[g].target_begin < rule.gaps[g].n_target) return true;
      }
      return false;
    }
  };

  const AlignedBitext& bitext_;
  const phrase::Lexicon lexicon_;
};

/// Sort the rules of all sentence pairs by what they are known by, those with the same links as one; how many there
/// were.
template <std::size_t kGaps>
std::uint64_t collect(const AlignedBitext& bitext, const BitextLinks& links, const RuleKeys& keys,
                      const RuleFactory& source, unsigned n_threads,
                      Sorter<Instance<kGaps>, InstanceOrder>& instances) {
  struct Block {
    std::unique_ptr<RuleSource> source;
    std::vector<Instance<kGaps>> rules;
    RuleSides sides;
  };
  std::uint64_t n_instances = 0;
  in_order<Block>(
      bitext.size(), kSentences, n_threads,
      [&](const Chunk& chunk, Block& block) {
        if (!block.source) block.source = source();
        block.rules.clear();
        for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
          const double weight = bitext.weight(i);
          if (weight == 0) continue;
          block.source->rules(i, [&](const RuleSpans& rule, std::uint64_t count) {
            const auto weighted = static_cast<std::uint64_t>(static_cast<double>(count) * weight);
            block.rules.push_back(keys.instance<kGaps>(bitext, links, i, rule, weighted, block.sides));
          });
        }
      },
      [&](const Chunk&, Block& block) {
        n_instances += block.rules.size();
        instances.push(block.rules);
      });
  return n_instances;
}

/// A rule of the table, before it is scored.
template <std::size_t kGaps>
struct KeptRule : RulePlace<kGaps> {
  bool is_first;  // of its source side
  std::uint32_t met;
  LabelPair labels;
  std::uint64_t count;
  std::int64_t tree;

  KeptRule() = default;
  KeptRule(const Instance<kGaps>& rule, bool first)
      : RulePlace<kGaps>(rule),
        is_first(first),
        met(rule.met),
        labels(rule.labels),
        count(rule.count),
        tree(rule.tree) {}
  phrase::Evidence evidence() const noexcept { return {met, static_cast<double>(count) / static_cast<double>(kOne)}; }
};

/// Three sorts, each in memory or through runs on disk: instances by rule, rules by target side, and those back again.
template <std::size_t kGaps>
class Scoring {
 public:
  using Rule = Instance<kGaps>;

  Scoring(const AlignedBitext& bitext, const phrase::SortedPoints& points, const Symbols& symbols, const TestText& test,
          const ScoreOptions& options, const std::function<void(std::string_view)>& write)
      : bitext_(bitext),
        options_(options),
        places_(bitext, points),
        features_(options.features, bitext, points),
        symbols_(symbols),
        keys_(symbols),
        test_(test),
        write_(write),
        rules_(options.workspace),
        by_target_(options.workspace),
        by_rule_(options.workspace),
        label_counts_(features_.needs_labels() ? symbols.n_source_labels() * symbols.n_target_labels() : 0),
        lines_(std::max(1U, options.workspace.n_threads)) {}

  RuleStatistics run(const RuleFactory& source) {
    {
      Sorter<Rule, InstanceOrder> instances(options_.workspace);
      statistics_.n_instances = collect(bitext_, places_, keys_, source, options_.workspace.n_threads, instances);
      SourceGroups<Rule> groups(
          [&](const Rule& rule, std::vector<std::uint32_t>& ranks) {
            sides_.set(bitext_, rule);
            keys_.ranks(rule, sides_, ranks);
          },
          [&](std::span<const Rule> rules) { take_source(rules); });
      instances.drain([&](const Rule& each) { groups.take(each); });
      groups.end();
    }
    const phrase::PhraseSmoothing smoothing(options_.smoothing, counts_of_counts_, statistics_.n_rules,
                                            statistics_.n_instances);
    add_up_targets(smoothing);
    score_all(RuleWriter(places_, symbols_, features_, options_, smoothing, statistics_.n_instances, label_counts_));
    return statistics_;
  }

 private:
  using Kept = KeptRule<kGaps>;
  using Scored = ScoredRule<Kept>;
  using Writer = RuleWriter<BitextRules<kGaps>>;

  /// Number the rules of a source side.
  void take_source(std::span<const Rule> rules) {
    if (!test_.all()) sides_.set(bitext_, rules.front());
    const bool matches = test_.all() || test_.any(sides_.source);
    for (const Rule& rule : rules) {
      ++statistics_.n_rules;
      count_up(counts_of_counts_, rule.met);
      if (!label_counts_.empty()) label_counts_[rule.labels] += rule.count;
      if (matches && n_kept_ == kNotKept) throw data_error("More than 4,294,967,295 rules; extract with lower limits.");
      const std::uint32_t number = matches ? n_kept_++ : kNotKept;
      by_target_.push({target_alone(rule), rule.evidence().mass, rule.met, static_cast<std::uint32_t>(rules.size()),
                       number, rule.labels});
      if (matches) rules_.push({rule, &rule == rules.data()});
    }
  }

  /// The hash of a target side without the numbers of its gaps: with less than two of them it is the same.
  std::uint64_t target_alone(const Rule& rule) {
    if (rule.n_gaps < 2) return rule.target;
    sides_.set(bitext_, rule);
    return keys_.target_hash(rule, sides_, false);
  }

  void add_up_targets(const phrase::PhraseSmoothing& smoothing) {
    std::vector<OfTarget> group;
    const auto tell = [&] {
      tell_rules(group, smoothing, features_.needs_labels(), [&](const FromTarget& known) { by_rule_.push(known); });
      group.clear();
    };
    by_target_.drain([&](const OfTarget& each) {
      if (!group.empty() && group.front().target != each.target) tell();
      group.push_back(each);
    });
    tell();
  }

  void score_all(const Writer& writer) {
    auto reader = rules_.read();
    std::vector<Scored> block;
    std::vector<std::size_t> sources;  // where each begins
    by_rule_.drain([&](const FromTarget& known) {
      reader.next();
      if (reader->is_first) {
        if (block.size() >= kRules * lines_.size()) {
          score(block, sources, writer);
          block.clear();
          sources.clear();
        }
        sources.push_back(block.size());
      }
      block.push_back({*reader, known, {}});
    });
    score(block, sources, writer);
  }

  void score(std::span<Scored> block, std::span<const std::size_t> sources, const Writer& writer) {
    for_each_chunk(sources.size(), options_.workspace.n_threads, [&](const Chunk& chunk) {
      for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
        const std::size_t end = i + 1 < sources.size() ? sources[i + 1] : block.size();
        writer.write(block.subspan(sources[i], end - sources[i]), lines_[chunk.index]);
      }
    });
    for (RuleLines& lines : lines_) {
      statistics_.n_written += std::exchange(lines.statistics.n_written, 0);
      statistics_.n_lexical += std::exchange(lines.statistics.n_lexical, 0);
      statistics_.n_sources += std::exchange(lines.statistics.n_sources, 0);
      if (lines.text.size() > 0) write_(lines.text.view());
      lines.text.clear();
    }
  }

  const AlignedBitext& bitext_;
  const ScoreOptions& options_;
  const BitextRules<kGaps> places_;
  const RuleFeatures features_;
  const Symbols& symbols_;
  const RuleKeys keys_;
  const TestMatches test_;
  const std::function<void(std::string_view)>& write_;

  RuleSides sides_;
  Spool<KeptRule<kGaps>> rules_;  // those that are kept, by number
  Sorter<OfTarget, OfTarget> by_target_;
  Sorter<FromTarget, FromTarget> by_rule_;
  std::uint32_t n_kept_ = 0;
  std::vector<std::uint64_t> counts_of_counts_;
  std::vector<std::uint64_t> label_counts_;  // by label, in parts of kOne; empty if no feature asks for them
  RuleStatistics statistics_;
  std::vector<RuleLines> lines_;  // by thread
};

/// The rules of a part of a text as a sorted run, for `merge_rules`.
template <std::size_t kGaps>
RuleStatistics write_run(const AlignedBitext& bitext, const phrase::SortedPoints& points, const Symbols& symbols,
                         const RuleFactory& source, const ScoreOptions& options,
                         const std::function<void(std::string_view)>& write) {
  const BitextLinks links(bitext, points);
  Sorter<Instance<kGaps>, InstanceOrder> instances(options.workspace);
  RuleStatistics statistics;
  statistics.n_instances = collect(bitext, links, RuleKeys(symbols), source, options.workspace.n_threads, instances);
  RunWriter run(write);
  RuleSides sides;
  instances.drain([&](const Instance<kGaps>& rule) {
    sides.set(bitext, rule);
    run.add(rule, sides, links);
  });
  statistics.marks = run.end();
  return statistics;
}

}  // namespace

RuleStatistics score_rules(const AlignedBitext& bitext, const phrase::SortedPoints& points, const Symbols& symbols,
                           unsigned most_gaps, const RuleFactory& source, const TestText& test,
                           const ScoreOptions& options, const std::function<void(std::string_view)>& write) {
  const auto in_vocabulary = [](std::span<const TokenId> words, std::size_t size) {
    return std::ranges::all_of(words, [&](TokenId word) { return word >= 0 && static_cast<std::size_t>(word) < size; });
  };
  if (!in_vocabulary(bitext.source, symbols.n_source_words()) ||
      !in_vocabulary(bitext.target, symbols.n_target_words())) {
    throw data_error("A word's number is none of the vocabularies'; they are those of the bitext.");
  }
  if (std::ranges::any_of(bitext.weights, [](float weight) { return weight > kMostWeight; })) {
    throw data_error("The weight of a sentence pair is at most " + std::to_string(static_cast<int>(kMostWeight)) +
                     " where rules are counted.");
  }
  if (options.as_run && !bitext.weights.empty())
    throw data_error("Rules of weighted sentence pairs are not extracted in parts.");
  if (most_gaps > kMostGaps) throw data_error("A rule has at most " + std::to_string(kMostGaps) + " gaps.");
  const auto run = [&]<std::size_t kGaps>() {
    if (options.as_run) return write_run<kGaps>(bitext, points, symbols, source, options, write);
    return Scoring<kGaps>(bitext, points, symbols, test, options, write).run(source);
  };
  if (most_gaps <= 2) return run.template operator()<2>();
  return most_gaps <= 4 ? run.template operator()<4>() : run.template operator()<kMostGaps>();
}

}  // namespace dragoman::grammar
