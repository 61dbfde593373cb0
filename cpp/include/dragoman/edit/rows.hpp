#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "dragoman/edit/beam.hpp"
#include "dragoman/edit/ter.hpp"

// Rows of the edit-distance matrix, one engine per size of problem. All engines answer alike: a State is one row,
// `step` turns row i-1 into row i for the i-th word of the hypothesis, `distance` reads the last cell of the last row.
// `step_traced` also keeps what `operation` needs to walk back. Ties are broken as in tercom: match or substitution
// before deletion before insertion.
//
// Whole and Strip keep a row as its steps from column to column, +1 or -1, in two machine words (Myers 1999, in the
// form of Hyyrö 2003, with bits running along the reference). That works within the beam as well: its edges only move
// right, so inside it neighbouring cells still differ by at most one, and diagonal neighbours by nought or one. A cell
// outside the beam is given the value that cannot shorten any path into it.
namespace dragoman::edit {

using Bits = std::uint64_t;

/// Bits [0, n) set.
inline Bits low_bits(int n) noexcept { return n >= 64 ? ~Bits{0} : n <= 0 ? Bits{0} : (Bits{1} << n) - 1; }

/// Where each word of a reference stands: as sorted positions, and as bits for rows of matches. Linear space.
class WordPlaces {
 public:
  void set(std::span<const Word> ref) {
    Word n_words = 0;
    for (const Word word : ref) n_words = std::max(n_words, word + 1);
    n_words_ = n_words;
    begin_.assign(static_cast<std::size_t>(n_words) + 2, 0);
    for (const Word word : ref) ++begin_[static_cast<std::size_t>(word) + 2];
    for (std::size_t w = 2; w < begin_.size(); ++w) begin_[w] += begin_[w - 1];
    places_.resize(ref.size());
    for (std::size_t j = 0; j < ref.size(); ++j) {
      places_[static_cast<std::size_t>(begin_[static_cast<std::size_t>(ref[j]) + 1]++)] = static_cast<int>(j);
    }
    if (ref.size() <= 64) {
      masks_.assign(static_cast<std::size_t>(n_words) + 1, 0);
      for (std::size_t j = 0; j < ref.size(); ++j) masks_[static_cast<std::size_t>(ref[j])] |= Bits{1} << j;
    }
  }

  /// The number that stands for all words the reference does not have.
  Word unknown() const noexcept { return n_words_; }

  /// Positions of a word, ascending.
  std::span<const int> of(Word word) const noexcept {
    if (word == n_words_) return {};
    const auto w = static_cast<std::size_t>(word);
    return {places_.data() + begin_[w], places_.data() + begin_[w + 1]};
  }

  /// Bit j is set where the word is the j-th of the reference (at most 64 words).
  Bits mask(Word word) const noexcept { return masks_[static_cast<std::size_t>(word)]; }

  /// Bit b is set where the word is number first + b of the reference, for b < 64.
  Bits window(Word word, int first) const noexcept {
    const auto places = of(word);
    Bits bits = 0;
    for (auto place = std::ranges::lower_bound(places, first); place != places.end() && *place < first + 64; ++place) {
      bits |= Bits{1} << (*place - first);
    }
    return bits;
  }

 private:
  Word n_words_ = 0;
  std::vector<int> begin_;
  std::vector<int> places_;
  std::vector<Bits> masks_;
};

/// What the walk back needs to know of a row.
struct TracedRow {
  Bits match = 0;     // the words are the same and the diagonal neighbour is in the beam
  Bits diagonal = 0;  // the value is that of the diagonal neighbour
  Bits down = 0;      // the value is one more than that of the neighbour above
};

/// The beam covers every cell and the reference has at most 64 words: bit b is column b + 1.
class Whole {
 public:
  struct State {
    Bits up = ~Bits{0};  // columns whose value is one more than that of the column before
    Bits down = 0;       // … one less
  };

  static bool fits(const Beam& beam, int n_ref) noexcept { return n_ref <= 64 && beam.covers_all(); }

  void set(int n_hyp, int n_ref, const Beam&, const WordPlaces& places) {
    places_ = &places;
    n_hyp_ = n_hyp;
    columns_ = low_bits(n_ref);
    if (static_cast<int>(rows_.size()) <= n_hyp) rows_.resize(static_cast<std::size_t>(n_hyp) + 1);
  }

  void begin(State& state) const noexcept { state = State{}; }

  void step(State& state, int, Word word) const noexcept { advance(state, places_->mask(word)); }

  void step_traced(State& state, int i, Word word) noexcept {
    rows_[static_cast<std::size_t>(i)] = advance(state, places_->mask(word));
  }

  int distance(const State& state) const noexcept {
    return n_hyp_ + std::popcount(state.up & columns_) - std::popcount(state.down & columns_);
  }

  Operation operation(int i, int j) const noexcept {
    if (i == 0) return Operation::kInsert;
    if (j == 0) return Operation::kDelete;
    const TracedRow& row = rows_[static_cast<std::size_t>(i)];
    const Bits bit = Bits{1} << (j - 1);
    if (row.match & bit) return Operation::kMatch;
    if (!(row.diagonal & bit)) return Operation::kSubstitute;
    return row.down & bit ? Operation::kDelete : Operation::kInsert;
  }

 private:
  static TracedRow advance(State& state, Bits match) noexcept {
    const Bits diagonal = (((match & state.up) + state.up) ^ state.up) | match | state.down;
    const Bits down = state.down | ~(diagonal | state.up);
    const Bits gain = state.up & diagonal;
    const Bits down_before = down << 1 | 1;  // column 0 grows by one in every row
    state.up = gain << 1 | ~(diagonal | down_before);
    state.down = down_before & diagonal;
    return {match, diagonal, down};
  }

  const WordPlaces* places_ = nullptr;
  int n_hyp_ = 0;
  Bits columns_ = 0;
  std::vector<TracedRow> rows_;
};

/// The beam is a strip of at most 50 columns, kept in a window of 64 that moves with it: bit b is column first(i) + b.
template <bool kOneWord>
class Strip {
 public:
  struct State {
    Bits up = ~Bits{0};
    Bits down = 0;
    int value = 0;  // of the first column of the window
  };

  static bool fits(const Beam& beam, int n_ref) noexcept {
    return beam.width() == Beam::kWidth && (!kOneWord || n_ref <= 63);
  }

  void set(int n_hyp, int n_ref, const Beam& beam, const WordPlaces& places) {
    places_ = &places;
    if (static_cast<int>(rows_.size()) <= n_hyp) {
      rows_.resize(static_cast<std::size_t>(n_hyp) + 1);
      edges_.resize(static_cast<std::size_t>(n_hyp) + 1);
    }
    edges_[0] = {0, 0, n_ref + 1, 0, 0, 0};
    for (int i = 1; i <= n_hyp; ++i) {
      const Edges& above = edges_[static_cast<std::size_t>(i) - 1];
      Edges& here = edges_[static_cast<std::size_t>(i)];
      here.first = beam.first(i);
      here.end = beam.end(i);
      here.move = here.first - above.first;
      // The row above ends here; further right it goes on as if it rose by one from column to column (as row 0, the
      // only one longer than the window, does) …
      here.beyond = ~low_bits(std::min(above.end, above.first + 64) - here.first);
      // … which is harmless as long as no diagonal of nought starts from there,
      here.matchable = low_bits(above.end + 1 - here.first);
      // and where the strip does not move, the missing left neighbour is one more than the first column.
      here.left_edge = here.move == 0 ? 1 : 0;
      here.matchable &= ~here.left_edge;
    }
    last_columns_ = low_bits(n_ref - edges_[static_cast<std::size_t>(n_hyp)].first + 1) & ~Bits{1};
  }

  void begin(State& state) const noexcept { state = State{}; }

  void step(State& state, int i, Word word) const noexcept { advance(state, i, word); }

  void step_traced(State& state, int i, Word word) noexcept {
    rows_[static_cast<std::size_t>(i)] = advance(state, i, word);
  }

  int distance(const State& state) const noexcept {
    return state.value + std::popcount(state.up & last_columns_) - std::popcount(state.down & last_columns_);
  }

  Operation operation(int i, int j) const noexcept {
    if (i == 0) return Operation::kInsert;
    if (j == 0) return Operation::kDelete;
    const TracedRow& row = rows_[static_cast<std::size_t>(i)];
    const Bits bit = Bits{1} << (j - edges_[static_cast<std::size_t>(i)].first);
    const int end_above = edges_[static_cast<std::size_t>(i) - 1].end;
    if (row.match & bit) return Operation::kMatch;
    if (!(row.diagonal & bit) && j <= end_above) return Operation::kSubstitute;
    return row.down & bit && j < end_above ? Operation::kDelete : Operation::kInsert;
  }

 private:
  struct Edges {
    int first;
    int move;  // columns the window moves right from the row above
    int end;
    Bits beyond;
    Bits matchable;
    Bits left_edge;
  };

  TracedRow advance(State& state, int i, Word word) const noexcept {
    const Edges& edges = edges_[static_cast<std::size_t>(i)];
    // Bit b is column first + b, that is word first + b - 1 of the reference.
    Bits match;
    if constexpr (kOneWord) {
      match = (places_->mask(word) << 1 >> edges.first) & edges.matchable;
    } else {
      match = places_->window(word, edges.first - 1) & edges.matchable;
    }
    if (edges.move > 1) {
      const Bits passed = low_bits(edges.move) & ~Bits{1};
      state.value += std::popcount(state.up & passed) - std::popcount(state.down & passed);
    }
    const Bits up = (state.up >> edges.move | edges.beyond) & ~edges.left_edge;
    const Bits less = (state.down >> edges.move & ~edges.beyond) | edges.left_edge;
    const Bits diagonal = (((match & up) + up) ^ up) | match | less;
    const Bits down = less | ~(diagonal | up);
    const Bits gain = up & diagonal;
    const Bits down_before = down << 1 | 1;
    state.up = gain << 1 | ~(diagonal | down_before);
    state.down = down_before & diagonal;
    // Into the first column leads the diagonal if the strip has moved, else only the way down.
    state.value += static_cast<int>((~diagonal | edges.left_edge) & 1);
    return {match, diagonal, down};
  }

  const WordPlaces* places_ = nullptr;
  Bits last_columns_ = 0;
  std::vector<Edges> edges_;
  std::vector<TracedRow> rows_;
};

/// Any beam, cell by cell: for references more than fifty times as long as the hypothesis.
class Cells {
 public:
  using State = std::vector<int>;  // the cells of the beam

  void set(int n_hyp, int n_ref, const Beam& beam, const WordPlaces& places) {
    beam_ = &beam;
    ref_.resize(static_cast<std::size_t>(n_ref));
    for (Word word = 0; word < places.unknown(); ++word) {
      for (const int j : places.of(word)) ref_[static_cast<std::size_t>(j)] = word;
    }
    if (static_cast<int>(operations_.size()) <= n_hyp) operations_.resize(static_cast<std::size_t>(n_hyp) + 1);
  }

  void begin(State& state) const {
    state.resize(ref_.size() + 1);
    for (std::size_t j = 0; j < state.size(); ++j) state[j] = static_cast<int>(j);
  }

  void step(State& state, int i, Word word) {
    advance(state, i, word, [](int, Operation) {});
  }

  void step_traced(State& state, int i, Word word) {
    auto& operations = operations_[static_cast<std::size_t>(i)];
    operations.resize(static_cast<std::size_t>(beam_->end(i) - beam_->first(i)));
    advance(state, i, word, [&](int b, Operation operation) { operations[static_cast<std::size_t>(b)] = operation; });
  }

  int distance(const State& state) const noexcept { return state.back(); }

  Operation operation(int i, int j) const noexcept {
    if (i == 0) return Operation::kInsert;
    return operations_[static_cast<std::size_t>(i)][static_cast<std::size_t>(j - beam_->first(i))];
  }

 private:
  template <class Keep>
  void advance(State& state, int i, Word word, const Keep& keep) {
    constexpr int kNever = std::numeric_limits<int>::max() / 2;
    const int first_above = beam_->first(i - 1), end_above = beam_->end(i - 1);
    const int first = beam_->first(i), end = beam_->end(i);
    const auto above = [&](int j) {
      return j < first_above || j >= end_above ? kNever : state[static_cast<std::size_t>(j - first_above)];
    };
    next_.resize(static_cast<std::size_t>(end - first));
    int before = kNever;
    for (int j = first; j < end; ++j) {
      const bool same = j > 0 && ref_[static_cast<std::size_t>(j) - 1] == word;
      int value = above(j - 1) + (same ? 0 : 1);
      Operation operation = same ? Operation::kMatch : Operation::kSubstitute;
      if (above(j) + 1 < value) {
        value = above(j) + 1;
        operation = Operation::kDelete;
      }
      if (before + 1 < value) {
        value = before + 1;
        operation = Operation::kInsert;
      }
      keep(j - first, operation);
      next_[static_cast<std::size_t>(j - first)] = before = value;
    }
    state.swap(next_);
  }

  const Beam* beam_ = nullptr;
  std::vector<Word> ref_;
  std::vector<int> next_;
  std::vector<std::vector<Operation>> operations_;
};

}  // namespace dragoman::edit
