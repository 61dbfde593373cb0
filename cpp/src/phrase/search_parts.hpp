#pragma once

#include "coverage.hpp"
#include "dragoman/phrase/search.hpp"
#include "language_states.hpp"

namespace dragoman::phrase {

/// All hypotheses of one coverage, times all options of one span: a cube with two sides.
struct Search::Edge {
  std::span<const Hypothesis* const> hypotheses;  // best first
  std::span<const Option* const> options;         // best first
  const Coverage* after;
};

/// A place in a cube that is worth a look.
struct Search::Cell {
  float promise;  // a guess, until the language models are asked
  float score;    // without language models, until then
  Edge* edge;
  std::uint32_t hypothesis, option;
  std::uint32_t lm;  // states behind it; kUnscored: not asked yet
  static constexpr std::uint32_t kUnscored = 0xFFFFFFFF;
};

/// A cell in the heap.
struct Search::Place {
  float promise;
  std::uint32_t cell;
  friend bool operator<(const Place& a, const Place& b) noexcept { return a.promise < b.promise; }
};

/// A hypothesis with what brings it to those that share their cubes.
struct Search::Ordered {
  std::uint64_t group;       // coverage, end of the last phrase
  std::uint64_t constraint;  // words of the target said, stack of blocks
  float score;
  std::uint32_t number;
  Hypothesis* hypothesis;
};

/// The hypotheses that cover equally many words.
struct Search::Stack {
  std::vector<Hypothesis*> hypotheses;
  std::vector<const Hypothesis*> ordered;
  std::vector<Hypothesis*> slots;  // by what continuations can tell apart; open addressing
  std::vector<Edge*> edges;

  void clear() {
    hypotheses.clear();
    ordered.clear();
    slots.assign(256, nullptr);
    edges.clear();
  }
};

inline Span last_span(const Hypothesis& hypothesis) { return hypothesis.option ? hypothesis.option->span : Span{0, 0}; }

}  // namespace dragoman::phrase
