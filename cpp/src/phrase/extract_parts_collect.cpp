#include <algorithm>
#include <vector>

#include "dragoman/core/hash.hpp"
#include "orientation_counts.hpp"
#include "pair_runs.hpp"
#include "pair_scores.hpp"

namespace dragoman::phrase {

namespace {

/// A phrase pair where it was met in a part.
struct CollectedInstance {
  std::uint64_t source_hash, target_hash, links_hash;
  std::uint32_t sentence;
  std::uint16_t source_begin, target_begin;
  std::uint8_t n_source, n_target, before, behind;
};

bool collected_earlier(const CollectedInstance& a, const CollectedInstance& b) noexcept {
  if (a.source_hash != b.source_hash) return a.source_hash < b.source_hash;
  if (a.target_hash != b.target_hash) return a.target_hash < b.target_hash;
  if (a.sentence != b.sentence) return a.sentence < b.sentence;
  if (a.target_begin != b.target_begin) return a.target_begin < b.target_begin;
  return a.source_begin < b.source_begin;
}

/// Extracts from a part of a text.
class Collection {
 public:
  Collection(const AlignedBitext& bitext, const ExtractOptions& options)
      : bitext_(bitext), options_(options), points_(bitext) {}

  CollectedPairs run() {
    std::vector<std::vector<CollectedInstance>> ranges(kSourceRanges);
    meet([&](const CollectedInstance& instance) { ranges[instance.source_hash % kSourceRanges].push_back(instance); });
    CollectedPairs pairs;
    for (auto& instances : ranges) {
      std::sort(instances.begin(), instances.end(), collected_earlier);
      pairs.runs.push_back(sorted_run(instances));
      instances = {};
    }
    pairs.links = count_links(bitext_, points_);
    return pairs;
  }

 private:
  std::span<const TokenId> source(const CollectedInstance& at) const {
    return bitext_.source.subspan(static_cast<std::size_t>(bitext_.source_offsets[at.sentence]) + at.source_begin,
                                  at.n_source);
  }
  std::span<const TokenId> target(const CollectedInstance& at) const {
    return bitext_.target.subspan(static_cast<std::size_t>(bitext_.target_offsets[at.sentence]) + at.target_begin,
                                  at.n_target);
  }
  static std::uint64_t hash_of(std::span<const TokenId> words) {
    return hash_bytes({reinterpret_cast<const char*>(words.data()), words.size_bytes()});
  }

  template <class Use>
  void meet(const Use& use) {
    SentenceAlignment alignment;
    SentenceOrientations orientations;
    std::vector<Link> links;
    for (std::size_t i = 0; i < bitext_.size(); ++i) {
      const auto source_at = static_cast<std::size_t>(bitext_.source_offsets[i]);
      const auto target_at = static_cast<std::size_t>(bitext_.target_offsets[i]);
      alignment.set(points_.view(), source_at, static_cast<std::size_t>(bitext_.source_offsets[i + 1]) - source_at,
                    static_cast<std::size_t>(bitext_.target_offsets[i + 1]) - target_at);
      orientations.set(options_.orientation, alignment);
      alignment.for_each_phrase(options_.longest, [&](const PhraseSpan& span) {
        CollectedInstance instance{0,
                                   0,
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
        collect_links(instance, links);
        for (const Link link : links) instance.links_hash = hash_of_link(instance.links_hash, link.source, link.target);
        if (options_.orientation != Orientation::none) {
          instance.before = static_cast<std::uint8_t>(orientations.before(span));
          instance.behind = static_cast<std::uint8_t>(orientations.behind(span));
        }
        use(instance);
      });
    }
  }

  void collect_links(const CollectedInstance& at, std::vector<Link>& links) const {
    links.clear();
    const auto first = static_cast<std::size_t>(bitext_.source_offsets[at.sentence]) + at.source_begin;
    for (std::size_t s = 0; s < at.n_source; ++s) {
      for (auto p = points_.at(first + s); p < points_.at(first + s + 1); ++p) {
        links.push_back({static_cast<std::uint8_t>(s), static_cast<std::uint8_t>(points_.target(p) - at.target_begin)});
      }
    }
  }

  /// Instances of one pair that are linked alike, as one.
  Bytes sorted_run(const std::vector<CollectedInstance>& instances) const {
    Bytes run;
    std::vector<PairHead> heads;
    std::vector<const CollectedInstance*> examples;
    std::vector<Link> links;
    for (std::size_t first = 0; first < instances.size();) {
      heads.clear();
      examples.clear();
      const CollectedInstance& pair = instances[first];
      for (; first < instances.size() && instances[first].source_hash == pair.source_hash &&
             instances[first].target_hash == pair.target_hash;
           ++first) {
        const CollectedInstance& each = instances[first];
        auto head = std::ranges::find(heads, each.links_hash, &PairHead::links_hash);
        if (head == heads.end()) {
          heads.push_back(
              {each.source_hash, each.target_hash, each.links_hash, {}, 0, 0, each.n_source, each.n_target, 0, 0});
          examples.push_back(&each);
          head = heads.end() - 1;
        }
        ++head->count;
        ++head->orientations[each.before];
        ++head->orientations[3U + each.behind];
      }
      for (std::size_t i = 0; i < heads.size(); ++i) {
        collect_links(*examples[i], links);
        heads[i].n_links = static_cast<std::uint16_t>(links.size());
        append(run, heads[i], source(*examples[i]), target(*examples[i]), links);
      }
    }
    return run;
  }

  const AlignedBitext& bitext_;
  const ExtractOptions& options_;
  const SortedPoints points_;
};

}  // namespace

CollectedPairs collect_pairs(const AlignedBitext& bitext, const ExtractOptions& options) {
  check_extraction(bitext, options);
  return Collection(bitext, options).run();
}

}  // namespace dragoman::phrase
