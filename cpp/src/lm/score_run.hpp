#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "dragoman/lm/model.hpp"
#include "packing.hpp"

namespace dragoman::lm {

/// The key of each word.
void first_keys(const WordId* words, std::size_t n, std::uint64_t* keys);
/// The keys of n-grams that go one word further back.
void longer_keys(const std::uint64_t* keys, const WordId* before, std::size_t n, std::uint64_t* longer);

/// Looks a run of words up, each from the longest n-gram down: where the model holds that, which is the rule in text
/// like the one it learnt from, no shorter one is asked for, and back-off weights only where they are needed. Tables
/// are larger than caches, but where to look depends on words alone. So words go through in blocks, step by step: all
/// places of the longest n-grams are asked for, then looked at; those of shorter ones where it is absent, then looked
/// at.
template <unsigned Order>
class HashRun {
 public:
  HashRun(const Model& model, std::span<const WordId> words, std::span<const std::uint8_t> n_past)
      : model_(&model), words_(words), n_past_(n_past) {
    tables_[1] = {&kNothing, 1};  // a word without a past is not looked up
    for (unsigned k = 2; k <= Order; ++k) tables_[k] = {model.tables_[k].data(), model.tables_[k].size()};
  }

  template <class Use>
  void run(const Use& use) {
    for (begin_ = 0; begin_ < words_.size(); begin_ += kBlock) {
      const std::size_t n = std::min(kBlock, words_.size() - begin_);
      make_keys(n);
      for (std::size_t i = 0; i < n; ++i) expect_longest(i);
      std::size_t n_absent = 0;
      for (std::size_t i = 0; i < n; ++i) {
        absent_[n_absent] = static_cast<std::uint16_t>(i);
        n_absent += look_up_longest(i) ? 0 : 1;
      }
      for (const std::uint16_t i : std::span(absent_).first(n_absent)) expect_shorter(i);
      for (const std::uint16_t i : std::span(absent_).first(n_absent)) back_off(i);
      for (std::size_t i = 0; i < n; ++i) {
        if (words_[begin_ + i] != kBos) use(begin_ + i, scored_[i]);
      }
      for (unsigned k = 2; k <= Order; ++k) {
        keys_[k][0] = keys_[k][n];
        entries_[k][0] = entries_[k][n];
      }
      known_[0] = known_[n];
    }
  }

 private:
  static constexpr std::size_t kBlock = 128;  // words; what is held of them and of their n-grams fits the nearest cache

  static constexpr Model::Entry kNothing{0, 0, 0};

  struct Table {
    const Model::Entry* entries;
    std::size_t size;

    const Model::Entry* home(std::uint64_t key) const noexcept { return entries + Model::home(key, size); }
    /// Where the key stands, else the free place that ends the search for it.
    const Model::Entry* find(std::uint64_t key, const Model::Entry* at) const noexcept {
      // Most keys stand at home or a few places on, which of them is chance: four are compared at once, without a
      // branch.
      if (at + 4 <= entries + size) {
        unsigned stop = 16;
        for (unsigned j = 0; j < 4; ++j) stop |= static_cast<unsigned>((at[j].key == key) | (at[j].key == 0)) << j;
        at += std::countr_zero(stop);
        if (stop != 16) return at;
      }
      for (;; ++at) {
        if (at == entries + size) at = entries;
        if (at->key == key || at->key == 0) return at;
      }
    }
  };

  unsigned longest(std::size_t i) const noexcept { return std::min<unsigned>(Order, n_past_[begin_ + i] + 1U); }

  /// The keys of all n-grams, order by order. A sentence's first words have no use for the long ones, but there is
  /// nothing to decide this way and many words can be done at a time.
  void make_keys(std::size_t n) {
    const WordId* const words = words_.data() + begin_;
    first_keys(words, n, keys_[1].data() + 1);
    for (unsigned k = 2; k <= Order; ++k) {
      // In front of the first word there is nothing: these keys are never asked for.
      const std::size_t none = begin_ >= k - 1 ? 0 : std::min<std::size_t>(k - 1 - begin_, n);
      for (std::size_t i = 0; i < none; ++i) keys_[k][i + 1] = 1;
      longer_keys(keys_[k - 1].data() + 1 + none, words + none - (k - 1), n - none, keys_[k].data() + 1 + none);
    }
    std::fill_n(known_.data() + 1, n, 0);
  }
  void expect_longest(std::size_t i) {
    const unsigned k = longest(i);
    homes_[i] = tables_[k].home(keys_[k][i + 1]);
    __builtin_prefetch(homes_[i]);
    __builtin_prefetch(homes_[i] + 3);
  }
  bool look_up_longest(std::size_t i) {
    const unsigned k = longest(i);
    const std::uint64_t key = keys_[k][i + 1];
    const Model::Entry* const found = tables_[k].find(key, homes_[i]);
    scored_[i] = {unpacked(found->log_p), k};
    return found->key == key;
  }
  void expect_shorter(std::size_t i) {
    const unsigned highest = longest(i);
    entries_[highest][i + 1] = nullptr;
    known_[i + 1] = static_cast<std::uint16_t>(1U << highest);
    for (unsigned k = 2; k < highest; ++k) {
      __builtin_prefetch(tables_[k].home(keys_[k][i + 1]));
      __builtin_prefetch(tables_[k].home(keys_[k][i]));
    }
  }
  /// The n-gram of length k that ends in the word before word i + 1 of the block: i = 0 is the last of the block
  /// before.
  const Model::Entry* entry(std::size_t i, unsigned k) {
    if ((known_[i] >> k & 1) == 0) {
      const Model::Entry* const found = tables_[k].find(keys_[k][i], tables_[k].home(keys_[k][i]));
      entries_[k][i] = found->key == 0 ? nullptr : found;
      known_[i] = static_cast<std::uint16_t>(known_[i] | 1U << k);
    }
    return entries_[k][i];
  }
  void back_off(std::size_t i) {
    const std::size_t at = begin_ + i;
    const unsigned highest = longest(i);
    unsigned matched = highest;
    while (matched > 1 && entry(i + 1, matched) == nullptr) --matched;
    float log_p = unpacked(matched > 1 ? entry(i + 1, matched)->log_p : model_->unigrams_[words_[at]].log_p);
    for (unsigned k = matched; k < highest; ++k) {
      if (k == 1) {
        log_p += weight(model_->unigrams_[words_[at - 1]].log_backoff);
        continue;
      }
      const Model::Entry* const context = entry(i, k);
      if (context == nullptr) break;  // longer ones are absent, too
      log_p += weight(context->log_backoff);
    }
    scored_[i] = {log_p, matched};
  }

  const Model* model_;
  std::span<const WordId> words_;
  std::span<const std::uint8_t> n_past_;
  std::array<Table, Order + 1> tables_;
  std::size_t begin_ = 0;  // of the block
  // By length of the n-gram and by word, behind the last word of the block before.
  std::array<std::array<std::uint64_t, kBlock + 1>, Order + 1> keys_;
  std::array<std::array<const Model::Entry*, kBlock + 1>, Order + 1> entries_;
  std::array<std::uint16_t, kBlock + 1> known_{};  // bit k: entries_[k] has been looked up
  std::array<const Model::Entry*, kBlock> homes_;
  std::array<Scored, kBlock> scored_;
  std::array<std::uint16_t, kBlock> absent_;
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
  const auto run = [&]<unsigned K>(const auto& self, std::integral_constant<unsigned, K>) -> void {
    if constexpr (K <= kMaxOrder) {
      if (order_ == K) return HashRun<K>(*this, words, n_past).run(use);
      self(self, std::integral_constant<unsigned, K + 1>());
    }
  };
  run(run, std::integral_constant<unsigned, 1>());
}

}  // namespace dragoman::lm
