#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "dragoman/core/spool.hpp"
#include "dragoman/grammar/symbols.hpp"
#include "dragoman/phrase/sentence_phrases.hpp"

namespace dragoman::grammar {

using phrase::AlignedBitext;
using phrase::PhraseSpan;
using phrase::TokenId;

/// A phrase pair inside another that a gap stands for.
struct RuleGap {
  PhraseSpan span;
  LabelPair labels;
};

/// A rule where it was met: a phrase pair of a sentence pair, less its gaps.
struct RuleSpans {
  PhraseSpan whole;
  LabelPair labels;
  std::span<const RuleGap> gaps;  // in the order of the source; they do not overlap on either side
  std::int64_t tree = 0;  // logarithm of the probability of the tree that it was cut out of, in parts of kLogUnit
};

/// Counts are kept in parts of one, so that sums do not depend on their order.
inline constexpr std::uint64_t kOne = std::uint64_t{1} << 24;
inline constexpr std::int64_t kLogUnit = std::int64_t{1} << 20;  // likewise of logarithms

/// Says which rules a sentence pair has; each thread has its own.
class RuleSource {
 public:
  using Use = std::function<void(const RuleSpans& rule, std::uint64_t count)>;  // count in parts of kOne
  virtual ~RuleSource() = default;
  virtual void rules(std::size_t sentence, const Use& use) = 0;
};
using RuleFactory = std::function<std::unique_ptr<RuleSource>()>;

/// Further scores of a rule, behind the four; as all of them, they are written without their logarithm.
enum class RuleFeature : std::uint8_t {
  penalty,           // e for every rule
  rarity,            // exp(−1 / how often it was met)
  once,              // e if it was met once, else 1
  twice,             // e if it was met at most twice
  thrice,            // e if it was met at most three times
  hierarchical,      // e with a gap
  boundary,          // e if its source side begins or ends with a gap
  swap,              // e if the target has two gaps in another order
  tree,              // probability of the tree it was cut out of (Williams & Koehn 2012), the geometric mean of all
  unaligned_source,  // e to the number of words that are linked to nothing
  unaligned_target,
  // Relative frequencies among the rules with the same label A (Weese, Callison-Burch & Lopez 2012)
  source_of_label,  // p(s | A)
  target_of_label,  // p(t | A)
  source_in_label,  // p(s | t, A)
  target_in_label,  // p(t | s, A)
  // Of all words of one side given all of the other (Huck & Ney 2012)
  noisy_or_source,  // 1 − Π (1 − p)
  noisy_or_target,
  mean_source,  // mean p, the empty word being one of those given
  mean_target,
  inserted_source,  // e to the number of words that are less probable than the average of each given one's
  inserted_target,
};

/// Which rules are left out because their sides meet by chance (Johnson, Martin, Foster & Kuhn, EMNLP 2007; here
/// counted over instances of rules). Two sides that were met once each, and together, are the limit: they stay, or they
/// go, too.
enum class Significance : std::uint8_t { none, keep_once, drop_once };

struct ScoreOptions {
  phrase::Smoothing smoothing = phrase::Smoothing::none;  // of p(s|t) and p(t|s)
  unsigned translations_per_source = 100;                 // of one source side, the most probable; 0: all
  unsigned least_count = 1;                               // rules with gaps that were met less often are left out
  Significance significance = Significance::none;
  std::vector<RuleFeature> features;  // further scores
  bool as_run = false;                // write them for `merge_rules`, unscored (`score_parts.hpp`)
  Workspace workspace;                // memory for each collection, where they go beyond it, threads
};

/// The first symbols of a source side as one number: it sorts as their spellings do.
using SourceKey = std::array<std::uint64_t, 2>;

/// Where in a run a rule with such a source side begins.
struct RuleMark {
  SourceKey key;
  std::uint64_t at;
};

struct RuleStatistics {
  std::uint64_t n_instances = 0;
  std::uint64_t n_rules = 0;  // different ones
  std::uint64_t n_written = 0;
  std::uint64_t n_lexical = 0;  // of those written, without gaps
  std::uint64_t n_sources = 0;  // different source sides written
  std::vector<RuleMark> marks;  // of a run, every so often
};

/// Text that rules must be able to match: those of others are counted, but not written.
struct TestText {
  std::span<const TokenId> words;
  std::span<const std::int64_t> offsets;  // empty: all rules are written
};

inline constexpr unsigned kMostGaps = 12;

/// Count the rules of all sentence pairs, score them and give them to `write` as lines of a rule table in the text
/// format of Moses, sorted by the bytes of the source side:
///
///     source symbols [X] ||| target symbols [X] ||| p(s|t) lex(s|t) p(t|s) lex(t|s) … ||| 0-0 1-1 ||| c(t) c(s) c(s,t)
///
/// A rule has at most `most_gaps`. What does not fit into the memory of the workspace goes through sorted runs on disk.
/// Nothing depends on the number of threads.
RuleStatistics score_rules(const AlignedBitext& bitext, const phrase::SortedPoints& points, const Symbols& symbols,
                           unsigned most_gaps, const RuleFactory& source, const TestText& test,
                           const ScoreOptions& options, const std::function<void(std::string_view)>& write);

}  // namespace dragoman::grammar
