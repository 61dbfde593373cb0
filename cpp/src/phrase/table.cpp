#include "dragoman/phrase/table.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/hash.hpp"

namespace dragoman::phrase {

namespace {

std::uint32_t narrow(std::size_t size) {
  if (size >= std::numeric_limits<std::uint32_t>::max()) {
    throw data_error("A phrase table holds less than four thousand million words; prune it, or make two.");
  }
  return static_cast<std::uint32_t>(size);
}

[[noreturn]] void refuse() {
  throw data_error("the phrase table is damaged (what it says leads outside it). Build it again or copy it again.");
}

}  // namespace

std::uint64_t PhraseTable::hash_of(std::span<const TokenId> words) {
  return hash_bytes({reinterpret_cast<const char*>(words.data()), words.size_bytes()});
}

std::vector<std::uint32_t> PhraseTable::slots_for(std::size_t n_sources,
                                                  const std::function<std::span<const TokenId>()>& next) {
  std::size_t n_slots = 8;
  while (n_slots < 2 * n_sources) n_slots *= 2;
  std::vector<std::uint32_t> slots(n_slots, 0);
  for (std::size_t i = 0; i < n_sources; ++i) {
    std::size_t slot = hash_of(next()) & (n_slots - 1);
    while (slots[slot] != 0) slot = (slot + 1) & (n_slots - 1);
    slots[slot] = static_cast<std::uint32_t>(i) + 1;
  }
  return slots;
}

PhraseTable::Run PhraseTable::locate(std::span<const TokenId> source) const {
  if (slots_.empty()) return {};
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash_of(source) & mask;
  for (std::size_t looks = 0; looks < slots_.size(); ++looks, slot = (slot + 1) & mask) {
    if (slots_[slot] == 0) return {};
    const std::uint32_t number = slots_[slot] - 1;
    if (std::ranges::equal(source_words_of(number), source)) return run_of(number);
  }
  refuse();  // without a free slot
}

std::span<const TokenId> PhraseTable::source_words_of(std::size_t number) const {
  if (number >= n_sources_) refuse();
  const auto begin = source_offsets_[number], end = source_offsets_[number + 1];
  if (begin > end || end > source_words_.size()) refuse();
  return source_words_.subspan(begin, end - begin);
}

PhraseTable::Run PhraseTable::run_of(std::size_t number) const {
  const auto begin = runs_[number], end = runs_[number + 1];
  if (begin > end || end > size()) refuse();
  return {begin, end - begin};
}

PhraseTable::Run PhraseTable::checked_run(Run run, std::size_t n_source) const {
  for (auto i = run.first; i < run.first + run.count; ++i) {
    const Entry here = entries_[i], next = entries_[i + 1];
    if (next.words < here.words || next.words > words_.size() || next.links < here.links ||
        next.links > links_.size()) {
      refuse();
    }
    const auto [words, links, scores] = translation(i);
    if (std::ranges::any_of(
            words, [&](TokenId word) { return word < 0 || static_cast<std::size_t>(word) >= n_target_words_; }) ||
        std::ranges::any_of(links, [&](Link link) { return link.source >= n_source || link.target >= words.size(); })) {
      refuse();
    }
  }
  return run;
}

PhraseTableBuilder::PhraseTableBuilder(unsigned n_scores) : table_(std::make_unique<PhraseTable>()) {
  table_->n_scores_ = n_scores;
  table_->own_source_offsets_.push_back(0);
}

void PhraseTableBuilder::reserve(std::size_t n_translations) {
  table_->own_entries_.reserve(n_translations + 1);
  table_->own_scores_.reserve(n_translations * table_->n_scores_);
}

void PhraseTableBuilder::source(std::span<const TokenId> words) {
  PhraseTable& table = *table_;
  table.own_source_words_.insert(table.own_source_words_.end(), words.begin(), words.end());
  table.own_source_offsets_.push_back(narrow(table.own_source_words_.size()));
  table.own_runs_.push_back(narrow(table.own_entries_.size()));
  table.longest_ = std::max(table.longest_, static_cast<unsigned>(words.size()));
}

void PhraseTableBuilder::add(std::span<const TokenId> words, std::span<const Link> links,
                             std::span<const float> scores) {
  PhraseTable& table = *table_;
  if (table.own_runs_.empty() || scores.size() != table.n_scores_) {
    throw std::logic_error("a translation needs its source phrase first, and as many scores as the table has");
  }
  table.own_entries_.push_back({narrow(table.own_words_.size()), narrow(table.own_links_.size())});
  table.own_words_.insert(table.own_words_.end(), words.begin(), words.end());
  table.own_links_.insert(table.own_links_.end(), links.begin(), links.end());
  table.own_scores_.insert(table.own_scores_.end(), scores.begin(), scores.end());
}

std::unique_ptr<PhraseTable> PhraseTableBuilder::finish() {
  PhraseTable& table = *table_;
  table.n_sources_ = table.own_runs_.size();
  table.own_runs_.push_back(narrow(table.own_entries_.size()));
  table.own_entries_.push_back({narrow(table.own_words_.size()), narrow(table.own_links_.size())});
  table.own_slots_ = PhraseTable::slots_for(table.n_sources_, [&table, i = std::size_t{0}]() mutable {
    const auto begin = table.own_source_offsets_[i], end = table.own_source_offsets_[i + 1];
    ++i;
    return std::span<const TokenId>(table.own_source_words_).subspan(begin, end - begin);
  });
  table.slots_ = table.own_slots_;
  table.source_offsets_ = table.own_source_offsets_;
  table.source_words_ = table.own_source_words_;
  table.runs_ = table.own_runs_;
  table.entries_ = table.own_entries_;
  table.words_ = table.own_words_;
  table.links_ = table.own_links_;
  table.scores_ = table.own_scores_;
  return std::move(table_);
}

}  // namespace dragoman::phrase
