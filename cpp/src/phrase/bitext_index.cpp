#include "dragoman/phrase/bitext_index.hpp"

#include <mutex>
#include <string>

#include "bitext_segment.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"
#include "orientation_counts.hpp"

namespace dragoman::phrase {

namespace {

// Words added before the large array takes them in. Each added word moves the others that sort behind it: a quarter of
// a million of them are a megabyte, moved in some ten microseconds.
constexpr std::size_t kMostAdded = std::size_t{1} << 18;

std::span<const TokenId> sentence_of(std::span<const TokenId> words, std::span<const std::int64_t> offsets,
                                     std::size_t i) {
  return words.subspan(static_cast<std::size_t>(offsets[i]), static_cast<std::size_t>(offsets[i + 1] - offsets[i]));
}

}  // namespace

BitextIndex::BitextIndex(unsigned longest, Orientation orientation)
    : longest_(longest),
      orientation_(orientation),
      base_(std::make_unique<Segment>()),
      added_(std::make_unique<Segment>()),
      lexicon_(std::make_unique<LexicalCounts>()) {
  if (longest < 1 || longest > 255) throw data_error("A phrase has 1 to 255 words.");
  base_->show();
  added_->show();
}

BitextIndex::~BitextIndex() = default;

std::unique_ptr<BitextIndex> BitextIndex::make(const AlignedBitext& bitext, const Options& options) {
  std::unique_ptr<BitextIndex> index(new BitextIndex(options.longest, options.orientation));
  const SortedPoints points(bitext);
  Segment& base = *index->base_;
  for (std::size_t i = 0; i < bitext.size(); ++i) {
    base.own_source.append(sentence_of(bitext.source, bitext.source_offsets, i));
    base.own_target.append(sentence_of(bitext.target, bitext.target_offsets, i));
    const auto at = static_cast<std::size_t>(bitext.source_offsets[i]);
    base.append_points(points, at, static_cast<std::size_t>(bitext.source_offsets[i + 1]) - at);
  }
  base.own_source.sort(options.n_threads);
  base.own_target.sort(options.n_threads);
  base.show();
  index->count(base, 0, options.n_threads);
  return index;
}

/// Count the words' links and the orientations of all phrase pairs, from a sentence of a segment on.
void BitextIndex::count(const Segment& segment, std::size_t first_sentence, unsigned n_threads) {
  struct Sums {
    std::uint64_t n = 0;
    std::array<std::uint64_t, 6> orientations{};
  };
  const std::size_t n = segment.n_pairs() - first_sentence;
  std::vector<Sums> sums(std::max(1U, n_threads));
  for_each_chunk(n, n_threads, [&](const Chunk& chunk) {
    SentenceAlignment alignment;
    SentenceOrientations orientations;
    Sums& mine = sums[chunk.index];
    for (std::size_t i = first_sentence + chunk.begin; i < first_sentence + chunk.end; ++i) {
      segment.set(alignment, i);
      orientations.set(orientation_, alignment);
      alignment.for_each_phrase(longest_, [&](const PhraseSpan& span) {
        ++mine.n;
        if (orientation_ == Orientation::none) return;
        ++mine.orientations[orientations.before(span)];
        ++mine.orientations[3 + orientations.behind(span)];
      });
    }
  });
  for (const Sums& each : sums) {
    n_instances_ += each.n;
    for (unsigned f = 0; f < 6; ++f) orientations_[f] += each.orientations[f];
  }
  SentenceAlignment alignment;
  for (std::size_t i = first_sentence; i < segment.n_pairs(); ++i) {
    segment.set(alignment, i);
    const std::size_t source_at = segment.source.starts[i], target_at = segment.target.starts[i];
    for (std::size_t s = 0; s < alignment.n_source(); ++s) {
      const TokenId word = segment.source.words[source_at + s];
      for (auto p = segment.points.at(source_at + s); p < segment.points.at(source_at + s + 1); ++p) {
        lexicon_->add(word, segment.target.words[target_at + segment.points.target(p)]);
      }
      if (alignment.source_is_free(s)) lexicon_->add(word, LexicalCounts::kNull);
    }
    for (std::size_t t = 0; t < alignment.n_target(); ++t) {
      if (alignment.target_is_free(t)) lexicon_->add(LexicalCounts::kNull, segment.target.words[target_at + t]);
    }
  }
}

void BitextIndex::add(const AlignedBitext& bitext) {
  const SortedPoints points(bitext);  // refuses what does not fit before anything is taken in
  for (const auto words : {bitext.source, bitext.target}) {
    if (std::ranges::any_of(words, [](TokenId word) { return word < 0; })) {
      throw data_error("A word's number is negative; a text to be searched has numbers of a vocabulary.");
    }
  }
  const std::unique_lock lock(mutex_);
  const std::size_t first = added_->n_pairs();
  for (std::size_t i = 0; i < bitext.size(); ++i) {
    added_->own_source.insert(sentence_of(bitext.source, bitext.source_offsets, i), base_->source);
    added_->own_target.insert(sentence_of(bitext.target, bitext.target_offsets, i), base_->target);
    const auto at = static_cast<std::size_t>(bitext.source_offsets[i]);
    added_->append_points(points, at, static_cast<std::size_t>(bitext.source_offsets[i + 1]) - at);
  }
  added_->show();
  totals_.clear();  // nobody else holds the lock
  count(*added_, first, 1);
  if (added_->source.words.size() + added_->target.words.size() > kMostAdded) merge();
}

/// Make one array of the large one and what was added; what is found stays the same.
void BitextIndex::merge() {
  if (added_->n_pairs() == 0) return;
  auto all = std::make_unique<Segment>();
  all->own_source = GrowingText::joined(base_->source, added_->own_source);
  all->own_target = GrowingText::joined(base_->target, added_->own_target);
  const auto& offsets = base_->points.offsets;
  const std::uint64_t shift = base_->points.targets.size();
  all->own_offsets.assign(offsets.begin(), offsets.end() - 1);
  for (const auto offset : added_->own_offsets) all->own_offsets.push_back(offset + shift);
  all->own_targets.assign(base_->points.targets.begin(), base_->points.targets.end());
  all->own_targets.insert(all->own_targets.end(), added_->own_targets.begin(), added_->own_targets.end());
  all->show();
  lexicon_->gather();
  base_ = std::move(all);
  added_ = std::make_unique<Segment>();
  added_->show();
  owner_.reset();
}

std::size_t BitextIndex::n_pairs() const {
  const std::shared_lock lock(mutex_);
  return base_->n_pairs() + added_->n_pairs();
}

std::size_t BitextIndex::n_added() const {
  const std::shared_lock lock(mutex_);
  return added_->n_pairs();
}

std::size_t BitextIndex::n_occurrences(std::span<const TokenId> phrase) const {
  const std::shared_lock lock(mutex_);
  return find_phrase(base_->source, phrase).size() + find_phrase(added_->source, phrase).size();
}

}  // namespace dragoman::phrase
