#include "dragoman/phrase/extract_parts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/runs.hpp"
#include "pair_runs.hpp"
#include "pair_scores.hpp"
#include "target_marginals.hpp"

namespace dragoman::phrase {

namespace {

/// What a pair tells its target phrase, and what it is told.
struct TargetQuestion {
  std::uint64_t hash;
  std::uint32_t count, n_of_source;
};
struct TargetAnswer {
  double total;
  std::uint32_t n_pairs;
  float log_source_given_target;
};

template <class Record>
std::span<const Record> records(std::string_view bytes) {
  if (bytes.size() % sizeof(Record) != 0) throw data_error("A file of phrase counts is cut off.");
  return {reinterpret_cast<const Record*>(bytes.data()), bytes.size() / sizeof(Record)};
}

/// A pair of a text without weights.
Evidence all_of(std::uint32_t count) { return {count, static_cast<double>(count)}; }

PhraseSmoothing smoothing_of(Smoothing kind, const PairStatistics& statistics) {
  return {kind, statistics.counts_of_counts, statistics.n_pairs, statistics.n_instances};
}

/// The lexical weights of a pair that stands alone.
struct PairWords {
  const PairCursor& pair;
  const LexicalCounts& counts;
  std::array<std::uint16_t, 257> offsets{};  // of its links, by source word

  PairWords(const PairCursor& at, const LexicalCounts& links) : pair(at), counts(links) {
    for (const Link link : pair.links()) ++offsets[link.source + 1U];
    for (std::size_t s = 1; s < offsets.size(); ++s)
      offsets[s] = static_cast<std::uint16_t>(offsets[s] + offsets[s - 1]);
  }
  std::uint64_t at(std::size_t s) const noexcept { return offsets[s]; }
  std::uint16_t target(std::uint64_t point) const noexcept { return pair.links()[point].target; }
  double source_given_target(std::size_t s, std::size_t t, std::uint64_t) const noexcept {
    return counts.source_given_target(pair.source()[s], pair.target()[t]);
  }
  double target_given_source(std::size_t s, std::size_t t, std::uint64_t) const noexcept {
    return counts.target_given_source(pair.source()[s], pair.target()[t]);
  }
  double source_given_null(std::size_t s) const noexcept { return counts.source_given_null(pair.source()[s]); }
  double target_given_null(std::size_t t) const noexcept { return counts.target_given_null(pair.target()[t]); }

  LexicalWeights weights() const {
    const PhraseSpan whole{0, pair.head().n_source, 0, pair.head().n_target};
    return lexical_weights(*this, 0, 0, whole, *this);
  }
};

}  // namespace

MergedPairs merge_pairs(std::span<const std::string_view> runs) {
  MergedPairs merged;
  merged.targets.resize(TargetMarginals::kShards);
  struct Alignment {
    std::uint64_t links;
    std::uint32_t count;
    PairCursor example;
  };
  std::vector<Alignment> alignments;
  PairHead open{};                     // what is being added up
  std::vector<std::size_t> of_source;  // where the pairs of one source phrase stand
  const auto close_source = [&] {
    const auto n = static_cast<std::uint32_t>(of_source.size());
    for (const std::size_t at : of_source) {
      merged.pairs.overwrite(at + offsetof(PairHead, n_of_source), {reinterpret_cast<const char*>(&n), sizeof n});
      PairHead head;
      std::memcpy(&head, merged.pairs.data() + at, sizeof head);
      const TargetQuestion question{head.target_hash, head.count, n};
      merged.targets[TargetMarginals::shard_of(head.target_hash)].append(
          {reinterpret_cast<const char*>(&question), sizeof question});
    }
    of_source.clear();
  };
  const auto close_pair = [&] {
    if (alignments.empty()) return;
    const PairCursor& example = std::ranges::max_element(alignments, {}, &Alignment::count)->example;
    open.n_source = example.head().n_source;
    open.n_target = example.head().n_target;
    open.n_links = example.head().n_links;
    of_source.push_back(merged.pairs.size());
    append(merged.pairs, open, example.source(), example.target(), example.links());
    auto& statistics = merged.statistics;
    if (open.count >= statistics.counts_of_counts.size()) statistics.counts_of_counts.resize(open.count + 1);
    ++statistics.counts_of_counts[open.count];
    for (unsigned f = 0; f < 6; ++f) statistics.orientations[f] += open.orientations[f];
    statistics.n_instances += open.count;
    ++statistics.n_pairs;
    alignments.clear();
  };
  std::vector<PairCursor> cursors;
  for (const auto run : runs) cursors.emplace_back(run);
  merge_runs(std::move(cursors), less, [&](const PairCursor& cursor) {
    const PairHead& head = cursor.head();
    if (alignments.empty() || !same_pair(open, head)) {
      close_pair();
      if (open.source_hash != head.source_hash) close_source();
      open = {head.source_hash, head.target_hash, 0, {}, 0, 0, 0, 0, 0, 0};
    }
    open.count += head.count;
    for (unsigned f = 0; f < 6; ++f) open.orientations[f] += head.orientations[f];
    const auto same = std::ranges::find(alignments, head.links_hash, &Alignment::links);
    if (same == alignments.end()) {
      alignments.push_back({head.links_hash, head.count, cursor});
    } else {
      same->count += head.count;
    }
  });
  close_pair();
  close_source();
  return merged;
}

std::vector<Bytes> add_up_targets(std::span<const std::string_view> ranges, const PairStatistics& statistics,
                                  Smoothing kind) {
  const PhraseSmoothing smoothing = smoothing_of(kind, statistics);
  std::size_t n = 0;
  for (const auto range : ranges) n += records<TargetQuestion>(range).size();
  TargetMarginals::Shard shard;
  shard.clear(n);
  for (const auto range : ranges) {
    for (const auto& each : records<TargetQuestion>(range))
      shard.at(each.hash).add(all_of(each.count), smoothing.discounted(all_of(each.count)));
  }
  std::vector<Bytes> answers;
  for (const auto range : ranges) {
    Bytes& bytes = answers.emplace_back();
    for (const auto& each : records<TargetQuestion>(range)) {
      const Marginal& target = shard.at(each.hash);
      const double p = smoothing.probability(all_of(each.count), target, each.n_of_source);
      const TargetAnswer answer{target.total, target.n_pairs, static_cast<float>(std::log(p))};
      bytes.append({reinterpret_cast<const char*>(&answer), sizeof answer});
    }
  }
  return answers;
}

std::unique_ptr<PhraseTable> score_pairs(std::string_view pairs, std::span<const std::string_view> targets,
                                         const LinkCountsView& links, const PairStatistics& statistics,
                                         const ExtractOptions& options) {
  struct Scored {
    PairCursor pair;
    std::array<float, 13> scores;
  };
  const PhraseSmoothing smoothing = smoothing_of(options.smoothing, statistics);
  const LexicalCounts counts(slots_of(links));
  std::array<double, 6> overall{};
  for (unsigned f = 0; f < 6; ++f) {
    overall[f] = static_cast<double>(statistics.orientations[f]) / static_cast<double>(statistics.n_instances);
  }
  std::vector<std::span<const TargetAnswer>> answers;
  for (const auto shard : targets) answers.push_back(records<TargetAnswer>(shard));
  std::vector<std::size_t> next(answers.size(), 0);
  PhraseTableBuilder builder(n_scores_of(options));
  std::vector<PairCursor> of_source;
  std::vector<Scored> scored;
  for (PairCursor first(pairs); first;) {
    Marginal source;
    of_source.clear();
    const std::uint64_t hash = first.head().source_hash;
    for (; first && first.head().source_hash == hash; ++first) {
      source.add(all_of(first.head().count), smoothing.discounted(all_of(first.head().count)));
      of_source.push_back(first);
    }
    scored.clear();
    for (const PairCursor& pair : of_source) {
      const std::size_t shard = TargetMarginals::shard_of(pair.head().target_hash);
      if (shard >= answers.size() || next[shard] >= answers[shard].size())
        throw data_error("A file of phrase counts is cut off.");
      const TargetAnswer& answer = answers[shard][next[shard]++];
      PairCounts all{all_of(pair.head().count), {}, answer.n_pairs, answer.total, answer.log_source_given_target};
      std::ranges::copy(pair.head().orientations, all.orientations.begin());
      scored.push_back(
          {pair, pair_scores(all, PairWords(pair, counts).weights(), source, smoothing, options, overall)});
    }
    keep_best(scored, 0, options);
    builder.source(scored.front().pair.source());
    for (const Scored& each : scored) {
      builder.add(each.pair.target(), each.pair.links(), std::span(each.scores).first(n_scores_of(options)));
    }
  }
  return builder.finish();
}

}  // namespace dragoman::phrase
