#include "dragoman/phrase/label_orientations.hpp"

#include <algorithm>
#include <unordered_map>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/hash.hpp"
#include "dragoman/core/parallel.hpp"
#include "orientation_counts.hpp"
#include "pair_scores.hpp"

namespace dragoman::phrase {

namespace {

/// The number of each pair of a table by its words, which are known by 64-bit hashes as in extraction.
class PairNumbers {
 public:
  explicit PairNumbers(const PhraseTable& table) {
    numbers_.reserve(table.size());
    table.for_each_source([&](std::span<const TokenId> source, PhraseTable::Run run) {
      const auto first = hash_of(source);
      for (std::uint32_t i = run.first; i < run.first + run.count; ++i) {
        numbers_.emplace(joined(first, hash_of(table.translation(i).words)), i);
      }
    });
  }

  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  std::uint32_t of(std::span<const TokenId> source, std::span<const TokenId> target) const {
    const auto found = numbers_.find(joined(hash_of(source), hash_of(target)));
    return found == numbers_.end() ? kNone : found->second;
  }

 private:
  static std::uint64_t hash_of(std::span<const TokenId> words) {
    return hash_bytes({reinterpret_cast<const char*>(words.data()), words.size_bytes()});
  }
  static std::uint64_t joined(std::uint64_t source, std::uint64_t target) noexcept {
    return (source ^ source >> 31) * 0x9E3779B97F4A7C15ULL + target;
  }

  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
};

/// What the target spans of one sentence are called.
class SentenceLabels {
 public:
  void set(const TargetLabels& labels, std::size_t sentence, std::size_t n_words, std::size_t longest) {
    width_ = longest + 1;
    labels_.assign(n_words * width_, -1);
    for (auto i = labels.offsets[sentence]; i < labels.offsets[sentence + 1]; ++i) {
      const TargetLabel& span = labels.spans[static_cast<std::size_t>(i)];
      const bool fits = 0 <= span.begin && span.begin < span.end && static_cast<std::size_t>(span.end) <= n_words &&
                        0 <= span.label && static_cast<std::size_t>(span.label) < labels.n_labels;
      if (!fits) throw data_error("A label stands outside of its sentence, or has no name.");
      const auto length = static_cast<std::size_t>(span.end - span.begin);
      if (length <= longest) labels_[static_cast<std::size_t>(span.begin) * width_ + length] = span.label;
    }
  }
  std::int32_t of(const PhraseSpan& span) const {
    return labels_[span.target_begin * width_ + static_cast<std::size_t>(span.target_end - span.target_begin)];
  }

 private:
  std::size_t width_ = 0;
  std::vector<std::int32_t> labels_;
};

/// One phrase pair with a label where it was met.
struct Met {
  std::uint32_t pair;  // kNone: the table lacks it
  std::int32_t label;
  float weight;
  std::uint8_t before, behind;
};

}  // namespace

LabelOrientations label_orientations(const PhraseTable& table, const AlignedBitext& bitext, const TargetLabels& labels,
                                     Orientation kind, unsigned longest, unsigned n_threads) {
  ExtractOptions options;
  options.longest = longest;
  check_extraction(bitext, options);
  if (labels.offsets.size() != bitext.size() + 1) throw data_error("There must be labels for every sentence.");
  if (kind == Orientation::none) throw data_error("A table without orientation has none of labels either.");
  const SortedPoints points(bitext);
  const PairNumbers numbers(table);
  std::vector<std::vector<Met>> parts(std::max(1U, n_threads));
  for_each_chunk(bitext.size(), n_threads, [&](const Chunk& chunk) {
    SentenceAlignment alignment;
    SentenceOrientations orientations;
    SentenceLabels names;
    for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
      const double weight = bitext.weight(i);
      if (weight == 0) continue;
      const auto source_at = static_cast<std::size_t>(bitext.source_offsets[i]);
      const auto target_at = static_cast<std::size_t>(bitext.target_offsets[i]);
      const auto n_target = static_cast<std::size_t>(bitext.target_offsets[i + 1]) - target_at;
      alignment.set(points.view(), source_at, static_cast<std::size_t>(bitext.source_offsets[i + 1]) - source_at,
                    n_target);
      if (kind == Orientation::word) {
        orientations.set_phrases(alignment, longest);
      } else {
        orientations.set(kind, alignment);
      }
      names.set(labels, i, n_target, longest);
      alignment.for_each_phrase(longest, [&](const PhraseSpan& span) {
        const auto label = names.of(span);
        if (label < 0) return;
        const auto source = bitext.source.subspan(source_at + span.source_begin, span.source_end - span.source_begin);
        const auto target = bitext.target.subspan(target_at + span.target_begin, span.target_end - span.target_begin);
        parts[chunk.index].push_back({numbers.of(source, target), label, static_cast<float>(weight),
                                      static_cast<std::uint8_t>(orientations.before(span)),
                                      static_cast<std::uint8_t>(orientations.behind(span))});
      });
    }
  });
  // Chunks are added up in their order, which is that of the sentences whatever their number.
  LabelOrientations result;
  result.of_labels.resize(labels.n_labels);
  std::vector<Met> all;
  for (auto& part : parts) {
    for (const Met& met : part) {
      auto& counts = result.of_labels[static_cast<std::size_t>(met.label)];
      counts[met.before] += static_cast<double>(met.weight);
      counts[3U + met.behind] += static_cast<double>(met.weight);
      if (met.pair != PairNumbers::kNone) all.push_back(met);
    }
    part = {};
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Met& a, const Met& b) { return a.pair != b.pair ? a.pair < b.pair : a.label < b.label; });
  for (const Met& met : all) {
    auto& rows = result.of_pairs;
    if (rows.empty() || rows.back().pair != met.pair || rows.back().label != met.label)
      rows.push_back({met.pair, met.label, 0});
    rows.back().mass += static_cast<double>(met.weight);
  }
  return result;
}

}  // namespace dragoman::phrase
