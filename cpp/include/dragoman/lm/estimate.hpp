#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "dragoman/core/bytes.hpp"
#include "dragoman/core/spool.hpp"
#include "dragoman/lm/ngram.hpp"

namespace dragoman::lm {

/// Modified Kneser–Ney smoothing (Chen & Goodman 1998), interpolated down to the uniform distribution, estimated as
/// Heafield et al. (ACL 2013) do: by sorting, so that a corpus larger than memory is no different.
struct EstimateOptions {
  unsigned order = 5;
  /// For each order, n-grams met at most so often are left out; a shorter list goes on with its last number.
  std::vector<std::uint64_t> prune = {};
  /// Discounts for once, twice and more, for an order whose counts of counts give none (a corpus too small or too
  /// regular).
  std::array<double, 3> fallback = {0.5, 1.0, 1.5};
  /// Words beyond the most frequent so many (0: all), or met less often, are left out with all n-grams that hold them,
  /// after lmplz's --limit_vocab_file (not compared with it): they are counted, then left to the lower order like other
  /// pruned n-grams, a word itself to the uniform distribution over the words that stay, <unk> among them.
  std::uint64_t max_words = 0;
  std::uint64_t min_count = 1;
  Workspace space = {};
  unsigned n_threads = 1;
};

/// What estimation found for one order.
struct OrderStatistics {
  std::uint64_t n_seen = 0;                            // distinct n-grams of the text
  std::uint64_t n_kept = 0;                            // after pruning
  std::array<std::uint64_t, 5> counts_of_counts = {};  // [k]: n-grams of adjusted count k, 1 to 4
  std::array<double, 3> discounts = {};
  bool fell_back = false;
};

/// Takes the finished model, order by order, each in suffix order.
class NGramSink {
 public:
  virtual ~NGramSink() = default;
  virtual void begin(std::span<const std::uint64_t> n_ngrams) = 0;
  /// `words` has the last word first; probabilities are log10. `extends_left`, `extends_right`: some longer n-gram
  /// ends, begins with this one.
  virtual void ngram(std::span<const WordId> words, float log_p, float log_backoff, bool extends_left,
                     bool extends_right) = 0;
};

/// Counts text, then estimates. Use: `add` as often as there is text, then `finish` once.
class Estimator {
 public:
  virtual ~Estimator() = default;
  /// Sentences as word ids without <s> and </s>: those of line i are [offsets[i], offsets[i + 1]). Throws data_error at
  /// a word that a sentence cannot hold (<s>, </s>) or that has no number below `n_words` of `finish`.
  virtual void add(std::span<const std::int32_t> ids, std::span<const std::int64_t> offsets) = 0;
  /// The counts of what was added as one sorted run, for `take_runs` of an estimator of the same order; afterwards
  /// nothing is left here.
  virtual Bytes sorted_run() = 0;
  /// Instead of text: runs of the counts of its parts, which stay in memory until `finish` is done. The model is that
  /// of the whole text. Throws data_error for what is no run.
  virtual void take_runs(std::vector<std::string_view> runs) = 0;
  /// By number, which words the limits leave in; <unk>, <s> and </s> always stay.
  virtual std::vector<char> kept_words(WordId n_words) const = 0;
  /// `n_words`: size of the vocabulary with <unk>, <s> and </s>. The sink is handed words that stay by their numbers
  /// among these. Throws data_error if there was no sentence.
  virtual std::vector<OrderStatistics> finish(WordId n_words, NGramSink& sink) = 0;

  static std::unique_ptr<Estimator> make(const EstimateOptions& options);
};

}  // namespace dragoman::lm
