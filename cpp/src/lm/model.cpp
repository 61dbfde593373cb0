#include "dragoman/lm/model.hpp"

#include <cmath>
#include <string>

#include "dragoman/core/errors.hpp"
#include "packing.hpp"

namespace dragoman::lm {

namespace {

std::uint64_t key_of(std::span<const WordId> words) {
  std::uint64_t key = word_key(words[0]);
  for (const WordId word : words.subspan(1)) key = longer_key(key, word);
  return key;
}

}  // namespace

State Model::begin() const noexcept {
  State state;
  if (order_ > 1) {
    state.words[0] = kBos;
    state.backoffs[0] = weight(unigrams_[kBos].log_backoff);
    state.length = std::isnan(unigrams_[kBos].log_backoff) ? 0 : 1;
  }
  return state;
}

Scored Model::score(const State& before, WordId word, State& after) const noexcept {
  if (trie_) return score_in_trie(before, word, after);
  const Unigram& unigram = unigrams_[word];
  float packed_p = unigram.log_p;
  std::uint32_t n_matched = 1;
  std::uint32_t length = 0;
  after = State{};
  if (order_ > 1) {
    after.words[0] = word;
    after.backoffs[0] = weight(unigram.log_backoff);
    length = std::isnan(unigram.log_backoff) ? 0 : 1;
  }
  std::uint64_t key = word_key(word);
  for (std::uint32_t i = 0; i < before.length && extends_left(packed_p); ++i) {
    key = longer_key(key, before.words[i]);
    const unsigned order = i + 2;
    const Entry* const entry = find(order, key);
    if (entry == nullptr) break;
    packed_p = entry->log_p;
    n_matched = order;
    if (order == order_) break;
    after.words[i + 1] = before.words[i];
    after.backoffs[i + 1] = weight(entry->log_backoff);
    if (!std::isnan(entry->log_backoff)) length = order;
  }
  for (std::uint32_t i = length; i + 1 < order_ && i < n_matched; ++i) {
    after.words[i] = 0;
    after.backoffs[i] = 0;
  }
  after.length = length;
  float log_p = unpacked(packed_p);
  for (std::uint32_t i = n_matched - 1; i < before.length; ++i) log_p += before.backoffs[i];
  return {log_p, n_matched};
}

ModelBuilder::ModelBuilder(text::WordTable words) : model_(std::make_unique<Model>()) {
  check_words(words);
  model_->words_ = std::move(words);
}

void ModelBuilder::begin(std::span<const std::uint64_t> n_ngrams) {
  if (n_ngrams.empty() || n_ngrams.size() > kMaxOrder) {
    throw data_error("A language model has order 1 to 9, got " + std::to_string(n_ngrams.size()) + ".");
  }
  model_->order_ = static_cast<unsigned>(n_ngrams.size());
  // -99 is what ARPA files of other tools write for a word that is never predicted.
  model_->own_unigrams_.assign(model_->words_.size(), {packed(-99.0F, false), kNoExtension});
  model_->n_ngrams_[0] = model_->words_.size();
  for (unsigned k = 2; k <= model_->order_; ++k) {
    model_->own_tables_[k].assign(n_ngrams[k - 1] + n_ngrams[k - 1] / 2 + 2, {0, 0, kNoExtension});
    model_->n_ngrams_[k - 1] = n_ngrams[k - 1];
  }
}

Model::Entry* ModelBuilder::find(unsigned order, std::uint64_t key) noexcept {
  auto& table = model_->own_tables_[order];
  for (std::size_t i = Model::home(key, table.size());; i = i + 1 == table.size() ? 0 : i + 1) {
    if (table[i].key == key) return &table[i];
    if (table[i].key == 0) return nullptr;
  }
}

Model::Entry* ModelBuilder::insert(unsigned order, std::uint64_t key) {
  auto& table = model_->own_tables_[order];
  if (n_inside_[order] + 2 + table.size() / 8 > table.size()) {
    std::vector<Model::Entry, HugePages<Model::Entry>> old(table.size() * 2, {0, 0, kNoExtension});
    std::swap(old, table);
    n_inside_[order] = 0;
    for (const Model::Entry& entry : old) {
      if (entry.key != 0) *insert(order, entry.key) = entry;
    }
  }
  for (std::size_t i = Model::home(key, table.size());; i = i + 1 == table.size() ? 0 : i + 1) {
    if (table[i].key == key) return &table[i];
    if (table[i].key == 0) {
      table[i].key = key;
      ++n_inside_[order];
      return &table[i];
    }
  }
}

void ModelBuilder::ngram(std::span<const WordId> words, float log_p, float log_backoff, bool extends_left,
                         bool extends_right) {
  const float backoff = extends_right ? log_backoff : kNoExtension;
  if (words.size() == 1) {
    model_->own_unigrams_[words[0]] = {packed(log_p, extends_left), backoff};
    return;
  }
  const auto order = static_cast<unsigned>(words.size());
  if (order != waiting_order_) settle();
  waiting_order_ = order;
  const std::uint64_t key = key_of(words);
  const auto& table = model_->own_tables_[order];
  __builtin_prefetch(&table[Model::home(key, table.size())], 1);
  waiting_[n_waiting_++] = {key, packed(log_p, extends_left), backoff};
  if (n_waiting_ == waiting_.size()) settle();
}

void ModelBuilder::settle() {
  for (std::size_t i = 0; i < n_waiting_; ++i) *insert(waiting_order_, waiting_[i].key) = waiting_[i];
  n_waiting_ = 0;
}

float* ModelBuilder::log_p_of(std::span<const WordId> words) {
  settle();
  if (words.size() == 1) return &model_->own_unigrams_[words[0]].log_p;
  Model::Entry* const entry = find(static_cast<unsigned>(words.size()), key_of(words));
  return entry == nullptr ? nullptr : &entry->log_p;
}

float* ModelBuilder::log_backoff_of(std::span<const WordId> words) {
  settle();
  if (words.size() == 1) return &model_->own_unigrams_[words[0]].log_backoff;
  Model::Entry* const entry = find(static_cast<unsigned>(words.size()), key_of(words));
  return entry == nullptr ? nullptr : &entry->log_backoff;
}

void ModelBuilder::ensure(std::span<const WordId> words) {
  if (log_p_of(words) != nullptr) return;
  const auto shorter = words.first(words.size() - 1);  // last word first: the n-gram without its first word
  ensure(shorter);
  const float* const backoff = log_backoff_of(words.subspan(1));
  const float log_p = unpacked(*log_p_of(shorter)) + (backoff == nullptr ? 0.0F : weight(*backoff));
  ngram(words, log_p, 0.0F, false, false);
  note_extension(words);
}

void ModelBuilder::note_extension(std::span<const WordId> words) {
  if (words.size() < 2) return;
  const auto suffix = words.first(words.size() - 1);
  const auto context = words.subspan(1);
  ensure(suffix);
  ensure(context);
  float& log_p = *log_p_of(suffix);
  log_p = packed(unpacked(log_p), true);
  float& backoff = *log_backoff_of(context);
  if (std::isnan(backoff)) backoff = 0.0F;
}

std::unique_ptr<Model> ModelBuilder::finish() {
  settle();
  model_->unigrams_ = model_->own_unigrams_;
  for (unsigned k = 2; k <= model_->order_; ++k) {
    model_->tables_[k] = model_->own_tables_[k];
    model_->n_ngrams_[k - 1] = n_inside_[k];
  }
  return std::move(model_);
}

}  // namespace dragoman::lm
