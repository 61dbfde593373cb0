#pragma once

#include <cstdint>
#include <memory>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dragoman/text/line_source.hpp"
#include "dragoman/text/tokeniser.hpp"
#include "dragoman/text/word_table.hpp"

namespace dragoman::text {

/// The tokens of many lines as ids: those of line i are [offsets[i], offsets[i + 1]).
struct TokenIds {
  std::vector<TokenId> ids;
  std::vector<std::int64_t> offsets;
};

/// Words ↔ ids for whole corpora: growing or frozen, with or without counts, in a file that is used as it lies.
///
/// Several threads may use one vocabulary; growing excludes the others. Ids are given in the order in which words are
/// first seen in the text, whatever the number of threads that read it.
class Vocabulary {
 public:
  explicit Vocabulary(bool counted = false);

  Vocabulary(const Vocabulary&) = delete;
  Vocabulary& operator=(const Vocabulary&) = delete;

  std::size_t size() const;
  bool frozen() const;
  bool counted() const noexcept { return counted_; }
  TokenId unk() const noexcept { return unk_; }  // kNoToken if there is none
  TokenId find(std::string_view word) const;
  /// A copy of the word; throws data_error if there is no such id.
  std::string word(std::int64_t id) const;
  std::vector<std::int64_t> counts() const;  // empty if not counted

  /// The tokens of all lines. A growing vocabulary takes in (and counts) what it meets; if anything throws, it is
  /// as it was. A frozen one gives the id of `unk`, or throws data_error if it has none.
  TokenIds encode(const LineSource& lines, const Tokeniser& tokeniser, unsigned n_threads);
  /// As `encode`, each line being one word.
  std::vector<TokenId> encode_words(const LineSource& words, unsigned n_threads);
  /// Declare words (not counted as met); `counts`, if not empty, has one number for each and adds it.
  void declare(const LineSource& words, std::span<const std::int64_t> counts = {});

  /// Make `word` the one that a frozen vocabulary gives for what it does not know; it enters if it is new.
  void name_unk(std::string_view word);
  void freeze();
  /// A growing copy.
  std::unique_ptr<Vocabulary> thawed() const;
  /// Take in the words of another vocabulary, with their counts; returns the new id of each.
  std::vector<TokenId> absorb(const Vocabulary& other);
  /// The words met at least `min_count` times (and `unk`), in the same order, and the new id of each old word. A word
  /// that is gone is mapped to `unk`, whose count takes its count over, or to kNoToken.
  std::pair<std::unique_ptr<Vocabulary>, std::vector<TokenId>> pruned(std::int64_t min_count) const;

  /// Call `use(word)` for every word, in order, while nobody can change them.
  template <class Use>
  void for_each_word(const Use& use) const {
    const std::shared_lock held(lock_);
    for (std::size_t i = 0; i < words_.size(); ++i) use(words_.word(static_cast<TokenId>(i)));
  }

  /// Call `use(line)` for every line, its words separated by spaces. Throws data_error if ids or offsets fit nothing.
  template <class Use>
  void decode(std::span<const TokenId> ids, std::span<const std::int64_t> offsets, const Use& use) const {
    const std::shared_lock held(lock_);
    check(ids, offsets);
    Bytes line;
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i, line.clear()) {
      for (auto at = offsets[i]; at < offsets[i + 1]; ++at) {
        if (at > offsets[i]) line.append(" ");
        line.append(words_.word(ids[static_cast<std::size_t>(at)]));
      }
      use(line.view());
    }
  }

  /// The content of a vocabulary file.
  Bytes serialised() const;
  /// A frozen vocabulary on the content of a file, which `owner` keeps in memory. Nothing is copied or parsed; sizes,
  /// checksum and references inside are checked. Throws data_error that says what is wrong with the file.
  static std::unique_ptr<Vocabulary> on_file(std::string_view file, std::shared_ptr<const void> owner);

 private:
  template <class ForEachToken>
  TokenIds encode_with(const LineSource& lines, unsigned n_threads, const ForEachToken& for_each_token);
  void check(std::span<const TokenId> ids, std::span<const std::int64_t> offsets) const;
  TokenId known(std::string_view word, std::size_t line) const;

  mutable std::shared_mutex lock_;
  WordTable words_;
  std::vector<std::int64_t> own_counts_;
  std::span<const std::int64_t> counts_;  // the own ones, or those of a file
  TokenId unk_ = kNoToken;
  bool counted_ = false;
  bool frozen_ = false;
  std::shared_ptr<const void> owner_;
};

}  // namespace dragoman::text
