#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "dragoman/phrase/table.hpp"

namespace dragoman::phrase {

/// How several tables become one.
/// - both: the pairs that all tables have, with the features of all.
/// - either: every pair of every table, once for each that has it; the features of the others are neutral (0, Niehues
/// et
///   al., WMT 2009).
/// - backoff: as either, but a source phrase is taken from the first table that has it alone.
/// - fill_up: every pair with the features of the first table that has it, and for each table but the first a feature
///   that says whether the pair comes from it (Bisazza, Ruiz & Federico, IWSLT 2011).
/// - interpolated: every pair, probabilities being weighted sums (Foster & Kuhn, WMT 2007; Sennrich, EACL 2012).
/// pooled: every pair, with the probabilities that the counts of all tables together give; lexical weights are means of
/// the tables that have the pair, by its counts.
enum class Combination : std::uint8_t { both, either, backoff, fill_up, interpolated, pooled };

/// A table on its way into a combined one.
struct TablePart {
  const PhraseTable* table;
  unsigned n_features;  // its first scores; orientations follow
  // The numbers of its words in the vocabularies of the combined table.
  std::span<const TokenId> source_ids, target_ids;
};

struct CombineOptions {
  Combination mode = Combination::fill_up;
  bool orientation = false;          // six scores behind the features are kept, those of the table a pair is taken from
  bool counts = false;               // the last three scores of every table are counts: they are added up and kept
  bool provenance = false;           // either, backoff: one more feature for each table and one for pairs of several
  unsigned backoff_longest = 0;      // words of a source phrase that later tables may translate; 0: any number
  std::vector<double> weights = {};  // interpolated: for each feature the weight of each table
};

/// The number of features of a combined table.
unsigned n_combined_features(std::span<const TablePart> parts, const CombineOptions& options);

/// One table of several; translations of a phrase are sorted by the third score of their table, p(t|s), best first.
/// Throws data_error for tables or options that do not fit each other.
std::unique_ptr<PhraseTable> combine(std::span<const TablePart> parts, const CombineOptions& options);

/// The features that a table has for each pair of `pairs`, in their order, -inf for those that it lacks. The ids are
/// those of the table's words in the vocabularies of `pairs`.
std::vector<float> scores_of(const TablePart& part, const PhraseTable& pairs);

/// The same phrase pairs with other scores, `n_scores` of each in the table's order; translations of a phrase are
/// sorted anew by the third one, p(t|s). Throws data_error for scores of another number.
std::unique_ptr<PhraseTable> with_scores(const PhraseTable& table, std::span<const float> scores, unsigned n_scores);

}  // namespace dragoman::phrase
