#include "dragoman/phrase/forced.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/hash.hpp"
#include "dragoman/core/parallel.hpp"
#include "dragoman/graph/kbest.hpp"
#include "dragoman/graph/posteriors.hpp"
#include "dragoman/phrase/search.hpp"
#include "dragoman/phrase/search_graph.hpp"
#include "dragoman/phrase/sentence_phrases.hpp"
#include "words.hpp"

namespace dragoman::phrase {

namespace {

using EntryCounts = std::unordered_map<std::uint64_t, std::uint32_t>;

std::uint32_t found(const EntryCounts& counts, std::uint64_t hash) {
  const auto at = counts.find(hash);
  return at == counts.end() ? 0 : at->second;
}

/// What one sentence pair says.
struct Told {
  struct Share {
    std::uint32_t entry;
    double count;
  };
  std::vector<Share> shares;
  bool reached = false, whole = false;
};

/// Translates sentence pairs again, for one thread.
class Forcing {
 public:
  Forcing(const PhraseTable& table, unsigned n_features, Orientation orientation, const AlignedBitext& bitext,
          const SortedPoints& points, std::span<const TokenId> copies, std::span<const float> weights,
          const DecodeOptions& limits, const ForcedOptions& options)
      : table_(table),
        n_features_(n_features),
        orientation_(orientation),
        bitext_(bitext),
        points_(points),
        copies_(copies),
        weights_(weights),
        limits_(limits),
        options_(options) {}

  Told pair(std::size_t i) {
    const auto source_at = static_cast<std::size_t>(bitext_.source_offsets[i]);
    const auto target_at = static_cast<std::size_t>(bitext_.target_offsets[i]);
    source_ = bitext_.source.subspan(source_at, static_cast<std::size_t>(bitext_.source_offsets[i + 1]) - source_at);
    target_ = bitext_.target.subspan(target_at, static_cast<std::size_t>(bitext_.target_offsets[i + 1]) - target_at);
    Told told;
    if (source_.empty()) return told;
    count_own(source_at);
    const std::shared_ptr<const PhraseTable> small = matching();
    const Engine engine({{small, n_features_}}, {}, orientation_);
    if (weights_.size() != engine.n_features()) {
      throw data_error("Forced decoding has " + std::to_string(engine.n_features()) + " features, got " +
                       std::to_string(weights_.size()) + " weights.");
    }
    Constraints constraints;
    constraints.target.emplace();
    constraints.target->words.assign(target_.begin(), target_.end());
    constraints.target->artificial = options_.artificial;
    for (const TokenId word : source_) {
      const auto at = static_cast<std::size_t>(word);
      constraints.target->copies.push_back(at < copies_.size() ? copies_[at] : text::kNoToken);
    }
    Search search(engine, limits_);
    if (search.run(source_, weights_, &constraints) == nullptr) return told;
    told.reached = true;
    read(search, *small, told);
    return told;
  }

 private:
  /// How often phrases and pairs were extracted from this sentence pair.
  void count_own(std::size_t source_at) {
    own_sources_.clear();
    own_targets_.clear();
    own_pairs_.clear();
    if (!options_.leave_one_out) return;
    alignment_.set(points_.view(), source_at, source_.size(), target_.size());
    alignment_.for_each_phrase(options_.longest, [&](const PhraseSpan& span) {
      const auto s = hash_of(source_.subspan(span.source_begin, span.source_end - span.source_begin));
      const auto target = target_.subspan(span.target_begin, span.target_end - span.target_begin);
      ++own_sources_[s];
      ++own_targets_[hash_of(target)];
      ++own_pairs_[hash_of(target, s)];
    });
  }

  /// The table of all pairs whose both sides occur, probabilities without this sentence pair's counts.
  std::shared_ptr<const PhraseTable> matching() {
    entries_.clear();
    std::unordered_set<std::uint64_t> seen;
    PhraseTableBuilder builder(table_.n_scores());
    for (std::size_t begin = 0; begin < source_.size(); ++begin) {
      for (std::size_t n = 1; n <= std::min<std::size_t>(table_.longest(), source_.size() - begin); ++n) {
        const auto words = source_.subspan(begin, n);
        const auto source_hash = hash_of(words);
        if (!seen.insert(source_hash).second) continue;
        const auto run = table_.find(words);
        bool opened = false;
        for (std::uint32_t k = run.first; k < run.first + run.count; ++k) {
          const auto translation = table_.translation(k);
          if (std::ranges::search(target_, translation.words).empty()) continue;
          if (!opened) builder.source(words);
          opened = true;
          scores_.assign(translation.scores.begin(), translation.scores.end());
          if (options_.leave_one_out) leave_out(source_hash, translation.words);
          builder.add(translation.words, translation.links, scores_);
          entries_.push_back(k);
        }
      }
    }
    return builder.finish();
  }

  void leave_out(std::uint64_t source_hash, std::span<const TokenId> target) {
    const std::size_t n = scores_.size();
    const double pair = scores_[n - 3], source = scores_[n - 2], target_total = scores_[n - 1];
    const double own = found(own_pairs_, hash_of(target, source_hash));
    scores_[0] = left_out(scores_[0], pair, target_total, own, found(own_targets_, hash_of(target)), options_.floor);
    scores_[2] = left_out(scores_[2], pair, source, own, found(own_sources_, source_hash), options_.floor);
  }

  /// What the best derivations use.
  void read(const Search& search, const PhraseTable& small, Told& told) {
    const auto [graph, phrase_options] = search_graph(search, false);
    const float* const first = small.size() > 0 ? small.translation(0).scores.data() : nullptr;
    const auto entry_of = [&](const Option& option) {
      return entries_[static_cast<std::size_t>(option.translation.scores.data() - first) / small.n_scores()];
    };
    const bool by_margin = options_.margin > 0;
    const auto paths = n_best(graph, by_margin ? 1 : options_.n_best, false);
    std::unordered_map<std::uint32_t, std::vector<double>> uses;
    std::vector<double> path_scores;
    for (std::size_t i = 0; i < paths.size(); ++i) {
      path_scores.push_back(paths[i].score);
      std::uint32_t n_artificial = 0;
      for (const auto arc : paths[i].arcs) {
        const auto phrase = graph.arcs()[arc].phrase;
        if (phrase == graph::Hypergraph::kNoPhrase) continue;
        const Option& option = *phrase_options[phrase];
        n_artificial += option.n_unknown;
        if (option.table != 0) continue;
        auto& counts = uses[entry_of(option)];
        counts.resize(paths.size(), 0.0);
        counts[i] += 1;
      }
      if (i == 0) told.whole = n_artificial == 0;
    }
    if (by_margin) {
      for (const auto entry : near_best(graph, phrase_options, entry_of)) told.shares.push_back({entry, 1.0});
      return;
    }
    for (const auto& [entry, counts] : uses) {
      told.shares.push_back({entry, shared_count(counts, path_scores, options_.scale, options_.power)});
    }
    std::ranges::sort(told.shares, {}, &Told::Share::entry);
  }

  /// The entries of all derivations within the margin: an arc is as good as the best derivation with it.
  template <class Options, class EntryOf>
  std::vector<std::uint32_t> near_best(const graph::Hypergraph& graph, const Options& phrase_options,
                                       const EntryOf& entry_of) const {
    const auto inside = graph::best_inside(graph), outside = graph::best_outside(graph, inside);
    std::vector<std::uint32_t> near;
    for (std::size_t i = 0; i < graph.arcs().size(); ++i) {
      const auto& arc = graph.arcs()[i];
      if (arc.phrase == graph::Hypergraph::kNoPhrase) continue;
      const Option& option = *phrase_options[arc.phrase];
      double through = arc.score + outside[arc.to];
      for (const auto tail : graph.tails(i)) through += inside[tail];
      if (option.table == 0 && through >= inside.back() - options_.margin) near.push_back(entry_of(option));
    }
    std::ranges::sort(near);
    near.erase(std::ranges::unique(near).begin(), near.end());
    return near;
  }

  const PhraseTable& table_;
  unsigned n_features_;
  Orientation orientation_;
  const AlignedBitext& bitext_;
  const SortedPoints& points_;
  std::span<const TokenId> copies_;
  std::span<const float> weights_;
  const DecodeOptions& limits_;
  const ForcedOptions& options_;
  std::span<const TokenId> source_, target_;
  SentenceAlignment alignment_;
  EntryCounts own_sources_, own_targets_, own_pairs_;
  std::vector<std::uint32_t> entries_;  // of the table, by translation of the small one
  std::vector<float> scores_;
};

}  // namespace

float left_out(float log_p, double count, double total, double own_count, double own_total, float floor) {
  if (own_count <= 0 && own_total <= 0) return log_p;
  const double rest = total - own_total;
  if (count <= own_count || rest <= 0) return floor;
  const double smoothed = std::exp(static_cast<double>(log_p)) * total;
  // Smoothing may have taken more from a small count than other sentence pairs leave of it: these keep their share.
  const double left = smoothed > own_count ? smoothed - own_count : smoothed * (count - own_count) / count;
  return std::max(floor, static_cast<float>(std::log(std::min(1.0, left / rest))));
}

double shared_count(std::span<const double> counts, std::span<const double> scores, double scale, double power) {
  double best = -1e300, sum = 0, mass = 0;
  for (const double score : scores) best = std::max(best, scale * score);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double weight = std::exp(scale * scores[i] - best);
    mass += weight;
    sum += weight * counts[i];
  }
  return sum > 0 ? std::pow(sum / mass, power) : 0;
}

ForcedUse forced_use(std::shared_ptr<const PhraseTable> table, unsigned n_features, Orientation orientation,
                     const AlignedBitext& bitext, std::span<const TokenId> copies, std::span<const float> weights,
                     const DecodeOptions& limits, const ForcedOptions& options) {
  const unsigned more = orientation == Orientation::none ? 0 : 6;
  if (n_features < 4 || table->n_scores() != n_features + more + 3) {
    throw data_error(
        "Leaving one out needs a table with four scores, its orientations and three counts, as extraction "
        "gives it.");
  }
  const SortedPoints points(bitext);
  std::vector<Told> told(bitext.size());
  std::atomic<std::size_t> next{0};
  for_each_chunk(options.n_threads, options.n_threads, [&](const Chunk&) {
    Forcing forcing(*table, n_features, orientation, bitext, points, copies, weights, limits, options);
    for (std::size_t i = next++; i < bitext.size(); i = next++) told[i] = forcing.pair(i);
  });
  ForcedUse all;
  all.used.assign(table->size(), 0);
  all.counts.assign(table->size(), 0.0);
  all.n_pairs = bitext.size();
  for (const Told& each : told) {
    all.n_reached += each.reached ? 1 : 0;
    all.n_whole += each.whole ? 1 : 0;
    for (const auto& share : each.shares) {
      all.used[share.entry] = 1;
      all.counts[share.entry] += share.count;
    }
  }
  return all;
}

namespace {

/// Call `keep(source words, opens, entry)` for the used translations, and those restored.
template <class Keep>
void for_each_kept(const PhraseTable& table, std::span<const std::uint8_t> used, unsigned restore, const Keep& keep) {
  if (used.size() != table.size()) {
    throw data_error("The table has " + std::to_string(table.size()) + " translations, got " +
                     std::to_string(used.size()) + " marks.");
  }
  table.for_each_source([&](std::span<const TokenId> words, PhraseTable::Run run) {
    const auto marks = used.subspan(run.first, run.count);
    const bool any = std::ranges::find(marks, 1) != marks.end();
    const std::uint32_t restored = !any && words.size() == 1 ? std::min(run.count, restore) : 0;
    bool opens = true;
    for (std::uint32_t k = 0; k < run.count; ++k) {
      if (!marks[k] && k >= restored) continue;
      keep(words, opens, run.first + k);
      opens = false;
    }
  });
}

}  // namespace

std::unique_ptr<PhraseTable> prune_unused(const PhraseTable& table, std::span<const std::uint8_t> used,
                                          unsigned restore) {
  PhraseTableBuilder builder(table.n_scores());
  for_each_kept(table, used, restore, [&](std::span<const TokenId> words, bool opens, std::uint32_t entry) {
    if (opens) builder.source(words);
    const auto translation = table.translation(entry);
    builder.add(translation.words, translation.links, translation.scores);
  });
  return builder.finish();
}

std::unique_ptr<PhraseTable> reestimate(const PhraseTable& table, const ForcedUse& use, unsigned restore,
                                        double discount) {
  double least = 1;
  for (const double count : use.counts) {
    if (count > 0) least = std::min(least, count);
  }
  const auto count = [&](std::uint32_t entry) { return use.counts[entry] > 0 ? use.counts[entry] : least; };
  std::unordered_map<std::uint64_t, double> sources, targets;
  const auto target_hash = [&](std::uint32_t entry) { return hash_of(table.translation(entry).words); };
  for_each_kept(table, use.used, restore, [&](std::span<const TokenId> words, bool, std::uint32_t entry) {
    sources[hash_of(words)] += count(entry);
    targets[target_hash(entry)] += count(entry);
  });
  struct Line {
    std::uint32_t entry;
    std::vector<float> scores;
  };
  PhraseTableBuilder builder(table.n_scores());
  std::vector<Line> lines;
  const auto write = [&] {
    std::ranges::stable_sort(lines, [](const Line& a, const Line& b) {
      return a.scores[2] != b.scores[2] ? a.scores[2] > b.scores[2] : a.scores[3] > b.scores[3];
    });
    for (const Line& line : lines) {
      const auto translation = table.translation(line.entry);
      builder.add(translation.words, translation.links, line.scores);
    }
    lines.clear();
  };
  for_each_kept(table, use.used, restore, [&](std::span<const TokenId> words, bool opens, std::uint32_t entry) {
    if (opens) {
      write();
      builder.source(words);
    }
    const auto scores = table.translation(entry).scores;
    lines.push_back({entry, {scores.begin(), scores.end()}});
    lines.back().scores[0] = static_cast<float>(std::log(count(entry) / (discount + targets[target_hash(entry)])));
    lines.back().scores[2] = static_cast<float>(std::log(count(entry) / sources[hash_of(words)]));
  });
  write();
  return builder.finish();
}

}  // namespace dragoman::phrase
