#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "dragoman/lm/ngram.hpp"

namespace dragoman::lm {

/// How many bits a probability and a back-off weight take in a trie; 0: as they are, in 32.
struct Quantisation {
  unsigned p_bits = 0;        // up to 16
  unsigned backoff_bits = 0;  // up to 16
};

/// The n-grams of orders above 1, as KenLM's trie (Heafield, WMT 2011): those of one order in suffix order, each with
/// the place where the ones that go a word further back begin. Records are packed to the bit, so that a trie takes half
/// the room of hash tables, quantised a quarter, and it knows its n-grams, which they have to work out.
class Trie {
 public:
  /// Records [begin, end) of one order.
  struct Range {
    std::uint64_t begin, end;
    bool empty() const noexcept { return begin == end; }
  };
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  /// n-grams of order 2 that end in `word`.
  Range children(WordId word) const noexcept { return {first_[word], first_[word + 1]}; }
  /// n-grams of order + 1 that end in record `at` of `order`. Whatever a file says, they are inside.
  Range children(unsigned order, std::uint64_t at) const noexcept {
    const Level& level = levels_[order];
    const std::uint64_t end = std::min(level.read(at + 1, level.next_at, level.next_bits), levels_[order + 1].n);
    return {std::min(level.read(at, level.next_at, level.next_bits), end), end};
  }
  WordId word(unsigned order, std::uint64_t at) const noexcept {
    return static_cast<WordId>(levels_[order].read(at, 0, levels_[order].word_bits));
  }
  float log_p(unsigned order, std::uint64_t at) const noexcept;
  /// NaN: extends to the right in no longer n-gram.
  float log_backoff(unsigned order, std::uint64_t at) const noexcept;
  /// The record of `order` in the range that begins with `word`, or kNone.
  std::uint64_t find(unsigned order, Range range, WordId word) const noexcept;

  const Quantisation& quantisation() const noexcept { return quantisation_; }
  /// Whether the n-grams of order 2 that words end in are there. Looks at one number a word.
  bool is_inside() const noexcept {
    return std::ranges::is_sorted(first_) && first_.back() <= (order_ > 1 ? levels_[2].n : 0);
  }

  /// The arrays as they stand in a file, each a multiple of eight bytes long, and a trie on such.
  std::vector<std::string_view> arrays() const;
  static std::vector<std::uint64_t> array_sizes(unsigned order, std::span<const std::uint64_t> n_ngrams, Quantisation);
  Trie(unsigned order, std::span<const std::uint64_t> n_ngrams, Quantisation, std::span<const std::string_view> arrays);

  Trie(Trie&&) noexcept = default;
  Trie& operator=(Trie&&) noexcept = default;

 private:
  friend class TrieBuilder;
  /// A record of a level is word, probability, back-off and beginning of its children, in so many bits each. One more
  /// record behind the last says where the children of the last end.
  struct Level {
    std::uint64_t n = 0;
    unsigned word_bits = 0, p_at = 0, p_bits = 0, backoff_at = 0, backoff_bits = 0, next_at = 0, next_bits = 0,
             bits = 0;
    std::span<const float> p_values, backoff_values;
    std::string_view records;

    Level() = default;
    Level(unsigned order, unsigned highest, std::span<const std::uint64_t> n_ngrams, Quantisation quantisation);
    std::uint64_t n_bytes() const noexcept { return ((n + 1) * bits / 64 + 2) * 8; }  // one word more: reads go over
    std::uint64_t read(std::uint64_t at, unsigned offset, unsigned width) const noexcept {
      const std::uint64_t bit = at * bits + offset;
      std::uint64_t value;
      std::memcpy(&value, records.data() + bit / 8, 8);
      return (value >> (bit % 8)) & ((std::uint64_t{1} << width) - 1);
    }
  };

  Trie(unsigned order, std::span<const std::uint64_t> n_ngrams, Quantisation quantisation);

  unsigned order_ = 0;
  Quantisation quantisation_;
  std::span<const std::uint64_t> first_;  // by word, children in order 2
  std::array<Level, kMaxOrder + 1> levels_{};
  std::vector<std::uint64_t> own_first_;
  std::array<std::vector<float>, kMaxOrder + 1> own_p_values_{}, own_backoff_values_{};
  std::array<std::vector<char>, kMaxOrder + 1> own_records_{};
};

/// Makes a trie of n-grams that come order by order, each in suffix order.
class TrieBuilder {
 public:
  TrieBuilder(std::span<const std::uint64_t> n_ngrams, Quantisation quantisation);
  /// `words` has the last word first and at least two; `log_backoff` is NaN if nothing goes on from here.
  void ngram(std::span<const WordId> words, float log_p, float log_backoff);
  Trie finish();

 private:
  void begin_level(unsigned order);
  void end_level();
  std::uint64_t parent_of(std::span<const WordId> words);
  void write(unsigned order, std::uint64_t at, unsigned offset, std::uint64_t value);

  Trie trie_;
  unsigned order_ = 1;          // being filled
  std::uint64_t n_closed_ = 0;  // parents whose children have a beginning
  std::vector<WordId> last_;
  std::uint64_t last_parent_ = 0;
  std::vector<float> log_p_, log_backoff_;  // of this order, so that bins can be found
  std::vector<WordId> words_;
};

}  // namespace dragoman::lm
