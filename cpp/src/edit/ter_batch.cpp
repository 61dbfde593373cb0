#include "dragoman/edit/ter_batch.hpp"

#include <algorithm>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"
#include "dragoman/text/unicode.hpp"

namespace dragoman::edit {

/// What one thread needs to turn a segment into numbers of its own: 0, 1, … for the words of one reference.
class TerReferences::Reader {
 public:
  explicit Reader(const TerReferences& refs) : refs_(refs), tokenise_(refs.options_), own_(refs.table_.size(), -1) {}

  /// The words of a hypothesis as the test set numbers them, -1 for those of no reference. Good until the next call.
  const std::vector<std::int32_t>& read(const text::LineSource& hyps, std::size_t i) {
    hyp_ids_.clear();
    text::split(tokenise_(hyps.line(i, scratch_)),
                [&](std::string_view word) { hyp_ids_.push_back(refs_.table_.find(word)); });
    return hyp_ids_;
  }

  std::vector<std::string> words(const text::LineSource& hyps, std::size_t i) {
    std::vector<std::string> words;
    text::split(tokenise_(hyps.line(i, scratch_)), [&](std::string_view word) { words.emplace_back(word); });
    return words;
  }

  /// Number the words of one reference and of the hypothesis, and call `use(hyp, ref)`.
  template <class Use>
  auto with(std::span<const std::int32_t> hyp_ids, std::span<const std::int32_t> ref_ids, const Use& use) {
    Word next = 0;
    ref_.clear();
    for (const std::int32_t id : ref_ids) {
      Word& own = own_[static_cast<std::size_t>(id)];
      if (own < 0) own = next++;
      ref_.push_back(own);
    }
    hyp_.clear();
    for (const std::int32_t id : hyp_ids) hyp_.push_back(id < 0 ? -1 : own_[static_cast<std::size_t>(id)]);
    for (const std::int32_t id : ref_ids) own_[static_cast<std::size_t>(id)] = -1;
    return use(std::span<const Word>(hyp_), std::span<const Word>(ref_));
  }

 private:
  const TerReferences& refs_;
  TercomTokeniser tokenise_;
  Bytes scratch_;
  std::vector<std::int32_t> hyp_ids_;
  std::vector<Word> own_;  // by word of the whole test set, -1 = not in this reference
  std::vector<Word> hyp_, ref_;
};

TerReferences::TerReferences(std::span<const text::LineSource* const> streams, std::span<const std::uint8_t> present,
                             TercomOptions options)
    : options_(options), n_segments_(streams.empty() ? 0 : streams[0]->size()), n_references_(streams.size()) {
  const auto fits = [&](const text::LineSource* stream) { return stream->size() == n_segments_; };
  if (!std::ranges::all_of(streams, fits) || (!present.empty() && present.size() != n_segments_ * n_references_)) {
    throw data_error("Reference streams must have one line per segment.");
  }
  TercomTokeniser tokenise(options);
  Bytes scratch;
  std::string once;
  for (std::size_t i = 0; i < n_segments_; ++i) {
    for (std::size_t r = 0; r < n_references_; ++r) {
      present_.push_back(present.empty() || present[r * n_segments_ + i] != 0);
      if (present_.back()) {
        once.clear();
        text::split(tokenise(streams[r]->line(i, scratch)),
                    [&](std::string_view word) { once.append(word).push_back(' '); });
        text::split(tokenise(once), [&](std::string_view word) { words_.push_back(table_.add(word)); });
      }
      offsets_.push_back(words_.size());
    }
  }
}

std::span<const std::int32_t> TerReferences::words(std::size_t segment, std::size_t reference) const noexcept {
  const std::size_t at = segment * n_references_ + reference;
  return {words_.data() + offsets_[at], words_.data() + offsets_[at + 1]};
}

bool TerReferences::has(std::size_t segment, std::size_t reference) const noexcept {
  return present_[segment * n_references_ + reference];
}

std::vector<std::int32_t> TerReferences::lengths() const {
  std::vector<std::int32_t> lengths;
  lengths.reserve(present_.size());
  for (std::size_t at = 0; at < present_.size(); ++at) {
    lengths.push_back(present_[at] ? static_cast<std::int32_t>(offsets_[at + 1] - offsets_[at]) : -1);
  }
  return lengths;
}

void TerReferences::check_number(std::size_t n_hyps) const {
  if (n_hyps == n_segments_) return;
  throw data_error("There must be one hypothesis per segment, got " + std::to_string(n_hyps) + " for " +
                   std::to_string(n_segments_) + ".");
}

std::size_t TerReferences::n_bytes() const noexcept {
  const std::size_t table = table_.offsets().size_bytes() + table_.bytes().size() + table_.slots().size_bytes();
  return table + words_.capacity() * sizeof(words_[0]) + offsets_.capacity() * sizeof(offsets_[0]) +
         present_.capacity() / 8;
}

std::vector<std::int32_t> TerReferences::count(const text::LineSource& hyps, unsigned n_threads) const {
  check_number(hyps.size());
  std::vector<std::int32_t> edits(present_.size(), -1);
  for_each_chunk(hyps.size(), n_threads, [&](Chunk chunk) {
    Reader reader(*this);
    TerAligner aligner;
    for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
      const auto& ids = reader.read(hyps, i);
      for (std::size_t r = 0; r < n_references_; ++r) {
        if (!has(i, r)) continue;
        edits[i * n_references_ + r] =
            reader.with(ids, words(i, r), [&](auto hyp, auto ref) { return aligner.edits(hyp, ref); });
      }
    }
  });
  return edits;
}

std::vector<std::int32_t> TerReferences::count_pairs(const text::LineSource& hyps, unsigned n_threads) const {
  std::vector<std::vector<std::int32_t>> ids(hyps.size());
  Reader reader(*this);
  for (std::size_t i = 0; i < hyps.size(); ++i) ids[i] = reader.read(hyps, i);
  std::vector<std::int32_t> edits(hyps.size() * n_segments_);
  for_each_chunk(n_segments_, n_threads, [&](Chunk chunk) {
    Reader numberer(*this);
    TerAligner aligner;
    for (std::size_t j = chunk.begin; j < chunk.end; ++j) {
      for (std::size_t i = 0; i < hyps.size(); ++i) {
        edits[i * n_segments_ + j] =
            numberer.with(ids[i], words(j, 0), [&](auto hyp, auto ref) { return aligner.edits(hyp, ref); });
      }
    }
  });
  return edits;
}

std::vector<SegmentTrace> TerReferences::trace(const text::LineSource& hyps, bool with_shifts,
                                               unsigned n_threads) const {
  check_number(hyps.size());
  std::vector<SegmentTrace> traces(hyps.size());
  for_each_chunk(hyps.size(), n_threads, [&](Chunk chunk) {
    Reader reader(*this);
    TerAligner aligner;
    for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
      const auto& ids = reader.read(hyps, i);
      bool found = false;
      for (std::size_t r = 0; r < n_references_; ++r) {
        if (!has(i, r)) continue;
        TerTrace trace =
            reader.with(ids, words(i, r), [&](auto hyp, auto ref) { return aligner.trace(hyp, ref, with_shifts); });
        if (found && trace.edits >= traces[i].trace.edits) continue;
        traces[i].trace = std::move(trace);
        traces[i].reference = static_cast<std::int32_t>(r);
        found = true;
      }
      traces[i].hyp_words = reader.words(hyps, i);
      if (!found) continue;
      for (const std::int32_t id : words(i, static_cast<std::size_t>(traces[i].reference))) {
        traces[i].ref_words.emplace_back(table_.word(id));
      }
    }
  });
  return traces;
}

}  // namespace dragoman::edit
