#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/combine/likeness.hpp"
#include "dragoman/combine/network.hpp"

namespace dragoman::combine {

/// What turning the words of a translation into a path through a network costs.
struct EditTable {
  std::size_t n_words = 0, n_links = 0;
  std::vector<float> replace;          // (words, links): by the link's word that is most alike
  std::vector<float> skip;             // by link: the share of systems that have a word there
  static constexpr float kInsert = 1;  // a word in a link of its own

  float of(std::size_t word, std::size_t link) const { return replace[word * n_links + link]; }
};

/// Words of `hyp` and of the network are numbers of the likeness.
EditTable edit_table(const Network& network, std::span<const Word> hyp, const Likeness& likeness);

/// A word of the translation, by its place there, and the link that it stands in; in the order of the links.
struct Step {
  std::int32_t word;
  std::int32_t link;  // Network::kNewLink
};
using Steps = std::vector<Step>;

/// The least cost with words in their order.
float edit_distance(const EditTable& table);

struct ShiftOptions {
  double cost = 1;         // of moving a block of words
  unsigned longest = 10;   // words of a block
  unsigned farthest = 50;  // words that it jumps over
  bool all_alike = false;  // every word of a block must be like what it comes to, as in TERp; else the first and last
};

/// As the translation edit rate does: the block whose move lowers the cost most is moved, until none does.
Steps align_by_shifts(const EditTable& table, const ShiftOptions& options);

struct HmmOptions {
  double jump = 2;      // κ: a jump by d links has the weight (1 + |d − 1|)^−κ
  double p_null = 0.2;  // of a word that no link has
};

/// The best way of a hidden Markov model whose states are the links (Li et al., ACL 2009): its probabilities are not
/// learnt but put together from likeness and distance. A link takes one word, the likeliest.
Steps align_by_hmm(const Network& network, std::span<const Word> hyp, const Likeness& likeness,
                   const HmmOptions& options);

struct ItgOptions {
  double inversion = 1;            // cost of putting two neighbouring blocks in the other order
  std::size_t most_items = 20000;  // looked at before giving up; 0: however many it takes
};

struct ItgAlignment {
  Steps steps;
  float cost = 0;
  std::size_t n_items = 0;  // taken from the agenda
  bool complete = true;     // false: given up; there are no steps
};

/// The least cost with nested inversions of blocks, invWER (Leusch, Ueffing & Ney, 2003), by best-first search: what is
/// still to come costs at least as much as words and links in any order would.
ItgAlignment align_by_inversions(const EditTable& table, const ItgOptions& options);

/// Steps from the link of each word, or kNewLink: a word without one follows its left neighbour.
Steps steps_of(std::span<const std::int32_t> links);

}  // namespace dragoman::combine
