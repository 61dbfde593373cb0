#include "dragoman/lexical/translated_index.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"

namespace dragoman::lexical {

namespace {

struct Posting {
  std::int32_t word, document;
  float gain;
};

/// What the words of a query gain in one document after another.
class Expansion {
 public:
  Expansion(const SparseView& translations, std::span<const std::int32_t> literal, std::span<const double> background,
            const MixtureOptions& options)
      : translations_(translations),
        literal_(literal),
        background_(background),
        options_(options),
        weights_(background.size()) {}

  void add(std::span<const std::int32_t> words, std::int32_t document, std::vector<Posting>& postings) {
    const double share = 1.0 / static_cast<double>(words.size());
    for (const std::int32_t word : words) {
      if (word >= 0) add_word(static_cast<std::size_t>(word), share);
    }
    for (const std::int32_t q : touched_) {
      double& weight = weights_[static_cast<std::size_t>(q)];
      const double rest = (1 - options_.lambda) * background_[static_cast<std::size_t>(q)];
      const auto gain = static_cast<float>(std::log1p(options_.lambda * weight / rest));
      if (gain > 0) postings.push_back({q, document, gain});
      weight = 0;
    }
    touched_.clear();
  }

 private:
  void add_word(std::size_t d, double share) {
    const auto begin = static_cast<std::size_t>(translations_.offsets[d]);
    const auto end = static_cast<std::size_t>(translations_.offsets[d + 1]);
    for (std::size_t at = begin; at < end; ++at) {
      weigh(translations_.columns[at], options_.beta * static_cast<double>(translations_.values[at]) * share);
    }
    if (literal_[d] >= 0) weigh(literal_[d], (1 - options_.beta) * share);
  }

  void weigh(std::int32_t q, double weight) {
    const auto place = static_cast<std::size_t>(q);
    if (weight <= 0 || background_[place] <= 0) return;
    if (weights_[place] == 0) touched_.push_back(q);
    weights_[place] += weight;
  }

  const SparseView& translations_;
  std::span<const std::int32_t> literal_;
  std::span<const double> background_;
  MixtureOptions options_;
  std::vector<double> weights_;  // by query word
  std::vector<std::int32_t> touched_;
};

std::span<const std::int32_t> words_of(const Tokens& tokens, std::size_t sentence) {
  const auto begin = static_cast<std::size_t>(tokens.offsets[sentence]);
  return tokens.ids.subspan(begin, static_cast<std::size_t>(tokens.offsets[sentence + 1]) - begin);
}

void check(const Tokens& documents, const SparseView& translations, std::span<const std::int32_t> literal,
           std::span<const double> background, const MixtureOptions& options) {
  check_rows(translations);
  check_tokens(documents, translations.size());
  if (literal.size() != translations.size()) {
    throw data_error("There are " + std::to_string(translations.size()) + " rows of translations and " +
                     std::to_string(literal.size()) + " words written alike.");
  }
  const auto known = [&](std::int32_t q) { return q < static_cast<std::int32_t>(background.size()); };
  if (!std::ranges::all_of(literal, known) ||
      !std::ranges::all_of(translations.columns, [&](std::int32_t q) { return q >= 0 && known(q); })) {
    throw data_error("A translation is no word of the queries: they have " + std::to_string(background.size()) + ".");
  }
  // With λ = 1 nothing would be left for words that a document cannot explain.
  if (!(options.lambda > 0 && options.lambda < 1) || !(options.beta >= 0 && options.beta <= 1)) {
    throw data_error("lambda lies between 0 and 1, without both, and beta from 0 to 1.");
  }
}

/// Sums of a query's gains, and the best of them.
class Ranking {
 public:
  explicit Ranking(std::size_t n_documents) : sums_(n_documents) {}

  void add(std::span<const std::int32_t> documents, std::span<const float> gains) {
    for (std::size_t at = 0; at < documents.size(); ++at) {
      float& sum = sums_[static_cast<std::size_t>(documents[at])];
      if (sum == 0) touched_.push_back(documents[at]);
      sum += gains[at];
    }
  }

  template <class Allowed>
  void give(std::span<std::int32_t> documents, std::span<float> gains, const Allowed& allowed) {
    std::erase_if(touched_, [&](std::int32_t document) {
      if (allowed(document)) return false;
      sums_[static_cast<std::size_t>(document)] = 0;
      return true;
    });
    const auto better = [&](std::int32_t a, std::int32_t b) {
      const float first = sums_[static_cast<std::size_t>(a)], second = sums_[static_cast<std::size_t>(b)];
      return first > second || (first == second && a < b);
    };
    const std::size_t n = std::min(documents.size(), touched_.size());
    std::partial_sort(touched_.begin(), touched_.begin() + static_cast<std::ptrdiff_t>(n), touched_.end(), better);
    for (std::size_t at = 0; at < n; ++at) {
      documents[at] = touched_[at];
      gains[at] = sums_[static_cast<std::size_t>(touched_[at])];
    }
    for (const std::int32_t document : touched_) sums_[static_cast<std::size_t>(document)] = 0;
    touched_.clear();
  }

 private:
  std::vector<float> sums_;
  std::vector<std::int32_t> touched_;
};

}  // namespace

TranslatedIndex::TranslatedIndex(const Tokens& documents, const SparseView& translations,
                                 std::span<const std::int32_t> literal, std::span<const double> background,
                                 const MixtureOptions& options, unsigned n_threads)
    : n_documents_(documents.size()), offsets_(background.size() + 1) {
  check(documents, translations, literal, background, options);
  std::vector<std::vector<Posting>> parts(std::max(1U, n_threads));
  for_each_chunk(documents.size(), n_threads, [&](Chunk chunk) {
    Expansion expansion(translations, literal, background, options);
    for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
      if (const auto words = words_of(documents, i); !words.empty()) {
        expansion.add(words, static_cast<std::int32_t>(i), parts[chunk.index]);
      }
    }
  });
  for (const auto& part : parts) {
    for (const Posting& posting : part) ++offsets_[static_cast<std::size_t>(posting.word) + 1];
  }
  for (std::size_t q = 1; q < offsets_.size(); ++q) offsets_[q] += offsets_[q - 1];
  documents_.resize(offsets_.back());
  gains_.resize(offsets_.back());
  auto next = offsets_;
  for (const auto& part : parts) {
    for (const Posting& posting : part) {
      const std::size_t place = next[static_cast<std::size_t>(posting.word)]++;
      documents_[place] = posting.document;
      gains_[place] = posting.gain;
    }
  }
}

Hits TranslatedIndex::search(const Tokens& queries, std::size_t k, const Window& window, unsigned n_threads) const {
  check_tokens(queries, offsets_.size() - 1);
  if (!window.documents.empty() &&
      (window.documents.size() != n_documents_ || window.queries.size() != queries.size())) {
    throw data_error("There are " + std::to_string(n_documents_) + " documents and " + std::to_string(queries.size()) +
                     " queries, and numbers of " + std::to_string(window.documents.size()) + " and " +
                     std::to_string(window.queries.size()) + ".");
  }
  Hits hits{std::vector<std::int32_t>(queries.size() * k, -1), std::vector<float>(queries.size() * k)};
  for_each_chunk(queries.size(), n_threads, [&](Chunk chunk) {
    Ranking ranking(n_documents_);
    for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
      for (const std::int32_t q : words_of(queries, i)) {
        if (q < 0) continue;
        const std::size_t begin = offsets_[static_cast<std::size_t>(q)],
                          end = offsets_[static_cast<std::size_t>(q) + 1];
        ranking.add(std::span(documents_).subspan(begin, end - begin), std::span(gains_).subspan(begin, end - begin));
      }
      const auto near = [&](std::int32_t document) {
        if (window.documents.empty()) return true;
        const std::int64_t gap = window.documents[static_cast<std::size_t>(document)] - window.queries[i];
        return gap <= window.width && -gap <= window.width;
      };
      ranking.give(std::span(hits.documents).subspan(i * k, k), std::span(hits.gains).subspan(i * k, k), near);
    }
  });
  return hits;
}

}  // namespace dragoman::lexical
