#include "dragoman/phrase/extract.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/hash.hpp"
#include "dragoman/core/parallel.hpp"
#include "dragoman/phrase/lexicon.hpp"
#include "dragoman/phrase/smoothing.hpp"
#include "orientation_counts.hpp"
#include "pair_scores.hpp"
#include "target_marginals.hpp"

namespace dragoman::phrase {

namespace {

constexpr std::size_t kParts = kSourceRanges;

/// A phrase pair where it was met. Phrases are known by 64-bit hashes: among a hundred million of them, two different
/// ones share one with a probability of 0.0003.
struct Instance {
  std::uint64_t source_hash, target_hash;
  std::uint32_t sentence;
  std::uint16_t source_begin, target_begin;
  std::uint8_t n_source, n_target;  // words
  std::uint8_t before, behind;      // orientations

  PhraseSpan span() const noexcept {
    return {source_begin, static_cast<std::uint16_t>(source_begin + n_source), target_begin,
            static_cast<std::uint16_t>(target_begin + n_target)};
  }
};
static_assert(sizeof(Instance) == 32);

bool earlier(const Instance& a, const Instance& b) noexcept {
  if (a.source_hash != b.source_hash) return a.source_hash < b.source_hash;
  if (a.target_hash != b.target_hash) return a.target_hash < b.target_hash;
  if (a.sentence != b.sentence) return a.sentence < b.sentence;
  if (a.target_begin != b.target_begin) return a.target_begin < b.target_begin;
  return a.source_begin < b.source_begin;
}

/// A phrase pair of the whole corpus.
struct Pair : PairCounts {
  const Instance* example;    // with the alignment met most often
  std::uint32_t n_of_source;  // pairs of its source phrase
};

class Extraction {
 public:
  Extraction(const AlignedBitext& bitext, const ExtractOptions& options, ExtractStatistics& statistics)
      : bitext_(bitext), options_(options), points_(bitext), lexicon_(bitext, points_), statistics_(statistics) {}

  std::unique_ptr<PhraseTable> run() {
    collect();
    pairs_.resize(kParts);
    for_each_part([&](std::size_t part) { pairs_[part] = count(parts_[part]); });
    const auto smoothing = count_pairs();
    TargetMarginals::add_up<Pair>(
        kParts, options_.n_threads,
        [&](std::size_t part, const auto& use) {
          for (Pair& pair : pairs_[part]) use(pair.example->target_hash, pair.met, pair);
        },
        [&](const Evidence& met) { return smoothing.discounted(met); },
        [&](Pair& pair, const Marginal& target) {
          pair.n_of_target = target.n_pairs;
          pair.target_total = target.total;
          const double p = smoothing.probability(pair.met, target, pair.n_of_source);
          pair.log_source_given_target = static_cast<float>(std::log(p));
        });
    std::vector<std::vector<Scored>> scored(kParts);
    for_each_part([&](std::size_t part) { scored[part] = score(pairs_[part], smoothing); });
    return build(scored);
  }

 private:
  struct Scored {
    const Pair* pair;
    bool opens;  // the first of its source phrase
    std::array<float, 13> scores;
  };

  template <class Work>
  void for_each_part(const Work& work) const {
    for_each_chunk(kParts, options_.n_threads, [&](const Chunk& chunk) {
      for (std::size_t part = chunk.begin; part < chunk.end; ++part) work(part);
    });
  }

  std::span<const TokenId> source(const Instance& at) const {
    return bitext_.source.subspan(static_cast<std::size_t>(bitext_.source_offsets[at.sentence]) + at.source_begin,
                                  at.n_source);
  }
  std::span<const TokenId> target(const Instance& at) const {
    return bitext_.target.subspan(static_cast<std::size_t>(bitext_.target_offsets[at.sentence]) + at.target_begin,
                                  at.n_target);
  }
  static std::uint64_t hash_of(std::span<const TokenId> words) {
    return hash_bytes({reinterpret_cast<const char*>(words.data()), words.size_bytes()});
  }

  /// All instances, cut into parts and sorted there.
  void collect() {
    const std::size_t n_chunks = std::max<std::size_t>(1, options_.n_threads);
    std::vector<std::vector<std::vector<Instance>>> found(n_chunks, std::vector<std::vector<Instance>>(kParts));
    for_each_chunk(bitext_.size(), options_.n_threads, [&](const Chunk& chunk) {
      SentenceAlignment alignment;
      SentenceOrientations orientations;
      for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
        if (bitext_.weight(i) == 0) continue;
        const auto source_at = static_cast<std::size_t>(bitext_.source_offsets[i]);
        const auto target_at = static_cast<std::size_t>(bitext_.target_offsets[i]);
        alignment.set(points_.view(), source_at, static_cast<std::size_t>(bitext_.source_offsets[i + 1]) - source_at,
                      static_cast<std::size_t>(bitext_.target_offsets[i + 1]) - target_at);
        orientations.set(options_.orientation, alignment);
        alignment.for_each_phrase(options_.longest, [&](const PhraseSpan& span) {
          Instance instance{0,
                            0,
                            static_cast<std::uint32_t>(i),
                            span.source_begin,
                            span.target_begin,
                            static_cast<std::uint8_t>(span.source_end - span.source_begin),
                            static_cast<std::uint8_t>(span.target_end - span.target_begin),
                            0,
                            0};
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
    for_each_part([&](std::size_t part) {
      auto& all = parts_[part];
      std::size_t size = 0;
      for (const auto& each : found) size += each[part].size();
      all.reserve(size);
      for (auto& each : found) {
        all.insert(all.end(), each[part].begin(), each[part].end());
        each[part] = {};
      }
      std::sort(all.begin(), all.end(), earlier);
    });
  }

  /// Call `use(source word, target word)` for the links of an instance, counted from 0 in their phrases.
  template <class Use>
  void for_each_link(const Instance& at, const Use& use) const {
    const auto first = static_cast<std::size_t>(bitext_.source_offsets[at.sentence]) + at.source_begin;
    for (std::size_t s = 0; s < at.n_source; ++s) {
      for (auto p = points_.at(first + s); p < points_.at(first + s + 1); ++p) {
        use(static_cast<std::uint8_t>(s), static_cast<std::uint8_t>(points_.target(p) - at.target_begin));
      }
    }
  }

  std::uint64_t hash_of_links(const Instance& at) const {
    std::uint64_t hash = 0;
    for_each_link(at, [&](std::uint8_t s, std::uint8_t t) { hash = hash_of_link(hash, s, t); });
    return hash;
  }

  /// The different pairs of a part; instances of one lie together.
  std::vector<Pair> count(const std::vector<Instance>& instances) const {
    struct Alignment {
      std::uint64_t links;
      double mass;
      const Instance* example;
    };
    std::vector<Alignment> alignments;
    std::vector<Pair> pairs;
    const auto same = [](const Instance& a, const Instance& b) {
      return a.source_hash == b.source_hash && a.target_hash == b.target_hash;
    };
    for (std::size_t first = 0; first < instances.size();) {
      std::size_t last = first;
      Pair pair{{}, &instances[first], 0};
      for (; last < instances.size() && same(instances[first], instances[last]); ++last) {
        const double weight = bitext_.weight(instances[last].sentence);
        ++pair.met.count;
        pair.met.mass += weight;
        pair.orientations[instances[last].before] += weight;
        pair.orientations[3 + instances[last].behind] += weight;
      }
      if (pair.met.count > 1) {
        alignments.clear();
        for (std::size_t i = first; i < last; ++i) {
          const auto links = hash_of_links(instances[i]);
          const double weight = bitext_.weight(instances[i].sentence);
          const auto known = std::ranges::find(alignments, links, &Alignment::links);
          if (known != alignments.end()) {
            known->mass += weight;
          } else {
            alignments.push_back({links, weight, &instances[i]});
          }
        }
        pair.example = std::ranges::max_element(alignments, {}, &Alignment::mass)->example;
      }
      pairs.push_back(pair);
      first = last;
    }
    for (std::size_t first = 0; first < pairs.size();) {
      std::size_t last = first;
      while (last < pairs.size() && same_source(pairs[first], pairs[last])) ++last;
      for (std::size_t i = first; i < last; ++i) pairs[i].n_of_source = static_cast<std::uint32_t>(last - first);
      first = last;
    }
    return pairs;
  }

  static bool same_source(const Pair& a, const Pair& b) noexcept {
    return a.example->source_hash == b.example->source_hash;
  }

  PhraseSmoothing count_pairs() {
    std::vector<std::uint64_t> counts_of_counts;
    for (const auto& part : pairs_) {
      for (const Pair& pair : part) {
        if (pair.met.count >= counts_of_counts.size()) counts_of_counts.resize(pair.met.count + 1);
        ++counts_of_counts[pair.met.count];
        for (unsigned f = 0; f < 6; ++f) statistics_.orientations[f] += pair.orientations[f];
        statistics_.n_instances += pair.met.count;
        mass_ += pair.met.mass;
      }
      statistics_.n_pairs += part.size();
    }
    // Each direction has seen every instance once.
    for (unsigned f = 0; f < 6; ++f) overall_[f] = statistics_.orientations[f] / mass_;
    return {options_.smoothing, counts_of_counts, statistics_.n_pairs, statistics_.n_instances};
  }

  /// Scores of the pairs of a part, those of one source phrase together, the most probable first.
  std::vector<Scored> score(const std::vector<Pair>& pairs, const PhraseSmoothing& smoothing) const {
    std::vector<Scored> scored;
    scored.reserve(pairs.size());
    for (std::size_t first = 0; first < pairs.size();) {
      std::size_t last = first;
      Marginal source;
      for (; last < pairs.size() && same_source(pairs[first], pairs[last]); ++last) {
        source.add(pairs[last].met, smoothing.discounted(pairs[last].met));
      }
      const std::size_t begin = scored.size();
      for (std::size_t i = first; i < last; ++i) {
        const auto weights = lexicon_.weights(pairs[i].example->sentence, pairs[i].example->span());
        scored.push_back({&pairs[i], false, pair_scores(pairs[i], weights, source, smoothing, options_, overall_)});
      }
      keep_best(scored, begin, options_);
      scored[begin].opens = true;
      first = last;
    }
    return scored;
  }

  std::unique_ptr<PhraseTable> build(const std::vector<std::vector<Scored>>& scored) {
    const unsigned n_scores = n_scores_of(options_);
    PhraseTableBuilder builder(n_scores);
    std::size_t n_pairs = 0;
    for (const auto& part : scored) n_pairs += part.size();
    builder.reserve(n_pairs);
    std::vector<Link> links;
    for (const auto& part : scored) {
      for (const Scored& each : part) {
        const Instance& example = *each.pair->example;
        links.clear();
        for_each_link(example, [&](std::uint8_t s, std::uint8_t t) { links.push_back({s, t}); });
        if (each.opens) builder.source(source(example));
        builder.add(target(example), links, std::span(each.scores).first(n_scores));
        ++statistics_.n_kept;
      }
    }
    return builder.finish();
  }

  const AlignedBitext& bitext_;
  const ExtractOptions& options_;
  const SortedPoints points_;
  const Lexicon lexicon_;
  std::vector<std::vector<Instance>> parts_;
  std::vector<std::vector<Pair>> pairs_;
  ExtractStatistics& statistics_;
  double mass_ = 0;                  // of all instances
  std::array<double, 6> overall_{};  // orientations of all instances, as shares
};

}  // namespace

void check_extraction(const AlignedBitext& bitext, const ExtractOptions& options) {
  if (options.longest < 1 || options.longest > 255) throw data_error("A phrase has 1 to 255 words.");
  for (const auto words : {bitext.source, bitext.target}) {
    if (std::ranges::any_of(words, [](TokenId word) { return word < 0; })) {
      throw data_error("A word's number is negative; a bitext to extract from has numbers of a vocabulary.");
    }
  }
}

std::unique_ptr<PhraseTable> extract(const AlignedBitext& bitext, const ExtractOptions& options,
                                     ExtractStatistics& statistics) {
  check_extraction(bitext, options);
  return Extraction(bitext, options, statistics).run();
}

}  // namespace dragoman::phrase
