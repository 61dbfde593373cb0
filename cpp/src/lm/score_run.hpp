#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "dragoman/lm/model.hpp"
#include "packing.hpp"

namespace dragoman::lm {

/// Looks a run of words up, each from the longest n-gram down: where the model holds that, which is the rule in text like
/// the one it learnt from, no shorter one is asked for, and back-off weights only where they are needed. Tables are larger
/// than caches, but where to look depends on words alone, so places are asked for some words ahead: that of the longest
/// n-gram first, and those of the shorter ones when it turns out to be absent.
class HashRun {
 public:
  HashRun(const Model& model, std::span<const WordId> words, std::span<const std::uint8_t> n_past)
      : model_(&model), words_(words), n_past_(n_past) {}

  template <class Use>
  void run(const Use& use) {
    const std::size_t n = words_.size();
    for (std::size_t i = 0; i < n + kFar; ++i) {
      if (i < n) expect_longest(i);
      if (i >= kFar - kNear && i - (kFar - kNear) < n) expect_shorter(i - (kFar - kNear));
      if (i < kFar) continue;
      const std::size_t now = i - kFar;
      if (words_[now] != kBos) use(now, resolve(now));
    }
  }

 private:
  static constexpr std::size_t kFar = 12, kNear = 6;  // words ahead
  static constexpr std::size_t kRing = 16;            // of these, and the word before

  struct Word {
    std::array<std::uint64_t, kMaxOrder + 1> keys;
    std::array<const Model::Entry*, kMaxOrder + 1> entries;
    std::uint32_t known;  // bit k: entries[k] has been looked up
    unsigned longest;
  };

  void expect(const Word& word, unsigned k) const {
    __builtin_prefetch(&model_->tables_[k][Model::home(word.keys[k], model_->tables_[k].size())]);
  }
  void expect_longest(std::size_t i) {
    Word& word = ring_[i % kRing];
    word.longest = std::min<unsigned>(model_->order_, n_past_[i] + 1U);
    word.known = 0;
    std::uint64_t key = word_key(words_[i]);
    for (unsigned k = 2; k <= word.longest; ++k) {
      key = longer_key(key, words_[i - (k - 1)]);
      word.keys[k] = key;
    }
    if (word.longest > 1) expect(word, word.longest);
  }
  void expect_shorter(std::size_t i) {
    Word& word = ring_[i % kRing];
    if (word.longest < 2 || entry(i, word.longest) != nullptr) return;
    for (unsigned k = 2; k < word.longest; ++k) expect(word, k);
    const Word& before = ring_[(i - 1) % kRing];
    for (unsigned k = 2; k < word.longest; ++k) expect(before, k);
  }
  const Model::Entry* entry(std::size_t i, unsigned k) {
    Word& word = ring_[i % kRing];
    if ((word.known >> k & 1) == 0) {
      word.entries[k] = model_->find(k, word.keys[k]);
      word.known |= 1U << k;
    }
    return word.entries[k];
  }
  Scored resolve(std::size_t i) {
    const unsigned longest = ring_[i % kRing].longest;
    unsigned matched = longest;
    while (matched > 1 && entry(i, matched) == nullptr) --matched;
    float log_p = unpacked(matched > 1 ? entry(i, matched)->log_p : model_->unigrams_[words_[i]].log_p);
    for (unsigned k = matched; k < longest; ++k) {
      if (k == 1) {
        log_p += weight(model_->unigrams_[words_[i - 1]].log_backoff);
        continue;
      }
      const Model::Entry* const context = entry(i - 1, k);
      if (context == nullptr) break;  // longer ones are absent, too
      log_p += weight(context->log_backoff);
    }
    return {log_p, matched};
  }

  const Model* model_;
  std::span<const WordId> words_;
  std::span<const std::uint8_t> n_past_;
  std::array<Word, kRing> ring_;
};

template <class Use>
void Model::score_run(std::span<const WordId> words, std::span<const std::uint8_t> n_past, const Use& use) const {
  if (trie_) {
    State states[2];
    for (std::size_t i = 0; i < words.size(); ++i) {
      State& before = states[i % 2];
      if (n_past[i] == 0) before = empty();
      const Scored scored = score(before, words[i], states[1 - i % 2]);
      if (words[i] != kBos) use(i, scored);
    }
    return;
  }
  HashRun(*this, words, n_past).run(use);
}

}  // namespace dragoman::lm
