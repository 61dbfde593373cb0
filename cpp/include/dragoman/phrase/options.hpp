#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/core/arena.hpp"
#include "dragoman/phrase/engine.hpp"

namespace dragoman::phrase {

struct DecodeOptions {
  unsigned pop_limit = 400;         // hypotheses taken from the cubes of each stack
  unsigned distortion_limit = 6;    // source words that a jump may skip; 0 translates monotonically
  unsigned options_per_phrase = 20; // translations of one source phrase, best first
  bool drop_unknown = false;        // leave words without a translation out instead of copying them
};

/// Source words [begin, end).
struct Span {
  std::uint16_t begin = 0;
  std::uint16_t end = 0;
};

/// A translation of a source span in one sentence, with everything that is known before it is applied.
struct Option {
  Span span;
  std::uint32_t table;                 // whose features it has; n_tables: made for an unknown word
  Translation translation;
  float fixed;                         // weighted: table features, penalties
  float lm_inside;                     // weighted: language models, from the first word on, not knowing the past
  std::array<float, 6> orientation;    // weighted
  // For each language model: weighted log p of the words read without a past, summed from word i on (size + 1
  // numbers), and the state behind them.
  std::span<const float> lm_rest;
  std::span<const lm::State> lm_states;
  std::span<const lm::WordId> lm_ids;  // words of the first model, then of the second, …

  float estimate() const noexcept { return fixed + lm_inside; }
};

/// The options of all spans of a sentence, best first, and the best score that the uncovered words can still get.
class OptionSet {
 public:
  /// Collect the options of a sentence. Words without any translation get one that copies (or drops) them.
  void collect(const Engine& engine, std::span<const float> weights, std::span<const TokenId> source,
               const DecodeOptions& limits);

  std::size_t length() const noexcept { return length_; }
  std::size_t longest() const noexcept { return longest_; }
  std::span<const Option* const> at(std::size_t begin, std::size_t end) const noexcept {
    const auto& cell = cells_[begin * longest_ + (end - begin - 1)];
    return {options_.data() + cell.first, cell.count};
  }
  float future(std::size_t begin, std::size_t end) const noexcept { return future_[begin * (length_ + 1) + end]; }

 private:
  struct Cell {
    std::uint32_t first = 0, count = 0;
  };

  void add_translations(const Engine& engine, std::span<const float> weights, Span span,
                        std::span<const TokenId> source, const DecodeOptions& limits);
  void add_unknown(const Engine& engine, std::span<const float> weights, std::size_t at, const DecodeOptions& limits);
  void finish(const Engine& engine, std::span<const float> weights, Option& option);
  void estimate_future();

  Arena arena_;
  std::vector<Option*> options_;
  std::vector<Option*> candidates_;
  std::vector<Cell> cells_;
  std::vector<float> future_;
  std::size_t length_ = 0, longest_ = 0;
};

}  // namespace dragoman::phrase
