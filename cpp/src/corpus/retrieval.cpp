#include "dragoman/corpus/retrieval.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"

namespace dragoman::corpus {

namespace {

// Sums of floats in another order differ in the last places; a candidate is given up only with this much to spare.
constexpr float kSlack = 1.0F + 1e-5F;

void check(const TokenRows& rows, const char* what) {
  const auto fail = [&](const std::string& why) { throw data_error(std::string(what) + ": " + why); };
  if (rows.offsets.empty() || rows.offsets.front() != 0 ||
      rows.offsets.back() != static_cast<std::int64_t>(rows.ids.size()) || !std::ranges::is_sorted(rows.offsets)) {
    fail("the offsets must ascend from 0 to the number of tokens.");
  }
  if (!rows.weights.empty() && rows.weights.size() != rows.ids.size()) fail("there must be one weight for each token.");
  if (!std::ranges::all_of(rows.weights, [](float w) { return w >= 0.0F && std::isfinite(w); })) {
    fail("a weight must be a finite number of at least 0.");
  }
}

}  // namespace

InvertedIndex::InvertedIndex(const TokenRows& documents, std::int32_t n_terms, const RetrievalOptions& options,
                             unsigned n_threads)
    : options_(options), n_documents_(static_cast<std::int64_t>(documents.offsets.size()) - 1) {
  check(documents, "documents");
  if (!documents.weights.empty()) throw data_error("documents: their tokens have no weights.");
  const auto n = static_cast<std::size_t>(std::max(n_terms, 0));
  std::vector<std::int32_t> last(n, -1);  // document that had the term last
  starts_.assign(n + 1, 0);
  for (std::size_t d = 0; d < documents.size(); ++d) {
    for (auto at = documents.offsets[d]; at < documents.offsets[d + 1]; ++at) {
      const TokenId id = documents.ids[static_cast<std::size_t>(at)];
      if (id < 0 || static_cast<std::size_t>(id) >= n) {
        throw data_error("document " + std::to_string(d) + " has the term " + std::to_string(id) + " of " +
                         std::to_string(n));
      }
      if (last[static_cast<std::size_t>(id)] == static_cast<std::int32_t>(d)) continue;
      last[static_cast<std::size_t>(id)] = static_cast<std::int32_t>(d);
      ++starts_[static_cast<std::size_t>(id) + 1];
    }
  }
  for (std::size_t term = 0; term < n; ++term) starts_[term + 1] += starts_[term];
  documents_.resize(static_cast<std::size_t>(starts_.back()));
  impacts_.assign(documents_.size(), 0.0F);
  std::vector<std::int64_t> next(starts_.begin(), starts_.end() - 1);
  for (std::size_t d = 0; d < documents.size(); ++d) {
    for (auto at = documents.offsets[d]; at < documents.offsets[d + 1]; ++at) {
      const auto term = static_cast<std::size_t>(documents.ids[static_cast<std::size_t>(at)]);
      const bool again = next[term] > starts_[term] &&
                         documents_[static_cast<std::size_t>(next[term] - 1)] == static_cast<std::int32_t>(d);
      if (!again) documents_[static_cast<std::size_t>(next[term]++)] = static_cast<std::int32_t>(d);
      impacts_[static_cast<std::size_t>(next[term] - 1)] += 1.0F;
    }
  }
  weigh(documents, n_threads);
}

double InvertedIndex::idf(std::size_t term) const {
  const auto n = static_cast<double>(n_documents_);
  const auto df = static_cast<double>(starts_[term + 1] - starts_[term]);
  switch (options_.weighting) {
    case Weighting::kBm25:
      return std::log1p((n - df + 0.5) / (df + 0.5));
    case Weighting::kClassic:
      return 1.0 + std::log(n / (df + 1.0));
    case Weighting::kCosine:
      return std::log1p(n / df);
  }
  throw std::logic_error("a weighting without idf");
}

void InvertedIndex::weigh(const TokenRows& documents, unsigned n_threads) {
  const std::size_t n_terms = starts_.size() - 1;
  // What divides a document's weights: its length as the weighting wants it.
  std::vector<double> lengths(documents.size(), 0.0);
  if (options_.weighting == Weighting::kCosine) {
    for (std::size_t term = 0; term < n_terms; ++term) {
      for (auto at = static_cast<std::size_t>(starts_[term]); at < static_cast<std::size_t>(starts_[term + 1]); ++at) {
        const double part = (1.0 + std::log(static_cast<double>(impacts_[at]))) * idf(term);
        lengths[static_cast<std::size_t>(documents_[at])] += part * part;
      }
    }
    for (double& length : lengths) length = std::sqrt(length);
  } else {
    const double mean = static_cast<double>(documents.ids.size()) / std::max<double>(1.0, documents.size());
    for (std::size_t d = 0; d < documents.size(); ++d) {
      const auto length = static_cast<double>(documents.offsets[d + 1] - documents.offsets[d]);
      lengths[d] = options_.weighting == Weighting::kClassic
                       ? std::sqrt(length)
                       : options_.k1 * (1.0 - options_.b + options_.b * length / std::max(mean, 1e-300));
    }
  }
  most_.assign(n_terms, 0.0F);
  for_each_chunk(n_terms, n_threads, [&](Chunk chunk) {
    for (std::size_t term = chunk.begin; term < chunk.end; ++term) {
      const double rarity = starts_[term] == starts_[term + 1] ? 0.0 : idf(term);
      for (auto at = static_cast<std::size_t>(starts_[term]); at < static_cast<std::size_t>(starts_[term + 1]); ++at) {
        const auto tf = static_cast<double>(impacts_[at]);
        const double length = lengths[static_cast<std::size_t>(documents_[at])];
        double weight = 0.0;
        switch (options_.weighting) {
          case Weighting::kBm25:
            weight = rarity * tf / (tf + length);
            break;
          case Weighting::kClassic:
            weight = std::sqrt(tf) * rarity * rarity / length;
            break;
          case Weighting::kCosine:
            weight = (1.0 + std::log(tf)) * rarity / length;
            break;
        }
        impacts_[at] = static_cast<float>(weight);
        most_[term] = std::max(most_[term], impacts_[at]);
      }
    }
  });
}

InvertedIndex::Query InvertedIndex::read(const TokenRows& queries, std::size_t row) const {
  const std::size_t known = most_.size();
  std::vector<std::pair<TokenId, float>> counts;
  for (auto at = queries.offsets[row]; at < queries.offsets[row + 1]; ++at) {
    const auto place = static_cast<std::size_t>(at);
    counts.emplace_back(queries.ids[place], queries.weights.empty() ? 1.0F : queries.weights[place]);
  }
  std::ranges::stable_sort(counts, {}, &std::pair<TokenId, float>::first);
  Query query;
  double norm = 0.0;
  for (std::size_t at = 0; at < counts.size();) {
    const TokenId id = counts[at].first;
    float weight = 0.0F;
    for (; at < counts.size() && counts[at].first == id; ++at) weight += counts[at].second;
    ++query.n_terms;
    const bool met = id >= 0 && static_cast<std::size_t>(id) < known && most_[static_cast<std::size_t>(id)] > 0.0F;
    if (!met || weight <= 0.0F) continue;
    const double rarity = idf(static_cast<std::size_t>(id));
    if (options_.weighting == Weighting::kCosine) weight *= static_cast<float>(rarity);
    norm += options_.weighting == Weighting::kCosine ? static_cast<double>(weight) * weight : rarity * rarity;
    query.terms.push_back({id, weight, weight * most_[static_cast<std::size_t>(id)]});
  }
  std::ranges::stable_sort(query.terms, [](const Term& a, const Term& b) { return a.most > b.most; });
  if (options_.weighting != Weighting::kBm25 && norm > 0.0) query.scale = static_cast<float>(1.0 / std::sqrt(norm));
  return query;
}

/// One thread's work space: the scores of documents [begin, end), of which those that were touched are set back to 0.
class InvertedIndex::Search {
 public:
  Search(const InvertedIndex& index, std::size_t begin, std::size_t end)
      : index_(index), begin_(begin), end_(end), sums_(end - begin, 0.0F) {
    if (index.options_.weighting == Weighting::kClassic) met_.assign(end - begin, 0);
  }

  /// Call `use(document, score)` for the documents that a term of the query touches.
  template <class Use>
  void for_each_touched(const Query& query, const Use& use) {
    touched_.clear();
    for (const Term& term : query.terms) add(term);
    for (const std::int32_t d : touched_) use(d, score(query, d));
    clear();
  }

  /// The k best of all documents.
  template <class Use>
  void best(const Query& query, std::size_t k, const Use& use) {
    touched_.clear();
    float left = 0.0F;  // what the terms that have not been read can give
    for (const Term& term : query.terms) left += term.most;
    std::size_t next = 0;
    for (; next < query.terms.size(); ++next) {
      if (met_.empty() && is_decided(query.terms[next], k, left)) break;
      add(query.terms[next]);
      left -= query.terms[next].most;
    }
    candidates_ = touched_;
    if (next < query.terms.size()) std::ranges::sort(candidates_);
    for (; next < query.terms.size(); ++next) {
      narrow(k, left);
      add_to_candidates(query.terms[next]);
      left -= query.terms[next].most;
    }
    const auto better = [&](std::int32_t a, std::int32_t b) {
      const float first = score(query, a), second = score(query, b);
      return first > second || (first == second && a < b);
    };
    const auto end = candidates_.begin() + static_cast<std::ptrdiff_t>(std::min(k, candidates_.size()));
    if (candidates_.size() > k) std::nth_element(candidates_.begin(), end, candidates_.end(), better);
    std::sort(candidates_.begin(), end, better);
    for (auto at = candidates_.begin(); at != end; ++at) use(*at, score(query, *at));
    clear();
  }

 private:
  float& sum(std::int32_t d) { return sums_[static_cast<std::size_t>(d) - begin_]; }

  float score(const Query& query, std::int32_t d) {
    const float whole = sum(d) * query.scale;
    if (met_.empty()) return whole;
    return whole * static_cast<float>(met_[static_cast<std::size_t>(d) - begin_]) / static_cast<float>(query.n_terms);
  }

  std::span<const std::int32_t> postings(const Term& term, std::size_t& first) const {
    const auto id = static_cast<std::size_t>(term.id);
    const std::int32_t* const all = index_.documents_.data();
    const std::int32_t* from = all + index_.starts_[id];
    const std::int32_t* to = all + index_.starts_[id + 1];
    if (begin_ > 0) from = std::lower_bound(from, to, static_cast<std::int32_t>(begin_));
    const bool whole = end_ == static_cast<std::size_t>(index_.n_documents_);
    if (!whole) to = std::lower_bound(from, to, static_cast<std::int32_t>(end_));
    first = static_cast<std::size_t>(from - all);
    return {from, to};
  }

  void add(const Term& term) {
    std::size_t at = 0;
    for (const std::int32_t d : postings(term, at)) {
      float& total = sum(d);
      if (total == 0.0F) touched_.push_back(d);
      total += term.weight * index_.impacts_[at++];
      highest_ = std::max(highest_, total);
      if (!met_.empty()) ++met_[static_cast<std::size_t>(d) - begin_];
    }
  }

  /// No document that was not touched can come among the best. Looked at only before a list that is worth it.
  bool is_decided(const Term& term, std::size_t k, float left) {
    const auto id = static_cast<std::size_t>(term.id);
    const auto n_postings = static_cast<std::size_t>(index_.starts_[id + 1] - index_.starts_[id]);
    return touched_.size() >= k && n_postings > touched_.size() / 4 && highest_ > left * kSlack &&
           bar(touched_, k) > left * kSlack;
  }

  /// The k-th best sum so far, which can but grow.
  float bar(const std::vector<std::int32_t>& documents, std::size_t k) {
    values_.clear();
    for (const std::int32_t d : documents) values_.push_back(sum(d));
    const auto place = values_.begin() + static_cast<std::ptrdiff_t>(k - 1);
    std::nth_element(values_.begin(), place, values_.end(), std::greater<>());
    return *place;
  }

  void narrow(std::size_t k, float left) {
    if (candidates_.size() <= k) return;
    const float least = bar(candidates_, k);
    std::erase_if(candidates_, [&](std::int32_t d) { return (sum(d) + left) * kSlack < least; });
  }

  void add_to_candidates(const Term& term) {
    std::size_t first = 0;
    const auto list = postings(term, first);
    if (candidates_.size() * 16 > list.size()) {  // reading the list is cheaper than searching it
      for (std::size_t at = 0; at < list.size(); ++at) {
        float& total = sum(list[at]);
        if (total != 0.0F) total += term.weight * index_.impacts_[first + at];
      }
      return;
    }
    auto from = list.begin();
    for (const std::int32_t d : candidates_) {
      from = std::lower_bound(from, list.end(), d);
      if (from == list.end()) return;
      if (*from == d) sum(d) += term.weight * index_.impacts_[first + static_cast<std::size_t>(from - list.begin())];
    }
  }

  void clear() {
    highest_ = 0.0F;
    for (const std::int32_t d : touched_) {
      sum(d) = 0.0F;
      if (!met_.empty()) met_[static_cast<std::size_t>(d) - begin_] = 0;
    }
  }

  const InvertedIndex& index_;
  std::size_t begin_;
  std::size_t end_;
  float highest_ = 0.0F;  // of the sums
  std::vector<float> sums_;
  std::vector<std::uint16_t> met_;  // terms of the query that a document has, where that counts
  std::vector<std::int32_t> touched_;
  std::vector<std::int32_t> candidates_;
  std::vector<float> values_;
};

Hits InvertedIndex::best(const TokenRows& queries, std::int32_t k, unsigned n_threads) const {
  check(queries, "queries");
  if (k < 1) throw data_error("At least one document is asked for, got " + std::to_string(k) + ".");
  const auto width = static_cast<std::size_t>(k);
  Hits hits{std::vector<std::int32_t>(queries.size() * width, -1), std::vector<float>(queries.size() * width, 0.0F)};
  for_each_chunk(queries.size(), n_threads, [&](Chunk chunk) {
    Search search(*this, 0, static_cast<std::size_t>(n_documents_));
    for (std::size_t row = chunk.begin; row < chunk.end; ++row) {
      std::size_t place = row * width;
      search.best(read(queries, row), width, [&](std::int32_t document, float score) {
        hits.documents[place] = document;
        hits.scores[place++] = score;
      });
    }
  });
  return hits;
}

std::vector<double> InvertedIndex::sums(const TokenRows& queries, unsigned n_threads) const {
  check(queries, "queries");
  std::vector<double> totals(static_cast<std::size_t>(n_documents_), 0.0);
  for_each_chunk(totals.size(), n_threads, [&](Chunk chunk) {
    Search search(*this, chunk.begin, chunk.end);
    for (std::size_t row = 0; row < queries.size(); ++row) {
      search.for_each_touched(read(queries, row), [&](std::int32_t document, float score) {
        totals[static_cast<std::size_t>(document)] += static_cast<double>(score);
      });
    }
  });
  return totals;
}

}  // namespace dragoman::corpus
