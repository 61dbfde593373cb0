#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <unordered_set>

#include "bitext_segment.hpp"
#include "dragoman/core/hash.hpp"
#include "dragoman/core/parallel.hpp"
#include "orientation_counts.hpp"
#include "words.hpp"

namespace dragoman::phrase {

namespace {

constexpr std::size_t kMostTotals = std::size_t{1} << 20;  // that are remembered, some 40 MB

/// Where a phrase of the sentences to be translated stands in the large array and in what was added.
struct Wanted {
  std::span<const TokenId> words;
  SuffixRange base, added;

  std::size_t size() const noexcept { return std::size_t{base.size()} + added.size(); }
};

struct FoundLine {
  std::vector<TokenId> words;
  std::vector<Link> links;
  std::array<float, 13> scores;
};

}  // namespace

/// Looks phrases up for one thread.
class BitextIndex::Lookup {
 public:
  Lookup(const BitextIndex& index, const SampleOptions& options) : index_(index), options_(options) {}

  std::vector<FoundLine> translations(const Wanted& wanted) {
    const std::size_t n_sampled = collect(wanted);
    std::vector<FoundLine> lines;
    if (instances_.empty()) return lines;
    std::ranges::sort(instances_, [](const Instance& a, const Instance& b) {
      if (a.target_hash != b.target_hash) return a.target_hash < b.target_hash;
      if (a.sentence != b.sentence) return a.sentence < b.sentence;
      if (a.span.target_begin != b.span.target_begin) return a.span.target_begin < b.span.target_begin;
      return a.span.source_begin < b.span.source_begin;
    });
    groups_.clear();
    for (std::size_t first = 0; first < instances_.size();) {
      std::size_t last = first;
      while (last < instances_.size() && instances_[last].target_hash == instances_[first].target_hash) ++last;
      groups_.push_back(group(std::span(instances_).subspan(first, last - first)));
      first = last;
    }
    std::ranges::stable_sort(groups_, [](const Group& a, const Group& b) {
      if (a.count != b.count) return a.count > b.count;
      return static_cast<float>(a.weights.log_target) > static_cast<float>(b.weights.log_target);
    });
    const std::size_t most = options_.translations_per_phrase;
    if (most > 0 && groups_.size() > most) groups_.resize(most);
    // An instance of the sample stands for so many of the text.
    const double scale = static_cast<double>(wanted.size()) / static_cast<double>(n_sampled);
    for (const Group& each : groups_) lines.push_back(line(each, scale));
    return lines;
  }

 private:
  struct Instance {
    std::uint64_t target_hash;
    std::uint32_t sentence;  // counted over both segments
    PhraseSpan span;
    std::uint8_t before, behind;
  };
  /// The instances of one translation.
  struct Group {
    Instance example;  // with the alignment met most often
    std::uint64_t count;
    std::array<std::uint32_t, 6> orientations;
    LexicalWeights weights;
  };
  struct At {
    const Segment* segment;
    std::size_t sentence;
  };

  At at(std::uint32_t sentence) const noexcept {
    const std::size_t n = index_.base_->n_pairs();
    return sentence < n ? At{index_.base_.get(), sentence} : At{index_.added_.get(), sentence - n};
  }

  /// Call `use(segment, place)` for places evenly spaced among all, in the order that both segments sorted together
  /// have.
  template <class Use>
  std::size_t sample(SuffixRange base, SuffixRange added, std::span<const std::uint32_t> ranks, bool source,
                     std::size_t most, const Use& use) const {
    const std::size_t n = std::size_t{base.size()} + added.size(), n_taken = most == 0 ? n : std::min(n, most);
    std::size_t j = 0;  // of the added places, those before
    for (std::size_t i = 0; i < n_taken; ++i) {
      const std::size_t k = i * n / n_taken;
      while (j < added.size() && j + (ranks[added.first + j] - base.first) < k) ++j;
      const bool is_added = j < added.size() && j + (ranks[added.first + j] - base.first) == k;
      const Segment& segment = is_added ? *index_.added_ : *index_.base_;
      const SuffixText& text = source ? segment.source : segment.target;
      use(segment, text, text.suffixes[is_added ? added.first + j : base.first + (k - j)]);
    }
    return n_taken;
  }

  /// The instances of a phrase in a sample of its occurrences, whose number is returned.
  std::size_t collect(const Wanted& wanted) {
    instances_.clear();
    n_barren_ = 0;
    const auto n_base = static_cast<std::uint32_t>(index_.base_->n_pairs());
    return sample(
        wanted.base, wanted.added, index_.added_->own_source.ranks(), true, options_.samples,
        [&](const Segment& segment, const SuffixText& text, std::uint32_t place) {
          const std::uint32_t sentence = text.sentences[place];
          const std::size_t begin = place - text.starts[sentence];
          if (begin + wanted.words.size() > text.length(sentence)) return;  // sorted wrongly, by a damaged file
          segment.set(alignment_, sentence);
          orientations_.set(index_.orientation_, alignment_);
          const std::size_t before = instances_.size();
          alignment_.for_each_target(begin, begin + wanted.words.size(), index_.longest_, [&](const PhraseSpan& span) {
            Instance made{hash_of(segment.target.words.subspan(segment.target.starts[sentence] + span.target_begin,
                                                               span.target_end - span.target_begin)),
                          sentence + (&segment == index_.base_.get() ? 0 : n_base), span, 0, 0};
            if (index_.orientation_ != Orientation::none) {
              made.before = static_cast<std::uint8_t>(orientations_.before(span));
              made.behind = static_cast<std::uint8_t>(orientations_.behind(span));
            }
            instances_.push_back(made);
          });
          n_barren_ += before == instances_.size() ? 1 : 0;
        });
  }

  template <class Use>
  void for_each_link(const Instance& instance, const Use& use) const {
    const auto [segment, sentence] = at(instance.sentence);
    const std::size_t first = segment->source.starts[sentence];
    for (std::size_t s = instance.span.source_begin; s < instance.span.source_end; ++s) {
      for (auto p = segment->points.at(first + s); p < segment->points.at(first + s + 1); ++p) {
        use(static_cast<std::uint8_t>(s - instance.span.source_begin),
            static_cast<std::uint8_t>(segment->points.target(p) - instance.span.target_begin));
      }
    }
  }

  Group group(std::span<const Instance> instances) {
    Group made{instances.front(), instances.size(), {}, {}};
    for (const Instance& each : instances) {
      ++made.orientations[each.before];
      ++made.orientations[3 + each.behind];
    }
    if (instances.size() > 1) {
      alignments_.clear();
      for (const Instance& each : instances) {
        std::uint64_t hash = 0;
        for_each_link(each, [&](std::uint8_t s, std::uint8_t t) {
          hash = (hash + (static_cast<std::uint64_t>(s) << 8 | t) + 1) * 0x9E3779B97F4A7C15ULL;
          hash ^= hash >> 29;
        });
        const auto known = std::ranges::find(alignments_, hash, &Alignment::links);
        if (known != alignments_.end()) {
          ++known->count;
        } else {
          alignments_.push_back({hash, 1, &each});
        }
      }
      made.example = *std::ranges::max_element(alignments_, {}, &Alignment::count)->example;
    }
    const auto [segment, sentence] = at(made.example.sentence);
    made.weights = lexical_weights(segment->points, segment->source.starts[sentence], segment->target.starts[sentence],
                                   made.example.span, Model{*segment, *index_.lexicon_});
    return made;
  }

  /// Lexical probabilities of places in a segment.
  struct Model {
    const Segment& segment;
    const LexicalCounts& counts;

    double source_given_target(std::size_t s, std::size_t t, std::uint64_t) const noexcept {
      return counts.source_given_target(segment.source.words[s], segment.target.words[t]);
    }
    double target_given_source(std::size_t s, std::size_t t, std::uint64_t) const noexcept {
      return counts.target_given_source(segment.source.words[s], segment.target.words[t]);
    }
    double source_given_null(std::size_t s) const noexcept { return counts.source_given_null(segment.source.words[s]); }
    double target_given_null(std::size_t t) const noexcept { return counts.target_given_null(segment.target.words[t]); }
  };

  /// How many phrase pairs a target phrase stands in, estimated from a sample of its occurrences.
  double target_total(std::uint64_t hash, std::span<const TokenId> words) {
    const std::uint64_t key = hash ^ (options_.inverse_samples * 0x9E3779B97F4A7C15ULL);
    {
      const std::lock_guard lock(index_.totals_mutex_);
      const auto known = index_.totals_.find(key);
      if (known != index_.totals_.end()) return known->second;
    }
    const SuffixRange base = find_phrase(index_.base_->target, words),
                      added = find_phrase(index_.added_->target, words);
    std::uint64_t n = 0;
    const std::size_t n_sampled =
        sample(base, added, index_.added_->own_target.ranks(), false, options_.inverse_samples,
               [&](const Segment& segment, const SuffixText& text, std::uint32_t place) {
                 const std::uint32_t sentence = text.sentences[place];
                 const std::size_t begin = place - text.starts[sentence];
                 if (begin + words.size() > text.length(sentence)) return;
                 segment.set(alignment_, sentence);
                 n += alignment_.n_sources(begin, begin + words.size(), index_.longest_);
               });
    const auto n_all = static_cast<double>(std::size_t{base.size()} + added.size());
    const double total = static_cast<double>(n) * (n_all / static_cast<double>(n_sampled));
    const std::lock_guard lock(index_.totals_mutex_);
    if (index_.totals_.size() >= kMostTotals) index_.totals_.clear();
    index_.totals_.emplace(key, total);
    return total;
  }

  FoundLine line(const Group& from, double scale) {
    const auto [segment, sentence] = at(from.example.sentence);
    const PhraseSpan& span = from.example.span;
    const auto words = segment->target.words.subspan(segment->target.starts[sentence] + span.target_begin,
                                                     span.target_end - span.target_begin);
    FoundLine made{{words.begin(), words.end()}, {}, {}};
    for_each_link(from.example, [&](std::uint8_t s, std::uint8_t t) { made.links.push_back({s, t}); });
    const auto count = static_cast<double>(from.count);
    const double source_total = static_cast<double>(instances_.size() + (options_.coherent ? n_barren_ : 0));
    // Two estimates may not agree: what was met stands for no less than it is.
    const double target_sum = std::max(target_total(from.example.target_hash, words), count * scale);
    auto& all = made.scores;
    all[0] = static_cast<float>(std::log(count * scale / target_sum));
    all[1] = static_cast<float>(from.weights.log_source);
    all[2] = static_cast<float>(std::log(count / source_total));
    all[3] = static_cast<float>(from.weights.log_target);
    unsigned next = 4;
    if (index_.orientation_ != Orientation::none) {
      for (unsigned f = 0; f < 6; ++f) {
        const double overall = static_cast<double>(index_.orientations_[f]) / static_cast<double>(index_.n_instances_);
        const double smooth = options_.orientation_smoothing;
        const double p = (from.orientations[f] + smooth * overall) / (count + smooth);
        all[next++] = static_cast<float>(std::log(std::max(p, 1e-9)));
      }
    }
    all[next++] = static_cast<float>(count);
    all[next++] = static_cast<float>(source_total);
    all[next] = static_cast<float>(target_sum);
    return made;
  }

  struct Alignment {
    std::uint64_t links;
    std::uint32_t count;
    const Instance* example;
  };

  const BitextIndex& index_;
  const SampleOptions& options_;
  SentenceAlignment alignment_;
  SentenceOrientations orientations_;
  std::vector<Instance> instances_;
  std::uint64_t n_barren_ = 0;
  std::vector<Group> groups_;
  std::vector<Alignment> alignments_;
};

std::unique_ptr<PhraseTable> BitextIndex::table(std::span<const TokenId> words, std::span<const std::int64_t> offsets,
                                                const SampleOptions& options) const {
  const std::shared_lock lock(mutex_);
  std::vector<Wanted> wanted;
  std::unordered_set<std::uint64_t> seen;
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    const auto begin = static_cast<std::size_t>(offsets[i]), end = static_cast<std::size_t>(offsets[i + 1]);
    for (std::size_t from = begin; from < end; ++from) {
      SuffixRange base{0, static_cast<std::uint32_t>(base_->source.suffixes.size())};
      SuffixRange added{0, static_cast<std::uint32_t>(added_->source.suffixes.size())};
      for (std::size_t size = 1; size <= std::min<std::size_t>(longest_, end - from); ++size) {
        if (words[from + size - 1] < 0) break;  // no word of the text
        base = narrowed(base_->source, base, size - 1, words[from + size - 1]);
        added = narrowed(added_->source, added, size - 1, words[from + size - 1]);
        if (base.size() == 0 && added.size() == 0) break;
        const auto phrase = words.subspan(from, size);
        if (seen.insert(hash_of(phrase)).second) wanted.push_back({phrase, base, added});
      }
    }
  }
  std::vector<std::vector<FoundLine>> found(wanted.size());
  std::atomic<std::size_t> open{0};
  for_each_chunk(options.n_threads, options.n_threads, [&](const Chunk&) {
    Lookup lookup(*this, options);
    for (std::size_t i = open++; i < wanted.size(); i = open++) found[i] = lookup.translations(wanted[i]);
  });
  const unsigned n_scores = 7 + (orientation_ == Orientation::none ? 0 : 6);
  PhraseTableBuilder builder(n_scores);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (found[i].empty()) continue;
    builder.source(wanted[i].words);
    for (const FoundLine& line : found[i]) builder.add(line.words, line.links, std::span(line.scores).first(n_scores));
  }
  return builder.finish();
}

}  // namespace dragoman::phrase
