#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "dragoman/lm/model.hpp"
#include "packing.hpp"

namespace dragoman::lm {

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
  // Tables are larger than caches, and a look-up's place depends on words alone: so many words ahead its line is asked
  // for. Measured on a model of 24 MB: 4 hides half of the waiting, 12 no more than 8.
  constexpr std::size_t kAhead = 8;
  using Keys = std::array<std::uint64_t, kMaxOrder + 1>;
  std::array<Keys, kAhead> ring;
  const auto expect = [&](std::size_t i) {
    Keys& keys = ring[i % kAhead];
    std::uint64_t key = word_key(words[i]);
    const unsigned longest = std::min<unsigned>(order_, n_past[i] + 1U);
    for (unsigned k = 2; k <= longest; ++k) {
      key = longer_key(key, words[i - (k - 1)]);
      keys[k] = key;
      __builtin_prefetch(&tables_[k][home(key, tables_[k].size())]);
    }
  };
  for (std::size_t i = 0; i < std::min(kAhead, words.size()); ++i) expect(i);

  std::array<float, kMaxOrder> backoffs{};  // of the contexts that end in the word before, by length − 1
  std::uint32_t length = 0;                 // of the longest context that can matter
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Unigram& unigram = unigrams_[words[i]];
    const Keys& keys = ring[i % kAhead];
    const std::uint32_t before = std::min<std::uint32_t>(length, n_past[i]);
    std::array<float, kMaxOrder> next{};
    next[0] = weight(unigram.log_backoff);
    std::uint32_t next_length = std::isnan(unigram.log_backoff) ? 0 : 1;
    float packed_p = unigram.log_p;
    std::uint32_t n_matched = 1;
    while (n_matched <= before && extends_left(packed_p)) {
      const unsigned k = n_matched + 1;
      const Entry* const entry = find(k, keys[k]);
      if (entry == nullptr) break;
      packed_p = entry->log_p;
      n_matched = k;
      if (k == order_) break;
      next[k - 1] = weight(entry->log_backoff);
      if (!std::isnan(entry->log_backoff)) next_length = k;
    }
    if (words[i] != kBos) {
      float log_p = unpacked(packed_p);
      for (std::uint32_t k = n_matched; k <= before; ++k) log_p += backoffs[k - 1];
      use(i, Scored{log_p, n_matched});
    }
    backoffs = next;
    length = order_ > 1 ? next_length : 0;
    if (i + kAhead < words.size()) expect(i + kAhead);
  }
}

}  // namespace dragoman::lm
