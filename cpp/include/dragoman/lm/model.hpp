#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "dragoman/core/bytes.hpp"
#include "dragoman/core/huge_pages.hpp"
#include "dragoman/lm/estimate.hpp"
#include "dragoman/lm/ngram.hpp"
#include "dragoman/lm/trie.hpp"
#include "dragoman/text/word_table.hpp"

namespace dragoman::lm {

/// What a model must know of the words so far: those that can still matter, latest first, with the weight of backing
/// off from each context that ends in them. Unused places are zero, so states can be compared and hashed as bytes.
struct State {
  std::array<WordId, kMaxOrder - 1> words{};
  std::array<float, kMaxOrder - 1> backoffs{};
  std::uint32_t length = 0;

  friend bool operator==(const State& a, const State& b) noexcept {
    if (a.length != b.length) return false;
    for (std::uint32_t i = 0; i < a.length; ++i) {
      if (a.words[i] != b.words[i]) return false;
    }
    return true;
  }
};

struct Scored {
  float log_p;              // log10
  std::uint32_t n_matched;  // length of the longest n-gram that the model holds for this word and its past
};

/// The key of a word, and of an n-gram that goes one word further back. Both mix into the high bits, which say where in
/// a table a key belongs.
constexpr std::uint64_t longer_key(std::uint64_t key, WordId before) noexcept {
  key = (key ^ before) * 0xBF58476D1CE4E5B9ULL;
  key = (key ^ (key >> 32)) * 0x94D049BB133111EBULL;
  return (key ^ (key >> 29)) | 1;  // never 0, which marks a free place
}
constexpr std::uint64_t word_key(WordId word) noexcept { return longer_key(0x9E3779B97F4A7C15ULL, word); }

/// What a model keeps its n-grams in.
enum class Structure : std::uint32_t {
  kHash,  // quickest
  kTrie,  // smallest
};

/// A back-off model in hash tables, as KenLM's probing model (Heafield, WMT 2011): one look-up for each order, no
/// comparison of words; or in a trie. The arrays lie in memory as in a file.
class Model {
 public:
  struct Entry {
    std::uint64_t key;  // 0: free
    float log_p;        // the sign bit, which a logarithm of a probability does not need, says: extends left
    float log_backoff;  // NaN: extends to the right in no longer n-gram
  };

  unsigned order() const noexcept { return order_; }
  Structure structure() const noexcept { return trie_ ? Structure::kTrie : Structure::kHash; }
  Quantisation quantisation() const noexcept { return trie_ ? trie_->quantisation() : Quantisation{}; }
  const text::WordTable& words() const noexcept { return words_; }
  std::uint64_t n_ngrams(unsigned order) const noexcept { return n_ngrams_[order - 1]; }

  /// The word's number, kUnk if the model does not know it.
  WordId find(std::string_view word) const noexcept {
    const auto id = words_.find(word);
    return id == text::kNoToken ? kUnk : static_cast<WordId>(id);
  }

  /// A sentence's beginning, and the state that knows nothing.
  State begin() const noexcept;
  static State empty() noexcept { return {}; }

  /// The probability of `word` after `before`; `after` becomes the state behind it and must be another object.
  Scored score(const State& before, WordId word, State& after) const noexcept;

  /// Many sentences at once, with the places of later words fetched while earlier ones are looked up. `words` holds
  /// them one after the other; `n_past[i]` says how many words before word i belong to its past. Calls `use(i, scored)`
  /// for every word but those that are <s>.
  template <class Use>
  void score_run(std::span<const WordId> words, std::span<const std::uint8_t> n_past, const Use& use) const;

  /// Hand all n-grams over, order by order, each in suffix order.
  void enumerate(NGramSink& sink) const;

  /// The content of a model file, and a model on one, which `owner` keeps in memory. Throws data_error that says what
  /// is wrong with it.
  Bytes serialised() const;
  static std::unique_ptr<Model> on_file(std::string_view file, std::shared_ptr<const void> owner);

 private:
  friend class ModelBuilder;
  friend class TrieSink;
  friend class HashGrams;
  template <unsigned Order>
  friend class HashRun;
  struct Unigram {
    float log_p;
    float log_backoff;
  };

  static std::size_t home(std::uint64_t key, std::size_t size) noexcept {
    return static_cast<std::size_t>((static_cast<unsigned __int128>(key) * size) >> 64);
  }
  const Entry* find(unsigned order, std::uint64_t key) const noexcept {
    const std::span<const Entry> table = tables_[order];
    for (std::size_t i = home(key, table.size());; i = i + 1 == table.size() ? 0 : i + 1) {
      if (table[i].key == key) return &table[i];
      if (table[i].key == 0) return nullptr;
    }
  }

  Scored score_in_trie(const State& before, WordId word, State& after) const noexcept;

  unsigned order_ = 0;
  std::array<std::uint64_t, kMaxOrder> n_ngrams_{};
  text::WordTable words_;
  std::span<const Unigram> unigrams_;
  std::array<std::span<const Entry>, kMaxOrder + 1> tables_{};  // by order, from 2
  std::optional<Trie> trie_;
  std::vector<Unigram> own_unigrams_;
  std::array<std::vector<Entry, HugePages<Entry>>, kMaxOrder + 1> own_tables_{};
  std::shared_ptr<const void> owner_;
};

/// Makes a model in hash tables of n-grams as they come. All of one order come before the next higher one.
class ModelBuilder final : public NGramSink {
 public:
  /// The words by number; the first three are <unk>, <s> and </s>.
  explicit ModelBuilder(text::WordTable words);
  void begin(std::span<const std::uint64_t> n_ngrams) override;
  void ngram(std::span<const WordId> words, float log_p, float log_backoff, bool extends_left,
             bool extends_right) override;
  /// For n-grams from a file, which does not say what extends what: note that the shorter ones inside this one do.
  /// Those that the file lacks (pruned by other tools) come in with the probability that backing off gives them.
  void note_extension(std::span<const WordId> words);
  std::unique_ptr<Model> finish();

 private:
  /// Put what waits into its table.
  void settle();
  Model::Entry* insert(unsigned order, std::uint64_t key);
  Model::Entry* find(unsigned order, std::uint64_t key) noexcept;
  float* log_p_of(std::span<const WordId> words);
  float* log_backoff_of(std::span<const WordId> words);
  void ensure(std::span<const WordId> words);

  std::unique_ptr<Model> model_;
  std::array<std::uint64_t, kMaxOrder + 1> n_inside_{};
  // Entries of one order whose places are on their way into the cache.
  std::array<Model::Entry, 16> waiting_{};
  std::size_t n_waiting_ = 0;
  unsigned waiting_order_ = 0;
};

/// Makes a model in a trie of n-grams that come order by order, each in suffix order.
class TrieSink final : public NGramSink {
 public:
  TrieSink(text::WordTable words, Quantisation quantisation);
  void begin(std::span<const std::uint64_t> n_ngrams) override;
  void ngram(std::span<const WordId> words, float log_p, float log_backoff, bool extends_left,
             bool extends_right) override;
  std::unique_ptr<Model> finish();

 private:
  Quantisation quantisation_;
  std::unique_ptr<Model> model_;
  std::optional<TrieBuilder> builder_;
};

}  // namespace dragoman::lm
