#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dragoman/morph/description.hpp"
#include "dragoman/morph/parts.hpp"
#include "dragoman/text/word_table.hpp"

namespace dragoman::morph {

/// The letters of a word: its grapheme clusters, as numbers and as bytes.
struct Spelling {
  std::vector<Letter> letters;
  std::vector<std::uint32_t> ends;  // of each letter, in bytes of the word
};

/// Cuts words into the morphs of a lexicon: the most probable ones, found by Viterbi's search.
class Segmenter {
 public:
  /// Morphs with their counts, in so many words. Throws data_error at an empty or repeated morph, a count below 1, and
  /// where there are more words than morphs in them.
  Segmenter(std::span<const std::string_view> morphs, std::span<const std::int64_t> counts, std::int64_t n_words);

  /// What the description of the words and of the lexicon is made of.
  const Sums& sums() const noexcept { return sums_; }
  /// −ln p of every morph.
  std::span<const double> costs() const noexcept { return costs_; }

  /// Room for `cut`, so that a batch of words needs it once.
  struct Scratch {
    Spelling spelling;
    struct Best {
      std::uint32_t unknown;  // letters that no morph covers
      double cost;
      std::uint32_t from;
      bool is_known;
    };
    std::vector<Best> best;
  };

  /// The ends of a word's morphs in bytes, to `ends`: first as few letters as can be that no morph covers, then the
  /// lowest cost. Uncovered letters that are neighbours stay together. Time: letters times the longest morph.
  void cut(std::string_view word, Scratch& scratch, std::vector<std::uint32_t>& ends) const;

  /// Lines with the morphs of their words, single spaces between; `mark` stands before the first of each word.
  std::vector<std::string> cut_lines(std::span<const std::string_view> lines, std::string_view mark,
                                     unsigned n_threads) const;

 private:
  /// A node of the tree of all morphs' letters; its children follow each other in `edges_`.
  struct Node {
    std::uint32_t first_edge = 0;
    std::uint32_t n_edges = 0;
    std::int32_t morph = -1;
  };
  struct Edge {
    Letter letter;
    std::uint32_t node;
  };

  const Node* child(const Node& node, Letter letter) const noexcept;
  void spell(std::string_view word, Spelling& out) const;

  text::WordTable alphabet_;
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  std::vector<double> costs_;
  Sums sums_;
};

}  // namespace dragoman::morph
