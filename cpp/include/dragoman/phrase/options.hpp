#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "dragoman/core/arena.hpp"
#include "dragoman/phrase/engine.hpp"
#include "dragoman/phrase/input.hpp"

namespace dragoman::phrase {

/// How the largest block that ends the translation so far is found, for hierarchical orientation (Cherry, Moore &
/// Quirk, WMT 2012): from the covered words alone, by a parser that joins two blocks at a time, or as many as it takes.
enum class Hierarchy : std::uint8_t { approximate, two_reducing, star_reducing };

struct DecodeOptions {
  unsigned pop_limit = 400;          // hypotheses taken from the cubes of each stack
  unsigned distortion_limit = 6;     // source words that a jump may skip; 0 translates monotonically
  unsigned options_per_phrase = 20;  // translations of one source phrase, best first
  bool drop_unknown = false;         // leave words without a translation out instead of copying them
  Hierarchy hierarchy = Hierarchy::approximate;
  bool itg = false;                        // only permutations that an inversion transduction grammar can build
  double distortion_exponent = 1;          // of the distance of a jump
  bool grow = false;                       // charts: find parts only when wholes ask for them (cube growing)
  std::vector<float> future_weights = {};  // for what the rest may still score; empty: the weights themselves
};

/// What a language model makes of an option whose past it does not know.
struct ModelReading {
  std::span<const lm::WordId> tokens;
  std::span<const float> rest;  // weighted log p of the tokens, summed from token i on; one more than there are
  lm::State state;              // behind them
};

/// A translation of a source span in one sentence, with everything that is known before it is applied.
struct Option {
  Span span;
  std::uint32_t number = 0;               // among the options of the sentence
  std::uint32_t table = 0;                // whose features it has; n_tables: none's
  std::uint32_t n_unknown = 0;            // unknown, left out or inserted words
  std::span<const TokenId> source;        // the words of the span; of a lattice, those on its way
  std::span<const std::int32_t> layer;    // what they are annotated with, if anything
  std::span<const std::uint16_t> places;  // where they stand in a text, if the span is one of a lattice that knows it
  Translation translation;
  std::span<const float> given;            // values of the given features
  float fixed = 0;                         // weighted: table features, penalties, given features
  float lm_inside = 0;                     // weighted: language models and features with a state, not knowing the past
  float future = 0;                        // what it promises while it is still to come
  std::array<float, 6> orientation{};      // weighted
  std::span<const ModelReading> readings;  // by language model

  float estimate() const noexcept { return fixed + lm_inside; }
  /// Where the source word of a link stands.
  std::uint16_t source_place(const Link& link) const noexcept {
    return link.source < places.size() ? places[link.source] : static_cast<std::uint16_t>(span.begin + link.source);
  }
};

inline bool better_option(const Option* a, const Option* b) { return a->estimate() > b->estimate(); }

/// The options of all spans of a sentence, best first, and the best score that the uncovered words can still get.
class OptionSet {
 public:
  static constexpr float kImpossible = -1e30F;

  OptionSet(const Engine& engine, const DecodeOptions& limits) : engine_(&engine), limits_(&limits) {}

  /// Collect the options of a sentence. Words without any translation get one that copies (or drops) them.
  void collect(const Weights& weights, std::span<const TokenId> source, const Constraints* constraints,
               std::span<const std::int32_t> layer = {});

  std::size_t length() const noexcept { return length_; }
  std::size_t longest() const noexcept { return longest_; }
  std::size_t size() const noexcept { return options_.size(); }
  std::span<const Option* const> at(std::size_t begin, std::size_t end) const noexcept {
    const auto& cell = cells_[begin * longest_ + (end - begin - 1)];
    return {options_.data() + cell.first, cell.count};
  }
  /// The best that [begin, end) can get; `end` is the sentence's, or not farther than reordering lets a gap stay open.
  float future(std::size_t begin, std::size_t end) const noexcept {
    return end == length_ ? rest_[begin] : future_[begin * (widest_gap_ + 1) + (end - begin)];
  }
  bool is_linear() const noexcept { return distances_.empty(); }
  /// How far from the beginning a place is, in words: of a lattice, on the shortest way.
  int distance(std::size_t place) const noexcept {
    return distances_.empty() ? static_cast<int>(place) : distances_[place];
  }

  /// How many steps of the search a span takes: words, of which stacks count how many are covered. In a lattice whose
  /// ways have equally many words, as those of orders, these; in others nodes, as the ways have nothing else in common.
  std::size_t steps(std::size_t begin, std::size_t end) const noexcept {
    return has_levels_ ? static_cast<std::size_t>(distances_[end] - distances_[begin]) : end - begin;
  }

  /// A copy of an option, changed by `change(Option&, Arena&)` before its scores are computed anew.
  template <class Change>
  const Option* altered(const Option& option, const Change& change) {
    Option& made = *arena_.make<Option>();
    made = option;
    change(made, arena_);
    made.number = static_cast<std::uint32_t>(n_options_++);
    finish(made, arena_);
    return &made;
  }

 private:
  struct Cell {
    std::uint32_t first = 0, count = 0;
  };

  Cell& cell(std::size_t begin, std::size_t end) { return cells_[begin * longest_ + (end - begin - 1)]; }
  void collect_words(std::span<const TokenId> source, const Constraints* constraints);
  void collect_lattice(const Lattice& lattice, const Constraints& constraints);
  void add_translations(Span span, std::span<const TokenId> source, float arc_score);
  void add_known(Span span, std::span<const TokenId> source, float arc_score);
  std::optional<std::uint64_t> key_of(std::span<const TokenId> words) const;
  std::span<const Option> remember(std::uint64_t key);
  void add_unknown(Span span, std::span<const TokenId> source, std::size_t copied_word, float arc_score, bool dropped);
  void add_given(const Given& given, std::span<const TokenId> source);
  std::span<const TokenId> own(std::span<const TokenId> words);
  std::span<const std::int32_t> layer_of(Span span) const;
  void add_nothing(Span span, float arc_score);
  bool is_closed(Span span, const Constraints* constraints) const;
  void close_cell(std::size_t begin, std::size_t end);
  void finish(Option& option, Arena& arena) const;
  void estimate_future();

  const Engine* engine_;
  const DecodeOptions* limits_;
  std::vector<float> weights_;
  const SparseWeights* sparse_ = nullptr;
  std::span<const std::int32_t> layer_;  // of the sentence
  std::uint64_t sparse_identity_ = 0;
  mutable std::vector<std::byte> states_;  // of features that are asked for an estimate
  mutable std::vector<lm::WordId> tokens_;
  Arena arena_;
  std::vector<const Option*> options_;
  std::vector<Option*> candidates_;
  std::vector<Cell> cells_;
  std::vector<float> future_, rest_;
  std::vector<int> distances_;
  bool has_levels_ = false;  // every way to a node has equally many words
  std::uint64_t most_ = 0;
  std::size_t length_ = 0, longest_ = 0, widest_gap_ = 0, n_options_ = 0;
  // Phrases come again in other sentences: their options, without a place, by table and first translation there.
  Arena known_arena_;
  std::unordered_map<std::uint64_t, std::span<const Option>> known_;
  std::size_t n_known_ = 0;
};

}  // namespace dragoman::phrase
