#include "dragoman/lexical/word_lexicon.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"

namespace dragoman::lexical {

namespace {

constexpr std::size_t kFewestDrawn = 100;  // sentences without a word, however rare it is
constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

/// One word's model: rows are sentences, with or without the word; columns are the source words that may speak for it.
class WordModel {
 public:
  WordModel(const Bags& sources, const LexiconOptions& options)
      : sources_(sources), options_(options), column_of_(static_cast<std::size_t>(sources.n_words()), -1) {}

  float fit(std::span<const std::uint32_t> with, CounterStream chance, std::vector<std::int32_t>& words,
            std::vector<float>& weights) {
    take_rows(with, chance);
    take_columns();
    descend();
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      if (lambda_[j] == 0) continue;
      words.push_back(columns_[j]);
      weights.push_back(static_cast<float>(lambda_[j]));
    }
    for (const auto word : columns_) column_of_[static_cast<std::size_t>(word)] = -1;
    return static_cast<float>(bias_);
  }

 private:
  void take_rows(std::span<const std::uint32_t> with, CounterStream chance) {
    rows_.clear();
    const std::size_t n = sources_.size(), without = n - with.size();
    n_with_ = options_.most > 0 ? std::min(with.size(), static_cast<std::size_t>(options_.most)) : with.size();
    for (std::size_t i = 0; i < n_with_; ++i) rows_.push_back(with[with.size() * i / n_with_]);
    const auto wished =
        options_.negatives > 0
            ? std::max(kFewestDrawn,
                       static_cast<std::size_t>(std::ceil(options_.negatives * static_cast<double>(n_with_))))
            : without;
    if (wished >= without) {
      auto next = with.begin();
      for (std::uint32_t s = 0; s < n; ++s) {
        if (next != with.end() && *next == s) {
          ++next;
        } else {
          rows_.push_back(s);
        }
      }
    } else {
      for (std::uint64_t drawn = 0; rows_.size() < n_with_ + wished; ++drawn) {
        const auto s = chance.below(drawn, static_cast<std::uint32_t>(n));
        if (!std::binary_search(with.begin(), with.end(), s)) rows_.push_back(s);
      }
    }
    const std::size_t n_without = rows_.size() - n_with_;
    cost_with_ = static_cast<double>(with.size()) / static_cast<double>(n_with_);
    cost_without_ = n_without ? static_cast<double>(without) / static_cast<double>(n_without) : 0.0;
  }

  void take_columns() {
    columns_.clear();
    const std::size_t looked = options_.pairs > 0 ? n_with_ : rows_.size();
    counts_.clear();
    for (std::size_t r = 0; r < looked; ++r) {
      for (const auto word : sources_[rows_[r]]) {
        auto& at = column_of_[static_cast<std::size_t>(word)];
        if (at < 0) {
          at = static_cast<std::int32_t>(columns_.size());
          columns_.push_back(word);
          counts_.push_back(0);
        }
        ++counts_[static_cast<std::size_t>(at)];
      }
    }
    std::vector<std::int32_t> kept;
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      column_of_[static_cast<std::size_t>(columns_[j])] = -1;
      if (counts_[j] >= options_.pairs) kept.push_back(columns_[j]);
    }
    std::sort(kept.begin(), kept.end());
    columns_ = std::move(kept);
    for (std::size_t j = 0; j < columns_.size(); ++j)
      column_of_[static_cast<std::size_t>(columns_[j])] = static_cast<std::int32_t>(j);
    starts_.assign(columns_.size() + 1, 0);
    each_entry([&](std::size_t, std::size_t j) { ++starts_[j + 1]; });
    for (std::size_t j = 0; j < columns_.size(); ++j) starts_[j + 1] += starts_[j];
    entries_.resize(starts_.back());
    auto next = starts_;
    each_entry([&](std::size_t r, std::size_t j) { entries_[next[j]++] = static_cast<std::uint32_t>(r); });
  }

  template <class Use>
  void each_entry(const Use& use) const {
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      for (const auto word : sources_[rows_[r]]) {
        const auto j = column_of_[static_cast<std::size_t>(word)];
        if (j >= 0) use(r, static_cast<std::size_t>(j));
      }
    }
  }

  void descend() {
    lambda_.assign(columns_.size(), 0.0);
    reach_.assign(columns_.size() + 1, 1.0);
    const double with = cost_with_ * static_cast<double>(n_with_);
    const double without = cost_without_ * static_cast<double>(rows_.size() - n_with_);
    // Half a sentence of either kind keeps the bias of a word that all sentences have finite.
    bias_ = std::log((with + 0.5) / (without + 0.5));
    odds_.assign(rows_.size(), std::exp(bias_));
    for (int round = 0; round < options_.rounds; ++round) {
      double moved = rows_.size() > n_with_ ? step_bias() : 0.0;
      for (std::size_t j = 0; j < columns_.size(); ++j) moved = std::max(moved, step(j));
      if (moved < options_.tolerance) break;
    }
  }

  /// First derivative and a bound of the second within the reach, of rows' losses.
  template <class Rows>
  std::pair<double, double> slopes(double reach, const Rows& rows) const {
    const double far = std::exp(reach);
    double gradient = 0, curvature = 0;
    rows([&](std::size_t r) {
      const double odds = odds_[r], cost = r < n_with_ ? cost_with_ : cost_without_;
      // odds / (1 + odds) − 1 = −1 / (1 + odds)
      gradient += cost * (r < n_with_ ? -1.0 : odds) / (1.0 + odds);
      const double away = odds < 1 ? 1.0 / odds : odds;
      curvature += cost * (away <= far ? 0.25 : 1.0 / (2.0 + away / far + far / away));
    });
    return {gradient, curvature};
  }

  double bounded(double step, double& reach) const {
    const double taken = std::clamp(step, -reach, reach);
    reach = std::max(2 * std::abs(taken), reach / 2);
    return taken;
  }

  double step_bias() {
    const auto all = [&](const auto& use) {
      for (std::size_t r = 0; r < rows_.size(); ++r) use(r);
    };
    double& reach = reach_.back();
    const auto [gradient, curvature] = slopes(reach, all);
    const double taken = bounded(-gradient / std::max(curvature, 1e-12), reach);
    bias_ += taken;
    const double factor = std::exp(taken);
    for (auto& odds : odds_) odds *= factor;
    return std::abs(taken);
  }

  double step(std::size_t j) {
    const auto column = [&](const auto& use) {
      for (std::size_t at = starts_[j]; at < starts_[j + 1]; ++at) use(entries_[at]);
    };
    double& reach = reach_[j];
    auto [gradient, curvature] = slopes(reach, column);
    const double before = lambda_[j];
    gradient += options_.l2 * before;
    curvature = std::max(curvature + options_.l2, 1e-12);
    double wished;
    if (gradient + options_.l1 <= curvature * before) {
      wished = -(gradient + options_.l1) / curvature;
    } else if (gradient - options_.l1 >= curvature * before) {
      wished = -(gradient - options_.l1) / curvature;
    } else {
      wished = -before;
    }
    const double taken = bounded(wished, reach);
    if (taken == 0) return 0;
    lambda_[j] = taken == -before ? 0.0 : before + taken;
    const double factor = std::exp(taken);
    for (std::size_t at = starts_[j]; at < starts_[j + 1]; ++at) odds_[entries_[at]] *= factor;
    return std::abs(taken);
  }

  const Bags& sources_;
  const LexiconOptions& options_;
  std::vector<std::int32_t> column_of_;  // of each source word, −1 between words
  std::vector<std::uint32_t> rows_;      // sentences; those with the word first
  std::size_t n_with_ = 0;
  double cost_with_ = 1, cost_without_ = 1, bias_ = 0;
  std::vector<std::int32_t> columns_, counts_;
  std::vector<std::size_t> starts_;
  std::vector<std::uint32_t> entries_;
  std::vector<double> lambda_, reach_, odds_;
};

}  // namespace

WordLexicon train_lexicon(const Bags& sources, const Bags& targets, const LexiconOptions& options, CounterStream chance,
                          unsigned n_threads) {
  if (sources.size() != targets.size()) throw data_error("Both sides must have as many sentences.");
  const Postings postings(targets);
  const auto n = static_cast<std::size_t>(targets.n_words());
  std::vector<std::vector<std::int32_t>> words(n);
  std::vector<std::vector<float>> weights(n);
  WordLexicon found;
  found.biases.assign(n, kNone);
  // Frequent words lie together: threads take turns.
  const unsigned turns = std::max(1U, n_threads);
  for_each_chunk(turns, turns, [&](const Chunk& chunk) {
    WordModel model(sources, options);
    for (std::size_t word = chunk.index; word < n; word += turns) {
      const auto with = postings[word];
      if (with.empty() || with.size() < static_cast<std::size_t>(options.least)) continue;
      const CounterStream own{chance.bits(word)};
      found.biases[word] = model.fit(with, own, words[word], weights[word]);
    }
  });
  found.weights.offsets.push_back(0);
  for (std::size_t word = 0; word < n; ++word) {
    found.weights.columns.insert(found.weights.columns.end(), words[word].begin(), words[word].end());
    found.weights.values.insert(found.weights.values.end(), weights[word].begin(), weights[word].end());
    found.weights.offsets.push_back(static_cast<std::int64_t>(found.weights.columns.size()));
  }
  return found;
}

std::vector<double> lexicon_probabilities(const SparseView& weights, std::span<const float> biases,
                                          const Tokens& sources, const Tokens& targets, std::int32_t n_source_words,
                                          unsigned n_threads) {
  check_rows(weights);
  check_tokens(targets, biases.size());
  if (weights.size() != biases.size()) throw data_error("There must be one bias for each target word.");
  if (sources.size() != targets.size()) throw data_error("Both sides must have as many sentences.");
  const Bags bags(sources, n_source_words);
  std::vector<double> found(targets.ids.size(), std::numeric_limits<double>::quiet_NaN());
  for_each_chunk(targets.size(), n_threads, [&](const Chunk& chunk) {
    for (std::size_t s = chunk.begin; s < chunk.end; ++s) {
      for (auto at = static_cast<std::size_t>(targets.offsets[s]);
           at < static_cast<std::size_t>(targets.offsets[s + 1]); ++at) {
        const auto word = targets.ids[at];
        if (word < 0 || std::isnan(biases[static_cast<std::size_t>(word)])) continue;
        double sum = static_cast<double>(biases[static_cast<std::size_t>(word)]);
        for (const auto source : bags[s]) sum += weights.at(static_cast<std::size_t>(word), source);
        found[at] = 1.0 / (1.0 + std::exp(-sum));
      }
    }
  });
  return found;
}

}  // namespace dragoman::lexical
