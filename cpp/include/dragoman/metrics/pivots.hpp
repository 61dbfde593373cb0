#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace dragoman::metrics {

/// Lists laid end to end: list i is [offsets[i], offsets[i + 1]).
struct PivotRuns {
  std::vector<std::int32_t> ids;
  std::vector<std::int64_t> offsets;

  std::size_t size() const { return offsets.size() - 1; }
  std::span<const std::int32_t> operator[](std::size_t i) const;
};

constexpr std::size_t kPivotOrders = 4;
using PivotGram = std::array<std::int32_t, kPivotOrders>;  // tokens of the pivot; −1 behind the last
using PivotBag = std::map<PivotGram, double>;

/// Phrases of a language with their translations in another one, the pivot (Liu, Dahlmeier & Ng, EMNLP 2010, §4).
class PivotTable {
 public:
  /// The phrases rise in the order of their words; translations of phrase i are those from choices[i] to choices[i +
  /// 1]. Throws a data_error where the parts do not fit each other.
  PivotTable(PivotRuns phrases, std::vector<double> counts, std::vector<std::int64_t> choices, PivotRuns translations,
             std::vector<double> p, std::int32_t n_kinds);

  std::size_t size() const { return phrases_.size(); }
  /// Tokens that the pivot has; a word w without a phrase of its own is translated by the token n_kinds() + w.
  std::int32_t n_kinds() const { return n_kinds_; }

  /// The most probable cut of a sentence into phrases, as [begin, end): of equals that of fewest phrases, then that
  /// whose first phrases are longer. Any single word may be a phrase.
  std::vector<std::pair<std::size_t, std::size_t>> cut(std::span<const std::int32_t> words) const;

  /// The n-grams of 1 to `order` tokens of all translations of a sentence, cut so, phrase by phrase, each with its
  /// expected number; those of `least` and less are left out.
  PivotBag bag(std::span<const std::int32_t> words, std::size_t order, double least) const;

 private:
  struct Choice {
    std::span<const std::int32_t> tokens;
    double p;
  };

  std::ptrdiff_t find(std::span<const std::int32_t> words) const;  // −1 where there is no such phrase
  double log_p(std::span<const std::int32_t> words) const;         // −∞ where it may be no phrase

  PivotRuns phrases_;
  std::vector<double> counts_;
  std::vector<std::int64_t> choices_;
  PivotRuns translations_;
  std::vector<double> p_;
  std::int32_t n_kinds_;
  double log_total_;
  std::size_t longest_ = 1;
};

/// What is known of the tokens of a pivot, by their ids.
struct PivotLexicon {
  std::span<const std::int32_t> lemmas, tags;
  std::span<const std::uint8_t> is_function_word;
};

/// For n-grams of 1 to `order` tokens: weight matched by lemmas; by tags; of all n-grams of the one bag; of the other.
/// An n-gram weighs a tenth for each of its function words.
std::vector<double> pivot_row(const PivotBag& ours, const PivotBag& theirs, std::size_t order,
                              const PivotLexicon& lexicon);

}  // namespace dragoman::metrics
