#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "dragoman/phrase/engine.hpp"

namespace dragoman::phrase {

/// Source words [begin, end), or nodes of a lattice.
struct Span {
  std::uint16_t begin = 0;
  std::uint16_t end = 0;

  friend bool operator==(const Span&, const Span&) = default;
};

/// Source text that is not one sequence of words: nodes 0, 1, …, n, each arc leading to a later one. A confusion
/// network is a lattice whose arcs go from one node to the next. Whatever covers all of 0 … n by spans between nodes is
/// a path.
struct Lattice {
  /// A word that is not there: an arc that a path may take without saying anything.
  static constexpr TokenId kNothing = -2;
  static constexpr std::uint16_t kNoPlace = 0xFFFF;

  struct Arc {
    std::uint16_t from, to;
    TokenId word;
    float score = 0;                 // natural logarithm; the first of the engine's given features
    std::uint16_t place = kNoPlace;  // which word of a text it reads: links name it, and not the node
  };

  std::uint16_t n_nodes = 1;
  std::vector<Arc> arcs = {};  // by `from`

  /// Throws data_error that says which arc is wrong: it must lead forward, and every node must lie on a way to the end.
  void check() const;
};

/// A translation of a span that comes from outside: a term, a verbatim span, a guess for an unknown word.
struct Given {
  Span span;
  std::vector<TokenId> words = {};  // numbers behind the target vocabulary are words that no model knows
  std::vector<float> values = {};   // of the engine's given features; fewer: the rest is 0
  bool exclusive = false;           // nothing else may translate words of this span
};

/// What the translation must say. The words so far of every hypothesis agree with it.
struct Target {
  std::vector<TokenId> words = {};
  bool prefix = false;  // free after the words; else exactly these
  /// The word behind the others is one of these: all that begin with the letters that are typed already. Prefixes only.
  std::vector<TokenId> next = {};
  /// The target word that each source word is when it is copied, kNoToken: none.
  std::vector<TokenId> copies = {};
  /// Words that nothing in the tables gives may be inserted and source words left out, each counted as `unknown`
  /// (Wuebker, Hwang & Quirk, WMT 2012: on-demand phrases of forced decoding).
  bool artificial = false;
};

/// What is asked of one sentence beyond its words.
struct Constraints {
  std::vector<Given> given;
  std::vector<std::uint16_t> walls;  // all before such a place is translated before anything behind it
  std::optional<Target> target;
  std::optional<Lattice> lattice;  // in the place of the words

  /// Throws data_error if something does not fit a sentence of so many words, or an engine with so many given features.
  void check(std::size_t n_given, std::size_t n_words) const;
};

}  // namespace dragoman::phrase
