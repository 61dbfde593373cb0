#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/text/word_table.hpp"

namespace dragoman::corpus {

using text::TokenId;

/// How a term that a document has weighs for it.
enum class Weighting : std::uint8_t {
  /// idf·tf / (tf + k1·(1 − b + b·length/mean)), idf = ln(1 + (N − df + ½)/(df + ½)) (Robertson; as in Lucene)
  kBm25,
  /// √tf·idf²/√length, idf = 1 + ln(N/(df + 1)), times the share of the query's terms that are met (Lucene's classic)
  kClassic,
  /// (1 + ln tf)·idf through the length of that vector, on both sides; idf = ln(1 + N/df)
  kCosine,
};

struct RetrievalOptions {
  Weighting weighting = Weighting::kBm25;
  double k1 = 1.2;  ///< how soon further occurrences of a term stop to count (bm25)
  double b = 0.75;  ///< how much long documents are held back, 0 to 1 (bm25)
};

/// Rows of tokens: those of row i are ids[offsets[i], offsets[i + 1]). `weights` is empty, or says for each token how
/// much it counts (at least 0; 1 without).
struct TokenRows {
  std::span<const TokenId> ids;
  std::span<const std::int64_t> offsets;
  std::span<const float> weights = {};

  std::size_t size() const noexcept { return offsets.size() - 1; }
};

/// The `k` best documents of each query, best first, the earlier one first among equals; what is not met is −1 and 0.
struct Hits {
  std::vector<std::int32_t> documents;  // queries × k
  std::vector<float> scores;
};

/// Documents by their terms, with what each term weighs in each. Terms of a query that no document has count for
/// nothing (but as terms not met). Nothing depends on the number of threads.
class InvertedIndex {
 public:
  /// Linear in the tokens; eight bytes for each different term of each document. Throws data_error where ids are not
  /// [0, n_terms) or offsets do not fit.
  InvertedIndex(const TokenRows& documents, std::int32_t n_terms, const RetrievalOptions& options, unsigned n_threads);

  std::int64_t n_documents() const noexcept { return n_documents_; }
  std::int64_t n_postings() const noexcept { return static_cast<std::int64_t>(documents_.size()); }

  /// The best of all documents, exactly: lists of common terms are searched for candidates alone as soon as the terms
  /// that are left cannot lift another document into the best (Turtle & Flood 1995).
  Hits best(const TokenRows& queries, std::int32_t k, unsigned n_threads) const;

  /// What the scores of each document for all queries add up to. Threads share out the documents.
  std::vector<double> sums(const TokenRows& queries, unsigned n_threads) const;

 private:
  struct Term {
    TokenId id;
    float weight;
    float most;  // that it can give a document
  };
  struct Query {
    std::vector<Term> terms;  // which documents have, by what they can give, the most first
    float scale = 1.0F;       // of every score
    std::size_t n_terms = 0;  // different ones, met or not
  };
  class Search;

  Query read(const TokenRows& queries, std::size_t row) const;
  void weigh(const TokenRows& documents, unsigned n_threads);
  double idf(std::size_t term) const;

  RetrievalOptions options_;
  std::int64_t n_documents_;
  std::vector<std::int64_t> starts_;     // of each term's postings, and their end
  std::vector<std::int32_t> documents_;  // of postings, ascending within a term
  std::vector<float> impacts_;           // of postings: the term's frequency while counting, then its weight
  std::vector<float> most_;              // weight of each term
};

}  // namespace dragoman::corpus
