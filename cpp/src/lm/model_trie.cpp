#include <cmath>

#include "dragoman/core/errors.hpp"
#include "dragoman/lm/model.hpp"
#include "packing.hpp"

namespace dragoman::lm {

Scored Model::score_in_trie(const State& before, WordId word, State& after) const noexcept {
  const Unigram& unigram = unigrams_[word];
  float log_p = unpacked(unigram.log_p);
  std::uint32_t n_matched = 1;
  std::uint32_t length = 0;
  after = State{};
  if (order_ > 1 && !std::isnan(unigram.log_backoff)) {
    after.words[0] = word;
    after.backoffs[0] = unigram.log_backoff;
    length = 1;
  }
  Trie::Range range = order_ > 1 ? trie_->children(word) : Trie::Range{0, 0};
  WordId words[kMaxOrder] = {word};
  float backoffs[kMaxOrder] = {weight(unigram.log_backoff)};
  for (std::uint32_t i = 0; i < before.length && !range.empty(); ++i) {
    const unsigned order = i + 2;
    const std::uint64_t at = trie_->find(order, range, before.words[i]);
    if (at == Trie::kNone) break;
    log_p = trie_->log_p(order, at);
    n_matched = order;
    if (order == order_) break;
    const float backoff = trie_->log_backoff(order, at);
    words[i + 1] = before.words[i];
    backoffs[i + 1] = weight(backoff);
    if (!std::isnan(backoff)) length = order;
    range = trie_->children(order, at);
  }
  for (std::uint32_t i = 0; i < length; ++i) {
    after.words[i] = words[i];
    after.backoffs[i] = backoffs[i];
  }
  after.length = length;
  for (std::uint32_t i = n_matched - 1; i < before.length; ++i) log_p += before.backoffs[i];
  return {log_p, n_matched};
}

TrieSink::TrieSink(text::WordTable words, Quantisation quantisation)
    : quantisation_(quantisation), model_(std::make_unique<Model>()) {
  check_words(words);
  if (quantisation.p_bits > 16 || quantisation.backoff_bits > 16) {
    throw data_error("A quantised number takes at most 16 bits.");
  }
  model_->words_ = std::move(words);
}

void TrieSink::begin(std::span<const std::uint64_t> n_ngrams) {
  model_->order_ = static_cast<unsigned>(n_ngrams.size());
  model_->own_unigrams_.assign(model_->words_.size(), {packed(-99.0F, false), kNoExtension});
  std::vector<std::uint64_t> counts(n_ngrams.begin(), n_ngrams.end());
  counts[0] = model_->words_.size();
  std::copy(counts.begin(), counts.end(), model_->n_ngrams_.begin());
  builder_.emplace(counts, quantisation_);
}

void TrieSink::ngram(std::span<const WordId> words, float log_p, float log_backoff, bool extends_left,
                     bool extends_right) {
  const float backoff = extends_right ? log_backoff : kNoExtension;
  if (words.size() == 1) {
    model_->own_unigrams_[words[0]] = {packed(log_p, extends_left), backoff};
  } else {
    builder_->ngram(words, log_p, backoff);
  }
}

std::unique_ptr<Model> TrieSink::finish() {
  model_->unigrams_ = model_->own_unigrams_;
  model_->trie_.emplace(builder_->finish());
  return std::move(model_);
}

}  // namespace dragoman::lm
