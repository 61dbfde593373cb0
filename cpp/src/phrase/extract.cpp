#include "dragoman/phrase/extract.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>
#include <vector>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/hash.hpp"
#include "dragoman/core/parallel.hpp"
#include "lexicon.hpp"
#include "orientation_counts.hpp"
#include "sentence_phrases.hpp"

namespace dragoman::phrase {

namespace {

// Instances are cut into parts by their source phrase. The number is fixed, so the table does not depend on threads.
constexpr std::size_t kParts = 64;

/// A phrase pair where it was met. Phrases are known by 64-bit hashes: among a hundred million of them, two different
/// ones share one with a probability of 0.0003.
struct Instance {
  std::uint64_t source_hash, target_hash;
  std::uint32_t sentence;
  PhraseSpan span;
  std::uint8_t before, behind;
};

bool earlier(const Instance& a, const Instance& b) {
  if (a.source_hash != b.source_hash) return a.source_hash < b.source_hash;
  if (a.target_hash != b.target_hash) return a.target_hash < b.target_hash;
  if (a.sentence != b.sentence) return a.sentence < b.sentence;
  if (a.span.target_begin != b.span.target_begin) return a.span.target_begin < b.span.target_begin;
  return a.span.source_begin < b.span.source_begin;
}

/// A phrase pair of the whole corpus.
struct Pair {
  const Instance* example;
  std::uint32_t count;
  std::array<std::uint32_t, 6> orientations;
  std::vector<Link> links;  // the alignment met most often
  std::uint64_t target_hash;
};

class Extraction {
 public:
  Extraction(const AlignedBitext& bitext, const ExtractOptions& options) : bitext_(bitext), options_(options) {}

  std::unique_ptr<PhraseTable> run(ExtractStatistics& statistics) {
    check();
    lexicon_.add(bitext_);
    collect();
    std::vector<std::vector<Pair>> pairs(kParts);
    for_each_chunk(kParts, options_.n_threads, [&](const Chunk& chunk) {
      for (std::size_t part = chunk.begin; part < chunk.end; ++part) pairs[part] = count(parts_[part]);
    });
    for (const auto& part : pairs) {
      for (const Pair& pair : part) {
        target_totals_[pair.target_hash] += pair.count;
        for (unsigned f = 0; f < 6; ++f) statistics.orientations[f] += pair.orientations[f];
        statistics.n_instances += pair.count;
      }
      statistics.n_pairs += part.size();
    }
    statistics_ = &statistics;
    std::vector<std::vector<Scored>> scored(kParts);
    for_each_chunk(kParts, options_.n_threads, [&](const Chunk& chunk) {
      for (std::size_t part = chunk.begin; part < chunk.end; ++part) scored[part] = score(pairs[part]);
    });
    return build(scored);
  }

 private:
  struct Scored {
    const Pair* pair;
    bool opens;  // the first of its source phrase
    std::array<float, 10> scores;
  };

  std::span<const TokenId> source(const Instance& at) const {
    const auto begin = static_cast<std::size_t>(bitext_.source_offsets[at.sentence]) + at.span.source_begin;
    return bitext_.source.subspan(begin, at.span.source_end - at.span.source_begin);
  }
  std::span<const TokenId> target(const Instance& at) const {
    const auto begin = static_cast<std::size_t>(bitext_.target_offsets[at.sentence]) + at.span.target_begin;
    return bitext_.target.subspan(begin, at.span.target_end - at.span.target_begin);
  }

  void check() const {
    for (std::size_t i = 0; i < bitext_.size(); ++i) {
      const auto n_source = bitext_.source_offsets[i + 1] - bitext_.source_offsets[i];
      const auto n_target = bitext_.target_offsets[i + 1] - bitext_.target_offsets[i];
      for (auto p = bitext_.point_offsets[i]; p < bitext_.point_offsets[i + 1]; ++p) {
        const Point point = bitext_.points[static_cast<std::size_t>(p)];
        if (point.source < n_source && point.target < n_target) continue;
        throw data_error("Sentence pair " + std::to_string(i + 1) + " has " + std::to_string(n_source) + " and " +
                         std::to_string(n_target) + " words, but its alignment has the point " +
                         std::to_string(point.source) + "-" + std::to_string(point.target) + ", counted from 0.");
      }
    }
  }

  /// All instances, sorted into parts; within a part in the order of the text.
  void collect() {
    const std::size_t n_chunks = std::max<std::size_t>(1, options_.n_threads);
    std::vector<std::vector<std::vector<Instance>>> found(n_chunks, std::vector<std::vector<Instance>>(kParts));
    for_each_chunk(bitext_.size(), options_.n_threads, [&](const Chunk& chunk) {
      SentenceAlignment alignment;
      SentenceOrientations orientations;
      for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
        const auto source_at = static_cast<std::size_t>(bitext_.source_offsets[i]);
        const auto target_at = static_cast<std::size_t>(bitext_.target_offsets[i]);
        const auto points_at = static_cast<std::size_t>(bitext_.point_offsets[i]);
        alignment.set(static_cast<std::size_t>(bitext_.source_offsets[i + 1]) - source_at,
                      static_cast<std::size_t>(bitext_.target_offsets[i + 1]) - target_at,
                      bitext_.points.subspan(points_at, static_cast<std::size_t>(bitext_.point_offsets[i + 1]) - points_at));
        orientations.set(options_.orientation, alignment);
        alignment.for_each_phrase(options_.longest, [&](const PhraseSpan& span) {
          Instance instance{0, 0, static_cast<std::uint32_t>(i), span, 0, 0};
          instance.source_hash = hash_of(source(instance));
          instance.target_hash = hash_of(target(instance));
          if (options_.orientation != Orientation::none) {
            instance.before = static_cast<std::uint8_t>(orientations.before(span));
            instance.behind = static_cast<std::uint8_t>(orientations.behind(span));
          }
          found[chunk.index][instance.source_hash % kParts].push_back(instance);
        });
      }
    });
    parts_.resize(kParts);
    for_each_chunk(kParts, options_.n_threads, [&](const Chunk& chunk) {
      for (std::size_t part = chunk.begin; part < chunk.end; ++part) {
        for (auto& each : found) {
          parts_[part].insert(parts_[part].end(), each[part].begin(), each[part].end());
          each[part] = {};
        }
        std::sort(parts_[part].begin(), parts_[part].end(), earlier);
      }
    });
  }

  static std::uint64_t hash_of(std::span<const TokenId> words) {
    return hash_bytes({reinterpret_cast<const char*>(words.data()), words.size_bytes()});
  }

  std::vector<Link> links_of(const Instance& at) const {
    std::vector<Link> links;
    for (auto p = bitext_.point_offsets[at.sentence]; p < bitext_.point_offsets[at.sentence + 1]; ++p) {
      const Point point = bitext_.points[static_cast<std::size_t>(p)];
      if (point.source < at.span.source_begin || point.source >= at.span.source_end) continue;
      if (point.target < at.span.target_begin || point.target >= at.span.target_end) continue;
      links.push_back({static_cast<std::uint8_t>(point.source - at.span.source_begin),
                       static_cast<std::uint8_t>(point.target - at.span.target_begin)});
    }
    std::sort(links.begin(), links.end(), [](const Link& a, const Link& b) {
      return a.source != b.source ? a.source < b.source : a.target < b.target;
    });
    return links;
  }

  /// The different pairs of a part; instances of one lie together.
  std::vector<Pair> count(const std::vector<Instance>& instances) const {
    std::vector<Pair> pairs;
    std::vector<std::pair<std::vector<Link>, unsigned>> alignments;
    for (std::size_t first = 0; first < instances.size();) {
      std::size_t last = first;
      Pair pair{&instances[first], 0, {}, {}, instances[first].target_hash};
      alignments.clear();
      while (last < instances.size() && instances[last].source_hash == instances[first].source_hash &&
             instances[last].target_hash == instances[first].target_hash) {
        const Instance& instance = instances[last++];
        ++pair.count;
        ++pair.orientations[instance.before];
        ++pair.orientations[3 + instance.behind];
        auto links = links_of(instance);
        const auto known = std::ranges::find(alignments, links, &std::pair<std::vector<Link>, unsigned>::first);
        if (known != alignments.end()) {
          ++known->second;
        } else {
          alignments.emplace_back(std::move(links), 1);
        }
      }
      const auto best = std::ranges::max_element(alignments, {}, &std::pair<std::vector<Link>, unsigned>::second);
      pair.links = std::move(best->first);
      pairs.push_back(std::move(pair));
      first = last;
    }
    return pairs;
  }

  /// Scores of the pairs of a part, those of one source phrase together, the most probable first.
  std::vector<Scored> score(const std::vector<Pair>& pairs) const {
    std::vector<Scored> scored;
    for (std::size_t first = 0; first < pairs.size();) {
      std::size_t last = first;
      std::uint64_t total = 0;
      while (last < pairs.size() && pairs[last].example->source_hash == pairs[first].example->source_hash) {
        total += pairs[last++].count;
      }
      const std::size_t begin = scored.size();
      for (std::size_t i = first; i < last; ++i) scored.push_back({&pairs[i], false, scores(pairs[i], total)});
      std::stable_sort(scored.begin() + static_cast<std::ptrdiff_t>(begin), scored.end(),
                       [](const Scored& a, const Scored& b) {
                         if (a.scores[2] != b.scores[2]) return a.scores[2] > b.scores[2];
                         return a.scores[3] > b.scores[3];
                       });
      if (options_.translations_per_phrase > 0 && scored.size() - begin > options_.translations_per_phrase) {
        scored.resize(begin + options_.translations_per_phrase);
      }
      scored[begin].opens = true;
      first = last;
    }
    return scored;
  }

  std::array<float, 10> scores(const Pair& pair, std::uint64_t source_total) const {
    const auto joint = static_cast<double>(pair.count);
    const auto source_words = source(*pair.example), target_words = target(*pair.example);
    const double target_total = static_cast<double>(target_totals_.at(pair.target_hash));
    std::array<float, 10> all{};
    all[0] = static_cast<float>(std::log(joint / target_total));
    all[1] = static_cast<float>(lexicon_.log_source_weight(source_words, target_words, pair.links));
    all[2] = static_cast<float>(std::log(joint / static_cast<double>(source_total)));
    all[3] = static_cast<float>(lexicon_.log_target_weight(source_words, target_words, pair.links));
    if (options_.orientation != Orientation::none) {
      for (unsigned f = 0; f < 6; ++f) {
        // Each direction has seen every instance once.
        const double overall = static_cast<double>(statistics_->orientations[f]) / static_cast<double>(statistics_->n_instances);
        const double smoothing = options_.orientation_smoothing;
        const double p = (pair.orientations[f] + smoothing * overall) / (joint + smoothing);
        all[4 + f] = static_cast<float>(std::log(std::max(p, 1e-9)));
      }
    }
    return all;
  }

  std::unique_ptr<PhraseTable> build(const std::vector<std::vector<Scored>>& scored) {
    const unsigned n_scores = options_.orientation == Orientation::none ? 4 : 10;
    PhraseTableBuilder builder(n_scores);
    for (const auto& part : scored) {
      for (const Scored& each : part) {
        if (each.opens) builder.source(source(*each.pair->example));
        builder.add(target(*each.pair->example), each.pair->links, std::span(each.scores).first(n_scores));
        ++statistics_->n_kept;
      }
    }
    return builder.finish();
  }

  const AlignedBitext& bitext_;
  const ExtractOptions& options_;
  Lexicon lexicon_;
  std::vector<std::vector<Instance>> parts_;
  std::unordered_map<std::uint64_t, std::uint64_t> target_totals_;
  ExtractStatistics* statistics_ = nullptr;
};

}  // namespace

std::unique_ptr<PhraseTable> extract(const AlignedBitext& bitext, const ExtractOptions& options,
                                     ExtractStatistics& statistics) {
  return Extraction(bitext, options).run(statistics);
}

}  // namespace dragoman::phrase
