#pragma once

#include <cstdint>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dragoman/memory/columns.hpp"
#include "dragoman/memory/side.hpp"

namespace dragoman::memory {

/// The sources before and behind a segment, as hashes; 0: not known.
struct Context {
  std::uint64_t previous = 0;
  std::uint64_t next = 0;
};

/// The hash of a neighbour's text.
std::uint64_t context_hash(std::string_view text) noexcept;

struct Query {
  std::string_view text;
  Context context;
};

/// A unit that resembles a query. Scores: 1.01 the same text between the same neighbours; 1 the same text; .99 the same
/// words, while case, marks, codes or spaces differ; else 1 − distance / length of the longer, in folded tokens.
struct Match {
  std::int64_t id;
  double score;
  std::string source;
  std::string target;
};

/// A unit that has what was looked for, and where: token places [first, second) of the text that was searched.
struct Hit {
  std::int64_t id;
  std::string source;
  std::string target;
  std::vector<std::pair<std::size_t, std::size_t>> places;
};

enum class Which : std::uint8_t { kSource, kTarget };
enum class Mode : std::uint8_t {
  kPhrase,  // the tokens one behind the other; the first may be the end of a word, the last the beginning of one
  kWords,   // all tokens, whole, anywhere
  kExact,   // the tokens one behind the other, whole
};

/// A translation memory in memory. Many threads may ask at once; adding and removing excludes them.
class Index {
 public:
  std::size_t size() const;  // without what was removed
  std::size_t bytes() const;

  /// Take in a unit; ids must rise. Throws data_error if one does not.
  void add(std::int64_t id, std::string_view source, std::string_view target, Context context);
  /// Take units out; false for an id that is not there.
  bool remove(std::int64_t id);

  /// For each query up to `most` units with different targets and scores of at least `threshold`, best first; of equal
  /// ones the newest, and of those with one target the best. What comparing with every unit would give.
  std::vector<std::vector<Match>> matches(std::span<const Query> queries, std::size_t most, double threshold,
                                          unsigned n_threads) const;

  /// Up to `most` units that have the text, newest first.
  std::vector<Hit> concordance(std::string_view text, Which which, Mode mode, std::size_t most) const;

 private:
  friend class FuzzySearch;

  Slot slot(std::int64_t id) const;  // size of `ids_` if there is none
  /// Texts with the same words (the same tokens, where there are no words) share a key.
  static std::uint64_t key(const Tokens& tokens) noexcept;
  void chain(Slot unit);

  mutable std::shared_mutex lock_;
  Side source_, target_;
  Columns columns_;                // of the source's frequent tokens
  std::vector<std::int64_t> ids_;  // by slot, rising
  std::vector<Context> contexts_;
  std::vector<std::uint32_t> sizes_;  // tokens of the source; 0: empty, or removed
  std::vector<bool> removed_;
  std::size_t n_removed_ = 0;
  std::vector<std::uint64_t> keys_;
  std::vector<Slot> latest_;   // by key modulo their number, a power of two: the newest unit + 1; 0: none
  std::vector<Slot> earlier_;  // by slot, the one before it in its chain + 1
};

}  // namespace dragoman::memory
