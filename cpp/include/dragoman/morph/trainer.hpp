#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/core/random.hpp"
#include "dragoman/morph/description.hpp"
#include "dragoman/morph/parts.hpp"

namespace dragoman::morph {

/// Different words laid end to end, word i being [offsets[i], offsets[i + 1]), and how much each counts.
struct Words {
  std::span<const Letter> letters;
  std::span<const std::int64_t> offsets;
  std::span<const std::int64_t> counts;

  std::size_t size() const noexcept { return counts.size(); }
  Place place(std::size_t word) const noexcept {
    return {static_cast<std::uint32_t>(offsets[word]), static_cast<std::uint32_t>(offsets[word + 1] - offsets[word])};
  }
};

struct TrainingOptions {
  double corpus_weight = 1.0;  // of the words' part in the description length
  double tolerance = 0.005;    // nats a word: a round that gains no more is the last
  int max_rounds = 100;
};

/// What was learnt.
struct Segmented {
  std::vector<Place> morphs;
  std::vector<std::int64_t> counts;   // of the morphs, in words as often as these count
  std::vector<std::int32_t> pieces;   // the words' morphs, end to end
  std::vector<std::int64_t> offsets;  // word i is [offsets[i], offsets[i + 1]) of the pieces
  std::vector<double> lengths;        // description length before the first round and after each
};

/// Cut words into morphs such that their description is short: Morfessor Baseline (Creutz & Lagus 2002, §2.3; 2005,
/// §4). Every round takes the words in a new order drawn from `order`. Each is cut in two where that is best, or not
/// at all, then its halves are; a half that other words have too is cut in all of them. The shortest of all rounds is
/// what is given.
Segmented train(const Words& words, const TrainingOptions& options, const CounterStream& order);

}  // namespace dragoman::morph
