#include "dragoman/phrase/suffix_array.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <string>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"

namespace dragoman::phrase {

int compare_suffixes(const TokenId* a, const TokenId* b) noexcept {
  while (*a == *b) {
    if (*a == SuffixText::kEnd) return 0;
    ++a;
    ++b;
  }
  return *a < *b ? -1 : 1;
}

SuffixRange narrowed(const SuffixText& text, SuffixRange range, std::size_t depth, TokenId word) noexcept {
  const auto begin = text.suffixes.begin() + range.first, end = text.suffixes.begin() + range.last;
  // Only in a text that a damaged file has sorted wrongly do so many words lead beyond its end.
  const auto word_at = [&](std::size_t place) {
    return place < text.words.size() ? text.words[place] : SuffixText::kEnd;
  };
  const auto first = std::lower_bound(
      begin, end, word, [&](std::uint32_t place, TokenId wanted) { return word_at(place + depth) < wanted; });
  const auto last = std::upper_bound(
      first, end, word, [&](TokenId wanted, std::uint32_t place) { return wanted < word_at(place + depth); });
  return {static_cast<std::uint32_t>(first - text.suffixes.begin()),
          static_cast<std::uint32_t>(last - text.suffixes.begin())};
}

SuffixRange find_phrase(const SuffixText& text, std::span<const TokenId> phrase) noexcept {
  SuffixRange range{0, static_cast<std::uint32_t>(text.suffixes.size())};
  for (std::size_t depth = 0; depth < phrase.size() && range.size() > 0; ++depth) {
    range = narrowed(text, range, depth, phrase[depth]);
  }
  return range;
}

void GrowingText::append(std::span<const TokenId> sentence) {
  if (std::ranges::any_of(sentence, [](TokenId word) { return word < 0; })) {
    throw data_error("A word's number is negative; a text to be searched has numbers of a vocabulary.");
  }
  if (words_.size() + sentence.size() + 1 >= std::numeric_limits<std::uint32_t>::max()) {
    throw data_error("A searched text holds less than four thousand million words; cut it into two.");
  }
  words_.insert(words_.end(), sentence.begin(), sentence.end());
  words_.push_back(SuffixText::kEnd);
  sentences_.resize(words_.size(), static_cast<std::uint32_t>(starts_.size() - 1));
  starts_.push_back(static_cast<std::uint32_t>(words_.size()));
}

void GrowingText::sort(unsigned n_threads) {
  // First by the first word, counting; then each of these buckets by itself.
  TokenId most = -1;
  for (const TokenId word : words_) most = std::max(most, word);
  std::vector<std::uint32_t> begins(static_cast<std::size_t>(most) + 2, 0);
  for (const TokenId word : words_) {
    if (word >= 0) ++begins[static_cast<std::size_t>(word) + 1];
  }
  for (std::size_t i = 1; i < begins.size(); ++i) begins[i] += begins[i - 1];
  suffixes_.resize(begins.back());
  auto next = begins;
  for (std::uint32_t place = 0; place < words_.size(); ++place) {
    if (words_[place] >= 0) suffixes_[next[static_cast<std::size_t>(words_[place])]++] = place;
  }
  std::atomic<std::size_t> open{0};
  const std::size_t n_buckets = begins.size() - 1;
  for_each_chunk(n_threads, n_threads, [&](const Chunk&) {
    for (std::size_t i = open++; i < n_buckets; i = open++) {
      std::sort(suffixes_.begin() + begins[i], suffixes_.begin() + begins[i + 1],
                [&](std::uint32_t a, std::uint32_t b) {
                  const int order = compare_suffixes(words_.data() + a + 1, words_.data() + b + 1);
                  return order != 0 ? order < 0 : a < b;
                });
    }
  });
}

void GrowingText::insert(std::span<const TokenId> sentence, const SuffixText& base) {
  const auto first = static_cast<std::uint32_t>(words_.size());
  append(sentence);
  for (std::uint32_t place = first; place < first + sentence.size(); ++place) {
    const TokenId* const here = words_.data() + place;
    // Among equals the later one comes last.
    const auto at = std::upper_bound(
        suffixes_.begin(), suffixes_.end(), here,
        [&](const TokenId* mine, std::uint32_t other) { return compare_suffixes(mine, words_.data() + other) < 0; });
    const auto rank = std::upper_bound(base.suffixes.begin(), base.suffixes.end(), here,
                                       [&](const TokenId* mine, std::uint32_t other) {
                                         return compare_suffixes(mine, base.words.data() + other) < 0;
                                       });
    ranks_.insert(ranks_.begin() + (at - suffixes_.begin()), static_cast<std::uint32_t>(rank - base.suffixes.begin()));
    suffixes_.insert(at, place);
  }
}

GrowingText GrowingText::joined(const SuffixText& base, const GrowingText& more) {
  if (base.words.size() + more.words_.size() >= std::numeric_limits<std::uint32_t>::max()) {
    throw data_error("A searched text holds less than four thousand million words; cut it into two.");
  }
  GrowingText all;
  const auto shift = static_cast<std::uint32_t>(base.words.size());
  const auto n_before = static_cast<std::uint32_t>(base.n_sentences());
  const auto take = [](auto& into, const auto& first, const auto& second, std::uint32_t plus) {
    into.reserve(first.size() + second.size());
    into.assign(first.begin(), first.end());
    for (const auto each : second) into.push_back(each + plus);
  };
  all.words_.assign(base.words.begin(), base.words.end());
  all.words_.insert(all.words_.end(), more.words_.begin(), more.words_.end());
  if (!base.starts.empty()) all.starts_.assign(base.starts.begin(), base.starts.end());
  for (std::size_t i = 1; i < more.starts_.size(); ++i) all.starts_.push_back(more.starts_[i] + shift);
  take(all.sentences_, base.sentences, more.sentences_, n_before);
  all.suffixes_.reserve(base.suffixes.size() + more.suffixes_.size());
  std::uint32_t next = 0;
  for (std::size_t i = 0; i < more.suffixes_.size(); ++i) {
    while (next < more.ranks_[i]) all.suffixes_.push_back(base.suffixes[next++]);
    all.suffixes_.push_back(more.suffixes_[i] + shift);
  }
  while (next < base.suffixes.size()) all.suffixes_.push_back(base.suffixes[next++]);
  return all;
}

}  // namespace dragoman::phrase
