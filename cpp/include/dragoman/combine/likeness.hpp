#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/combine/network.hpp"

namespace dragoman::combine {

/// Lists laid end to end: list i is [offsets[i], offsets[i + 1]).
template <class T>
struct Rows {
  std::span<const T> values;
  std::span<const std::int64_t> offsets;

  std::size_t size() const noexcept { return offsets.empty() ? 0 : offsets.size() - 1; }
  std::span<const T> operator[](std::size_t i) const noexcept {
    return values.subspan(static_cast<std::size_t>(offsets[i]), static_cast<std::size_t>(offsets[i + 1] - offsets[i]));
  }
};

/// What is known of the words of all systems, by their numbers.
struct WordFacts {
  std::span<const std::int32_t> stems;  // words with one stem are forms of each other
  Rows<std::int32_t> kin;               // sorted numbers of meanings; words that share one are synonyms
  Rows<std::int32_t> letters;           // spelling
  /// By source word, its translations by number, and how probable they are in both directions; empty: not known.
  Rows<std::int32_t> translations;
  std::span<const float> p_target;  // p(word | source word)
  std::span<const float> p_source;  // p(source word | word)
};

struct LikenessOptions {
  double stem_cost = 0.2;  // of replacing a word by another form of it; by an unlike word it is 1
  double kin_cost = 0.2;   // of replacing it by a synonym; 1: synonyms are words like any others
  double semantic = 0.3;   // α, the share of meaning, by way of the source, in how alike two words are
  double surface = 3;      // ρ, how fast likeness falls with spelling
};

/// How alike the words of one sentence's translations are. Words are numbered anew, from 0, while the sentence lasts.
class Likeness {
 public:
  Likeness(const WordFacts& facts, const LikenessOptions& options) : facts_(facts), options_(options) {}

  /// Look at another sentence: the words of all its translations.
  void open(std::span<const Word> words);

  Word local(Word word) const;
  Word global(Word local) const { return types_[static_cast<std::size_t>(local)]; }
  std::size_t size() const noexcept { return types_.size(); }
  /// Of replacing one word by another, 0 to 1.
  float cost(Word a, Word b) const { return costs_[at(a, b)]; }
  /// How probable `b` is where `a` stands in another translation (He et al., EMNLP 2008).
  float p(Word a, Word b) const { return p_[at(a, b)]; }
  /// For aligners that ask for probabilities, which take the time of all pairs of spellings. `source`: its words, if
  /// known.
  void compute_p(std::span<const std::int32_t> source);

 private:
  std::size_t at(Word a, Word b) const {
    return static_cast<std::size_t>(a) * types_.size() + static_cast<std::size_t>(b);
  }
  float cost_of(Word a, Word b) const;
  double surface_of(Word a, Word b) const;
  std::vector<double> semantics(std::span<const std::int32_t> source) const;

  WordFacts facts_;
  LikenessOptions options_;
  std::vector<Word> types_;
  std::vector<float> costs_, p_;
};

}  // namespace dragoman::combine
