#include "dragoman/lm/prune.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "dragoman/core/errors.hpp"

namespace dragoman::lm {

namespace {

/// The n-grams of one order, in suffix order.
struct PrunedGrams {
  unsigned order = 0;
  std::vector<WordId> words;  // `order` for each, last word first
  std::vector<float> log_p, log_backoff;
  std::vector<std::uint64_t> suffixes, contexts;  // without the first word, without the last: in the order below
  std::vector<double> log_joint;                  // ln of the probability of all its words
  // As a context: what its words have in the order below, and what n-grams that go take with them.
  std::vector<double> lower_sum, gone, gone_lower;
  std::vector<char> stays, extends_left, extends_right;

  std::size_t size() const noexcept { return log_p.size(); }
  std::span<const WordId> gram(std::uint64_t i) const noexcept { return {words.data() + i * order, order}; }
  double p(std::uint64_t i) const noexcept { return std::pow(10.0, log_p[i]); }

  std::uint64_t find(std::span<const WordId> wanted) const {
    std::uint64_t low = 0, high = size();
    while (low < high) {
      const std::uint64_t middle = (low + high) / 2;
      const auto there = gram(middle);
      if (std::lexicographical_compare(there.begin(), there.end(), wanted.begin(), wanted.end())) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low == size() || !std::ranges::equal(gram(low), wanted)) {
      throw std::logic_error("an n-gram's context or ending is missing");
    }
    return low;
  }
};

class PrunedCollector final : public NGramSink {
 public:
  void begin(std::span<const std::uint64_t> n_ngrams) override {
    levels.resize(n_ngrams.size() + 1);
    for (unsigned k = 1; k < levels.size(); ++k) levels[k].order = k;
  }
  void ngram(std::span<const WordId> words, float log_p, float log_backoff, bool, bool) override {
    PrunedGrams& level = levels[words.size()];
    level.words.insert(level.words.end(), words.begin(), words.end());
    level.log_p.push_back(log_p);
    level.log_backoff.push_back(log_backoff);
  }

  std::vector<PrunedGrams> levels;  // by order, from 1
};

/// Find out for each n-gram what it ends with, what it continues, and how probable it is as a whole.
void connect(std::vector<PrunedGrams>& levels) {
  for (unsigned k = 1; k < levels.size(); ++k) {
    PrunedGrams& level = levels[k];
    for (auto* sums : {&level.lower_sum, &level.gone, &level.gone_lower}) sums->assign(level.size(), 0.0);
    for (auto* flags : {&level.stays, &level.extends_left, &level.extends_right}) flags->assign(level.size(), 0);
    for (std::uint64_t i = 0; i < level.size(); ++i) {
      const auto gram = level.gram(i);
      if (k == 1) {
        level.log_joint.push_back(std::log(level.p(gram[0] == kBos ? kEos : i)));
        continue;
      }
      PrunedGrams& below = levels[k - 1];
      // In suffix order those that end alike are neighbours.
      const bool same = i > 0 && std::ranges::equal(gram.first(k - 1), level.gram(i - 1).first(k - 1));
      level.suffixes.push_back(same ? level.suffixes.back() : below.find(gram.first(k - 1)));
      level.contexts.push_back(below.find(gram.subspan(1)));
      level.log_joint.push_back(std::log(level.p(i)) + below.log_joint[level.contexts[i]]);
      below.lower_sum[level.contexts[i]] += below.p(level.suffixes[i]);
    }
  }
}

/// The share by which perplexity would rise without n-gram i (Stolcke 1998, eq. 3 to 9).
double rise(const PrunedGrams& level, const PrunedGrams& below, std::uint64_t i) {
  const std::uint64_t context = level.contexts[i];
  const double p = level.p(i), lower = below.p(level.suffixes[i]);
  const double log_alpha = std::log(10.0) * below.log_backoff[context];
  // What the context leaves to other words, Σ p(w | h) over these; by their probabilities in the order below it is
  // 1 − Σ p(w | h').
  const double rest_lower = 1 - below.lower_sum[context];
  const double rest = std::exp(log_alpha) * rest_lower;
  const double log_new_alpha = std::log((rest + p) / (rest_lower + lower));
  const double change = p * (std::log(lower) + log_new_alpha - std::log(p)) + rest * (log_new_alpha - log_alpha);
  return std::expm1(-std::exp(below.log_joint[context]) * change);
}

}  // namespace

void prune_by_entropy(const Model& model, double threshold, NGramSink& sink) {
  if (!(threshold >= 0)) throw data_error("The threshold of entropy pruning is a share of at least 0.");
  PrunedCollector collected;
  model.enumerate(collected);
  auto& levels = collected.levels;
  connect(levels);
  for (auto k = static_cast<unsigned>(levels.size() - 1); k >= 2; --k) {
    PrunedGrams& level = levels[k];
    PrunedGrams& below = levels[k - 1];
    for (std::uint64_t i = 0; i < level.size(); ++i) {
      const std::uint64_t context = level.contexts[i];
      level.stays[i] =
          level.extends_left[i] != 0 || level.extends_right[i] != 0 || !(rise(level, below, i) < threshold);
      if (level.stays[i] != 0) {
        below.extends_left[level.suffixes[i]] = 1;
        below.extends_right[context] = 1;
      } else {
        below.gone[context] += level.p(i);
        below.gone_lower[context] += below.p(level.suffixes[i]);
      }
    }
    for (std::uint64_t i = 0; i < below.size(); ++i) {
      if (below.gone[i] == 0) continue;
      const double rest_lower = 1 - below.lower_sum[i];
      const double rest = std::pow(10.0, below.log_backoff[i]) * rest_lower;
      below.log_backoff[i] =
          below.extends_right[i] == 0
              ? 0.0F
              : static_cast<float>(std::log10((rest + below.gone[i]) / (rest_lower + below.gone_lower[i])));
    }
  }
  std::ranges::fill(levels[1].stays, 1);
  std::vector<std::uint64_t> n_ngrams;
  for (unsigned k = 1; k < levels.size(); ++k) {
    n_ngrams.push_back(static_cast<std::uint64_t>(std::ranges::count(levels[k].stays, 1)));
  }
  sink.begin(n_ngrams);
  for (unsigned k = 1; k < levels.size(); ++k) {
    const PrunedGrams& level = levels[k];
    for (std::uint64_t i = 0; i < level.size(); ++i) {
      if (level.stays[i] == 0) continue;
      sink.ngram(level.gram(i), level.log_p[i], level.log_backoff[i], level.extends_left[i] != 0,
                 level.extends_right[i] != 0);
    }
  }
}

}  // namespace dragoman::lm
