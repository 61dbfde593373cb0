#include "dragoman/metrics/contrast.hpp"

#include <algorithm>
#include <atomic>

#include "dragoman/core/parallel.hpp"
#include "dragoman/metrics/ngram_trie.hpp"

namespace dragoman::metrics {

std::vector<std::uint8_t> found_words(const IdBatch& words, const IdBatch& others, unsigned n_threads) {
  std::vector<std::uint8_t> found(words.ids.size());
  const auto largest = [](Tokens ids) { return ids.empty() ? TokenId{-1} : std::ranges::max(ids); };
  const auto n_ids = static_cast<std::size_t>(std::max(largest(words.ids), largest(others.ids)) + 1);
  for_each_chunk(words.size(), n_threads, [&](Chunk chunk) {
    std::vector<std::uint32_t> left(n_ids);
    for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
      const Tokens other = others[i];
      for (const TokenId id : other) ++left[static_cast<std::size_t>(id)];
      auto at = static_cast<std::size_t>(words.offsets[i]);
      for (const TokenId id : words[i]) {
        auto& there = left[static_cast<std::size_t>(id)];
        found[at++] = there > 0;
        there -= there > 0;
      }
      for (const TokenId id : other) left[static_cast<std::size_t>(id)] = 0;
    }
  });
  return found;
}

NgramMatches match_ngrams(std::size_t order, std::span<const IdBatch> systems, std::span<const IdBatch> refs,
                          Presence present, unsigned n_threads) {
  const std::size_t n_segments = refs.empty() ? 0 : refs[0].size();
  const auto is_there = [&](std::size_t r, std::size_t i) {
    return present.empty() || present[r * n_segments + i] != 0;
  };

  NgramMatches matches;
  NgramTrie all(order);
  std::size_t length = 0;
  for (const IdBatch& ref : refs) length += ref.ids.size();
  all.clear(length);
  for (std::size_t r = 0; r < refs.size(); ++r) {
    for (std::size_t i = 0; i < n_segments; ++i) {
      if (!is_there(r, i)) continue;
      all.add(refs[r][i], NgramTrie::Merge::kSum,
              [&](NgramTrie::Node parent, NgramTrie::Symbol symbol, NgramTrie::Node) {
                matches.parents.push_back(static_cast<std::int32_t>(parent) - 1);  // the root is none
                matches.words.push_back(static_cast<std::int32_t>(symbol));
              });
    }
  }

  const std::size_t n_ngrams = matches.parents.size();
  matches.counts.assign(systems.size() * n_ngrams, 0);
  for_each_chunk(n_segments, n_threads, [&](Chunk chunk) {
    NgramTrie segment(order);
    std::vector<NgramTrie::Node> in_all;  // the node of `all` that a node of `segment` stands for
    for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
      std::size_t n_words = 0;
      for (std::size_t r = 0; r < refs.size(); ++r) n_words += refs[r][i].size();
      segment.clear(n_words);
      in_all.assign(1, NgramTrie::kRoot);
      for (std::size_t r = 0; r < refs.size(); ++r) {
        if (!is_there(r, i)) continue;
        segment.add(refs[r][i], NgramTrie::Merge::kMax,
                    [&](NgramTrie::Node parent, NgramTrie::Symbol symbol, NgramTrie::Node) {
                      in_all.push_back(all.find(in_all[parent], symbol));
                    });
      }
      for (std::size_t s = 0; s < systems.size(); ++s) {
        const auto counts = std::span(matches.counts).subspan(s * n_ngrams, n_ngrams);
        segment.match(systems[s][i], [&](NgramTrie::Node node, std::size_t) {
          // Whole numbers add up to the same in any order, so the threads may share the counts.
          std::atomic_ref(counts[in_all[node] - 1]).fetch_add(1, std::memory_order_relaxed);
        });
      }
    }
  });
  return matches;
}

}  // namespace dragoman::metrics
