#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/align/bitext.hpp"

namespace dragoman::align {

/// The probability of a pair that never met, and the least of one that did: fast_align's.
inline constexpr float kLeastP = 1e-9F;

/// p(target word | source word), row by row, with a first row for the empty word: the pairs of source word w are
/// [rows[w + 1], rows[w + 2]).
struct TableView {
  std::span<const std::int64_t> rows;
  std::span<const TokenId> targets;
  std::span<const float> p;
};

struct LexicalTable {
  std::vector<std::int64_t> rows;
  std::vector<TokenId> targets;
  std::vector<float> p;

  TableView view() const noexcept { return {rows, targets, p}; }
  std::size_t n_pairs() const noexcept { return targets.size(); }
};

/// Where in a table the token pairs of a bitext stand, found once as training asks for them again and again: of
/// sentence i, for source word s (from 1 on; 0 is the empty word) and target word t, at [s * n_target + t]. Four bytes
/// a pair.
struct Places {
  std::vector<std::size_t> offsets;
  std::vector<std::uint32_t> places;

  std::span<const std::uint32_t> sentence(std::size_t i) const noexcept {
    return std::span(places).subspan(offsets[i], offsets[i + 1] - offsets[i]);
  }
};

/// Those of some sentences, one after the other.
struct PlacesView {
  std::span<const std::size_t> offsets;
  std::span<const std::uint32_t> places;

  PlacesView(const Places& whole)
      : PlacesView(whole, 0, whole.offsets.size() - 1) {}  // NOLINT: a view of what is given
  PlacesView(const Places& whole, std::size_t begin, std::size_t end)
      : offsets(std::span(whole.offsets).subspan(begin, end - begin + 1)), places(whole.places) {}
  PlacesView(std::span<const std::size_t> offsets, std::span<const std::uint32_t> places)
      : offsets(offsets), places(places) {}

  std::span<const std::uint32_t> sentence(std::size_t i) const noexcept {
    return places.subspan(offsets[i], offsets[i + 1] - offsets[i]);
  }
};

/// Where the places of each sentence pair begin, and where the last ones end.
std::vector<std::size_t> place_offsets(const Side& source, const Side& target);

/// The table of all pairs that meet in a bitext, without probabilities, and their places.
LexicalTable collect_pairs(const Side& source, const Side& target, Places& places);

/// The pairs of rows [begin, end) of several tables as rows of one, without probabilities; `places` says where those of
/// each stand in it, one table behind the other. Linear in the pairs.
LexicalTable unite_rows(std::span<const TableView> tables, std::size_t begin, std::size_t end,
                        std::vector<std::uint32_t>& places);

/// The places of the pairs of another bitext; pairs that the table lacks have the place n_pairs().
Places find_places(const TableView& table, const Side& source, const Side& target);

/// Pairs that are worth more than a pair that never met.
LexicalTable without_least(const LexicalTable& table);

/// Pseudo-counts by pair, and how the probabilities come from counts.
struct Estimation {
  double alpha = 0;  // variational Bayes: pseudo-count of every pair (Dyer et al. 2013); 0: maximum likelihood
  std::span<const float> prior;  // pseudo-count by pair, or none
};

// Posteriors are summed as whole multiples of 2^-30: sums of whole numbers do not depend on their order, so neither do
// results on the number of threads or the order of the sentences. 2^33 tokens of one pair fit.
inline constexpr double kUnit = 1073741824.0;

/// Expected counts, in units, to probabilities.
void estimate(LexicalTable& table, std::span<const std::uint64_t> counts, const Estimation& how, unsigned n_threads);

/// Pseudo-counts for pairs of words, as they stand in a table. Pairs that it lacks are left out.
struct PairWeights {
  std::span<const TokenId> sources, targets;
  std::span<const float> weights;
};
std::vector<float> place_weights(const TableView& table, const PairWeights& pairs);

/// exp(ψ(x)) for x > 0, relative error below 1e-9: what a count becomes in variational Bayes.
double exp_digamma(double x) noexcept;

}  // namespace dragoman::align
