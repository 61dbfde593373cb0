#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "dragoman/core/bytes.hpp"
#include "dragoman/graph/hypergraph.hpp"
#include "dragoman/text/word_table.hpp"

namespace dragoman::phrase {

using graph::Link;
using text::TokenId;

/// One translation of a source phrase, as it lies in a table.
struct Translation {
  std::span<const TokenId> words;
  std::span<const Link> links;
  std::span<const float> scores;  // natural logarithms, `n_scores` of the table
};

/// Source phrases and their translations, with a fixed number of scores each. The arrays lie in memory as in a file.
class PhraseTable {
 public:
  /// The translations of one source phrase: [first, first + count).
  struct Run {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };

  unsigned n_scores() const noexcept { return n_scores_; }
  unsigned longest() const noexcept { return longest_; }  // words of the longest source phrase
  std::size_t n_sources() const noexcept { return n_sources_; }
  std::size_t size() const noexcept { return entries_.size() == 0 ? 0 : entries_.size() - 1; }

  /// Where the translations of a phrase are, without looking at them; `find` looks. A table on a file is not read when
  /// it is opened: what leads outside its arrays or the target's vocabulary is refused, by data_error, when it is met.
  Run locate(std::span<const TokenId> source) const;
  Run find(std::span<const TokenId> source) const { return checked(locate(source), source.size()); }
  Translation translation(std::uint32_t number) const noexcept {
    const Entry& entry = entries_[number];
    const Entry& next = entries_[number + 1];
    return {words_.subspan(entry.words, next.words - entry.words),
            links_.subspan(entry.links, next.links - entry.links),
            scores_.subspan(static_cast<std::size_t>(number) * n_scores_, n_scores_)};
  }

  /// Call `use(source words, run)` for every source phrase, in the order they were added.
  template <class Use>
  void for_each_source(const Use& use) const {
    for (std::size_t i = 0; i < n_sources_; ++i) {
      const auto words = source_words_of(i);
      use(words, checked(run_of(i), words.size()));
    }
  }

  /// The content of a table file, and a table on one, which `owner` keeps in memory; its target words have numbers
  /// below `n_target_words`. Throws data_error that says what is wrong with it.
  Bytes serialised() const;
  static std::unique_ptr<PhraseTable> on_file(std::string_view file, std::shared_ptr<const void> owner,
                                              std::size_t n_target_words);
  /// The file of a table that has the source phrases of several, one behind the other, none of them twice: written
  /// piece by piece, so that it need not fit into memory.
  static void write_joined(std::span<const PhraseTable* const> tables,
                           const std::function<void(std::string_view)>& write);

 private:
  friend class PhraseTableBuilder;
  struct Entry {
    std::uint32_t words;  // where its words begin; they end where those of the next entry begin
    std::uint32_t links;
  };

  static std::uint64_t hash_of(std::span<const TokenId> words);
  /// The hash table of source phrases that are handed over in their order: `next()`, so often.
  static std::vector<std::uint32_t> slots_for(std::size_t n_sources,
                                              const std::function<std::span<const TokenId>()>& next);

  bool has_sizes() const;
  std::span<const TokenId> source_words_of(std::size_t number) const;
  Run run_of(std::size_t number) const;
  Run checked(Run run, std::size_t n_source) const { return owner_ ? checked_run(run, n_source) : run; }
  Run checked_run(Run run, std::size_t n_source) const;

  unsigned n_scores_ = 0;
  unsigned longest_ = 0;
  std::size_t n_sources_ = 0;
  std::size_t n_target_words_ = 0;                 // of a table on a file
  std::span<const std::uint32_t> slots_;           // number of a source phrase + 1, 0: free; open addressing
  std::span<const std::uint32_t> source_offsets_;  // n_sources + 1
  std::span<const TokenId> source_words_;
  std::span<const std::uint32_t> runs_;  // n_sources + 1: first translation of each
  std::span<const Entry> entries_;       // one more than there are translations
  std::span<const TokenId> words_;
  std::span<const Link> links_;
  std::span<const float> scores_;

  std::vector<std::uint32_t> own_slots_, own_source_offsets_, own_runs_;
  std::vector<TokenId> own_source_words_, own_words_;
  std::vector<Entry> own_entries_;
  std::vector<Link> own_links_;
  std::vector<float> own_scores_;
  std::shared_ptr<const void> owner_;
};

/// Makes a table. `source` opens a source phrase, `add` gives it a translation; none comes twice.
class PhraseTableBuilder {
 public:
  explicit PhraseTableBuilder(unsigned n_scores);
  /// Make room for so many translations.
  void reserve(std::size_t n_translations);
  void source(std::span<const TokenId> words);
  /// `scores` has n_scores numbers.
  void add(std::span<const TokenId> words, std::span<const Link> links, std::span<const float> scores);
  std::unique_ptr<PhraseTable> finish();

 private:
  std::unique_ptr<PhraseTable> table_;
};

}  // namespace dragoman::phrase
