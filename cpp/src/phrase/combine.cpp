#include "dragoman/phrase/combine.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <unordered_map>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/hash.hpp"
#include "dragoman/phrase/engine.hpp"
#include "words.hpp"

namespace dragoman::phrase {

namespace {

constexpr unsigned kCounts = 3;
constexpr unsigned kExtracted = 4;  // features of an extracted table
// A provenance that is not the pair's (Guzmán et al., WMT 2012: 1 or 0.5, here as logarithms).
const float kElsewhere = std::log(0.5F);

/// The numbers that words of the combined table have in a part's vocabulary; kNoToken: it lacks them.
std::vector<TokenId> inverse(std::span<const TokenId> ids) {
  std::vector<TokenId> back;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] < 0) continue;
    const auto at = static_cast<std::size_t>(ids[i]);
    if (at >= back.size()) back.resize(at + 1, text::kNoToken);
    back[at] = static_cast<TokenId>(i);
  }
  return back;
}

void map_words(std::span<const TokenId> words, std::span<const TokenId> ids, std::vector<TokenId>& into) {
  into.clear();
  for (const TokenId word : words) {
    if (static_cast<std::size_t>(word) >= ids.size()) {
      throw data_error("A phrase table has word " + std::to_string(word) + ", but its vocabulary has " +
                       std::to_string(ids.size()) + " words.");
    }
    into.push_back(ids[static_cast<std::size_t>(word)]);
  }
}

/// The words as a part numbers them; false if it lacks one.
bool map_back(std::span<const TokenId> words, std::span<const TokenId> back, std::vector<TokenId>& into) {
  into.clear();
  for (const TokenId word : words) {
    const auto at = static_cast<std::size_t>(word);
    if (at >= back.size() || back[at] == text::kNoToken) return false;
    into.push_back(back[at]);
  }
  return true;
}

/// A translation in one of the tables.
struct Candidate {
  std::uint64_t hash;  // of the target words
  std::uint32_t table;
  std::uint32_t entry;
};

/// A line of the combined table.
struct Line {
  std::uint32_t table;  // whose words, links and orientation it has
  std::uint32_t entry;
  float order[2];                     // p(t|s) and its lexical weight, or what stands for them
  std::size_t scores;                 // where they begin
  std::array<float, kCounts> counts;  // of pair, source and target, over all tables
};

class Combiner {
 public:
  Combiner(std::span<const TablePart> parts, const CombineOptions& options)
      : parts_(parts), options_(options), n_features_(n_combined_features(parts, options)) {
    for (const TablePart& part : parts_) back_.push_back(inverse(part.source_ids));
    if (options.mode == Combination::pooled) count_targets();
  }

  std::unique_ptr<PhraseTable> run() {
    PhraseTableBuilder builder(n_features_ + (options_.orientation ? kOrientations : 0) +
                               (options_.counts ? kCounts : 0));
    std::vector<TokenId> source, there;
    for (std::uint32_t t = 0; t < parts_.size(); ++t) {
      parts_[t].table->for_each_source([&](std::span<const TokenId> words, PhraseTable::Run own) {
        map_words(words, parts_[t].source_ids, source);
        runs_.assign(parts_.size(), {});
        for (std::uint32_t other = 0; other < parts_.size(); ++other) {
          if (other == t) {
            runs_[t] = own;
          } else if (map_back(source, back_[other], there)) {
            runs_[other] = parts_[other].table->find(there);
            if (other < t && runs_[other].count > 0) return;  // met before, in that table
          }
        }
        lines_.clear();
        scores_.clear();
        collect(source.size());
        write(source, builder);
      });
    }
    return builder.finish();
  }

 private:
  Translation translation(const Candidate& at) const { return parts_[at.table].table->translation(at.entry); }

  /// How often each target phrase was met in all tables: each of its pairs says it of its own table.
  void count_targets() {
    for (const TablePart& part : parts_) {
      std::unordered_map<std::uint64_t, float> own;
      for (std::uint32_t i = 0; i < part.table->size(); ++i) {
        const auto each = part.table->translation(i);
        map_words(each.words, part.target_ids, target_);
        own.emplace(hash_of(target_), each.scores.back());
      }
      for (const auto& [hash, count] : own) target_counts_[hash] += count;
    }
  }

  /// The lines of one source phrase, whose runs in the tables are known.
  void collect(std::size_t n_words) {
    candidates_.clear();
    bool found = false;
    for (std::uint32_t t = 0; t < parts_.size(); ++t) {
      if (options_.mode == Combination::backoff) {
        if (found) break;
        if (t > 0 && options_.backoff_longest > 0 && n_words > options_.backoff_longest) break;
      }
      found = found || runs_[t].count > 0;
      for (std::uint32_t i = runs_[t].first; i < runs_[t].first + runs_[t].count; ++i) {
        map_words(parts_[t].table->translation(i).words, parts_[t].target_ids, target_);
        candidates_.push_back({hash_of(target_), t, i});
      }
    }
    std::ranges::sort(candidates_, [](const Candidate& a, const Candidate& b) {
      return a.hash != b.hash ? a.hash < b.hash : a.table < b.table;
    });
    for (std::size_t first = 0; first < candidates_.size();) {
      std::size_t last = first;
      while (last < candidates_.size() && candidates_[last].hash == candidates_[first].hash) ++last;
      add(std::span(candidates_).subspan(first, last - first));
      first = last;
    }
  }

  /// How often pair and target phrase were met in the tables that have the pair, and the source phrase in all.
  std::array<float, kCounts> counts_of(std::span<const Candidate> pair) const {
    std::array<float, kCounts> sums{};
    if (!options_.counts) return sums;
    for (const Candidate& each : pair) {
      const auto counts = translation(each).scores.last(kCounts);
      sums[0] += counts[0];
      sums[2] += counts[2];
    }
    if (options_.mode == Combination::pooled) sums[2] = target_counts_.at(pair.front().hash);
    for (std::size_t t = 0; t < parts_.size(); ++t) {
      if (runs_[t].count > 0) sums[1] += parts_[t].table->translation(runs_[t].first).scores.last(kCounts)[1];
    }
    return sums;
  }

  /// The lines of one pair, from the tables that have it.
  void add(std::span<const Candidate> pair) {
    counts_ = counts_of(pair);
    switch (options_.mode) {
      case Combination::both:
        if (pair.size() == parts_.size()) add_both(pair);
        return;
      case Combination::either:
      case Combination::backoff:
        for (const Candidate& each : pair) add_own(each, pair.size() > 1);
        return;
      case Combination::fill_up: {
        float* const scores = open(pair.front());
        std::ranges::copy(features(pair.front()), scores);
        for (std::uint32_t t = 1; t < parts_.size(); ++t) {
          scores[parts_[0].n_features + t - 1] = pair.front().table == t ? -1.0F : 0.0F;
        }
        return;
      }
      case Combination::interpolated:
        add_mixed(pair);
        return;
      case Combination::pooled:
        add_pooled(pair);
        return;
    }
  }

  std::span<const float> features(const Candidate& at) const {
    return translation(at).scores.first(parts_[at.table].n_features);
  }

  /// A new line, its features still neutral.
  float* open(const Candidate& from) {
    const auto own = features(from);
    lines_.push_back({from.table,
                      from.entry,
                      {own.size() > kDirect ? own[kDirect] : 0.0F, own.size() > kDirect + 1 ? own[kDirect + 1] : 0.0F},
                      scores_.size(),
                      counts_});
    scores_.resize(scores_.size() + n_features_, 0.0F);
    return scores_.data() + lines_.back().scores;
  }

  void add_both(std::span<const Candidate> pair) {
    float* scores = open(pair.front());
    for (const Candidate& each : pair) scores = std::ranges::copy(features(each), scores).out;
  }

  void add_own(const Candidate& from, bool shared) {
    float* scores = open(from);
    for (std::uint32_t t = 0; t < parts_.size(); ++t) {
      if (t == from.table) std::ranges::copy(features(from), scores);
      scores += parts_[t].n_features;
    }
    if (!options_.provenance) return;
    for (std::uint32_t t = 0; t < parts_.size(); ++t) *scores++ = t == from.table ? 0.0F : kElsewhere;
    *scores = shared ? 0.0F : kElsewhere;
  }

  /// A table that lacks a pair gives it the probability 0. Lexical weights (every second score) say nothing of how
  /// often a pair was met: they are averaged over the tables that have it.
  void add_mixed(std::span<const Candidate> pair) {
    float* const scores = open(pair.front());
    for (unsigned f = 0; f < n_features_; ++f) {
      double sum = 0, mass = 0;
      for (const Candidate& each : pair) {
        const double weight = options_.weights[f * parts_.size() + each.table];
        sum += weight * std::exp(static_cast<double>(features(each)[f]));
        mass += weight;
      }
      if (f % 2 == 1) sum = mass > 0 ? sum / mass : std::exp(static_cast<double>(features(pair.front())[f]));
      scores[f] =
          sum > 0 ? floored(static_cast<float>(std::log(sum))) : floored(-std::numeric_limits<float>::infinity());
    }
    sort_by(scores);
  }

  /// Orientations are those of the table that met the pair most often.
  void add_pooled(std::span<const Candidate> pair) {
    const auto count = [&](const Candidate& at) { return translation(at).scores.last(kCounts)[0]; };
    float* const scores = open(*std::ranges::max_element(pair, {}, count));
    const auto [met, source, target] = counts_;
    scores[0] = floored(std::log(met / target));
    scores[kDirect] = floored(std::log(met / source));
    for (const unsigned f : {1U, kDirect + 1}) {
      double sum = 0;
      for (const Candidate& each : pair)
        sum += static_cast<double>(count(each)) * std::exp(static_cast<double>(features(each)[f]));
      scores[f] = floored(static_cast<float>(std::log(sum / static_cast<double>(met))));
    }
    sort_by(scores);
  }

  void sort_by(const float* scores) {
    for (unsigned i = 0; i < 2; ++i) lines_.back().order[i] = n_features_ > kDirect + i ? scores[kDirect + i] : 0.0F;
  }

  void write(std::span<const TokenId> source, PhraseTableBuilder& builder) {
    if (lines_.empty()) return;
    std::ranges::stable_sort(lines_, [](const Line& a, const Line& b) {
      return a.order[0] != b.order[0] ? a.order[0] > b.order[0] : a.order[1] > b.order[1];
    });
    builder.source(source);
    std::vector<float> all;
    for (const Line& line : lines_) {
      const auto translation = parts_[line.table].table->translation(line.entry);
      map_words(translation.words, parts_[line.table].target_ids, target_);
      all.assign(scores_.begin() + static_cast<std::ptrdiff_t>(line.scores),
                 scores_.begin() + static_cast<std::ptrdiff_t>(line.scores + n_features_));
      if (options_.orientation) {
        const auto more = translation.scores.subspan(parts_[line.table].n_features, kOrientations);
        all.insert(all.end(), more.begin(), more.end());
      }
      if (options_.counts) all.insert(all.end(), line.counts.begin(), line.counts.end());
      builder.add(target_, translation.links, all);
    }
  }

  std::span<const TablePart> parts_;
  const CombineOptions& options_;
  unsigned n_features_;
  std::vector<std::vector<TokenId>> back_;
  std::unordered_map<std::uint64_t, float> target_counts_;  // pooled: by hash
  std::vector<PhraseTable::Run> runs_;
  std::vector<Candidate> candidates_;
  std::vector<Line> lines_;
  std::vector<float> scores_;
  std::array<float, kCounts> counts_{};
  std::vector<TokenId> target_;
};

void check_tables(std::span<const TablePart> parts, const CombineOptions& options) {
  if (parts.empty()) throw data_error("There is no phrase table to combine.");
  for (const TablePart& part : parts) {
    const unsigned needed =
        part.n_features + (options.orientation ? kOrientations : 0) + (options.counts ? kCounts : 0);
    if (part.table->n_scores() < needed) {
      throw data_error("A phrase table has " + std::to_string(part.table->n_scores()) + " scores; " +
                       std::to_string(needed) + " are asked of it.");
    }
  }
  if (options.mode == Combination::pooled && (!options.counts || parts[0].n_features != kExtracted)) {
    throw data_error("Only extracted tables with counts can be pooled: four scores, and how often pairs were met.");
  }
  const auto mode = options.mode;
  if (mode != Combination::fill_up && mode != Combination::interpolated && mode != Combination::pooled) return;
  for (const TablePart& part : parts) {
    if (part.n_features != parts[0].n_features) {
      throw data_error("Tables that share their features must have equally many, got " +
                       std::to_string(parts[0].n_features) + " and " + std::to_string(part.n_features) + ".");
    }
  }
  if (options.mode == Combination::interpolated && options.weights.size() != parts.size() * parts[0].n_features) {
    throw data_error("Interpolation needs a weight of each table for each of " + std::to_string(parts[0].n_features) +
                     " features, got " + std::to_string(options.weights.size()) + ".");
  }
}

}  // namespace

unsigned n_combined_features(std::span<const TablePart> parts, const CombineOptions& options) {
  check_tables(parts, options);
  const auto n_tables = static_cast<unsigned>(parts.size());
  if (options.mode == Combination::interpolated || options.mode == Combination::pooled) return parts[0].n_features;
  if (options.mode == Combination::fill_up) return parts[0].n_features + n_tables - 1;
  unsigned n = 0;
  for (const TablePart& part : parts) n += part.n_features;
  return n + (options.provenance && options.mode != Combination::both ? n_tables + 1 : 0);
}

std::unique_ptr<PhraseTable> combine(std::span<const TablePart> parts, const CombineOptions& options) {
  return Combiner(parts, options).run();
}

std::vector<float> scores_of(const TablePart& part, const PhraseTable& pairs) {
  const auto source_back = inverse(part.source_ids), target_back = inverse(part.target_ids);
  std::vector<float> all(pairs.size() * part.n_features, -std::numeric_limits<float>::infinity());
  std::vector<TokenId> source, target;
  pairs.for_each_source([&](std::span<const TokenId> words, PhraseTable::Run run) {
    if (!map_back(words, source_back, source)) return;
    const auto found = part.table->find(source);
    for (std::uint32_t i = run.first; found.count > 0 && i < run.first + run.count; ++i) {
      if (!map_back(pairs.translation(i).words, target_back, target)) continue;
      for (std::uint32_t k = found.first; k < found.first + found.count; ++k) {
        const auto there = part.table->translation(k);
        if (!std::ranges::equal(there.words, target)) continue;
        std::ranges::copy(there.scores.first(part.n_features),
                          all.begin() + static_cast<std::ptrdiff_t>(std::size_t{i} * part.n_features));
        break;
      }
    }
  });
  return all;
}

std::unique_ptr<PhraseTable> with_scores(const PhraseTable& table, std::span<const float> scores, unsigned n_scores) {
  if (n_scores <= kDirect + 1 || scores.size() != table.size() * n_scores) {
    throw data_error("A phrase table of " + std::to_string(table.size()) +
                     " pairs needs as many rows of four scores or more, got " + std::to_string(scores.size()) +
                     " numbers in rows of " + std::to_string(n_scores) + ".");
  }
  PhraseTableBuilder builder(n_scores);
  builder.reserve(table.size());
  std::vector<std::uint32_t> order;
  const auto row = [&](std::uint32_t i) { return scores.subspan(std::size_t{i} * n_scores, n_scores); };
  table.for_each_source([&](std::span<const TokenId> words, PhraseTable::Run run) {
    order.resize(run.count);
    std::iota(order.begin(), order.end(), run.first);
    std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
      return row(a)[kDirect] != row(b)[kDirect] ? row(a)[kDirect] > row(b)[kDirect]
                                                : row(a)[kDirect + 1] > row(b)[kDirect + 1];
    });
    builder.source(words);
    for (const std::uint32_t i : order) {
      const auto translation = table.translation(i);
      builder.add(translation.words, translation.links, row(i));
    }
  });
  return builder.finish();
}

}  // namespace dragoman::phrase
