#pragma once

#include "dragoman/lexical/bags.hpp"

namespace dragoman::lexical {

struct MixtureOptions {
  double lambda = 0.9;  // weight of the document against the whole collection of the queries' language
  double beta = 0.9;    // weight of translations against words that stand in the document as they are
};

/// Numbers of documents and queries, by which those that lie too far apart are left out; none: no limits.
struct Window {
  std::span<const std::int64_t> documents, queries;
  std::int64_t width = 0;
};

/// The best documents of each query, best first, k columns a query; −1 where there are fewer.
struct Hits {
  std::vector<std::int32_t> documents;
  std::vector<float> gains;  // log P(query | document) − log P(query | a document without any of its words)
};

/// Documents of one language that queries of another are looked up in (Jehl, Hieber & Riezler, WMT 2012):
///   P(q | D) = λ [β Σ_d T(q | d) P(d | D) + (1 − β) P(q | D)] + (1 − λ) P(q | C).
/// What a query word gains in a document is computed once and lies in the word's list: a query is a sum over lists.
class TranslatedIndex {
 public:
  /// `translations`: row d has T(q | d); `literal`: by d, the query word that is written alike, or −1; `background`: by
  /// q, P(q | C), where a word with 0 is passed over. Documents may have unknown words, which count in their length.
  TranslatedIndex(const Tokens& documents, const SparseView& translations, std::span<const std::int32_t> literal,
                  std::span<const double> background, const MixtureOptions& options, unsigned n_threads);

  std::size_t n_documents() const noexcept { return n_documents_; }
  std::size_t n_postings() const noexcept { return documents_.size(); }

  Hits search(const Tokens& queries, std::size_t k, const Window& window, unsigned n_threads) const;

 private:
  std::size_t n_documents_;
  std::vector<std::size_t> offsets_;  // by query word
  std::vector<std::int32_t> documents_;
  std::vector<float> gains_;
};

}  // namespace dragoman::lexical
