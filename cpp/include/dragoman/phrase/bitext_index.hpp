#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dragoman/core/bytes.hpp"
#include "dragoman/phrase/extract.hpp"
#include "dragoman/phrase/suffix_array.hpp"

namespace dragoman::phrase {

class LexicalCounts;

struct SampleOptions {
  unsigned samples = 1000;                // occurrences of a source phrase that are looked at; 0: all
  unsigned inverse_samples = 50;          // occurrences of a target phrase that its count is made from; 0: all
  unsigned translations_per_phrase = 40;  // of one source phrase, the most probable; 0: all
  double orientation_smoothing = 0.5;     // weight of the orientations of all phrases together
  bool coherent = false;                  // occurrences that no phrase pair is consistent with count, too
  unsigned n_threads = 1;
};

/// An aligned bitext that is searched for phrases when they are to be translated, instead of a table of all of them
/// (Callison-Burch et al. 2005; Lopez, EMNLP 2007; Germann, PBML 2014). Sentence pairs can be added at any time. What
/// is found does not depend on when they came, nor on the number of threads: the same pairs in the same order give the
/// same tables. Any number of threads may search while one adds.
class BitextIndex {
 public:
  struct Options {
    unsigned longest = 7;  // words of a phrase, on either side
    Orientation orientation = Orientation::word;
    unsigned n_threads = 1;
  };

  /// Throws data_error for a point outside its sentences, or a sentence too long.
  static std::unique_ptr<BitextIndex> make(const AlignedBitext& bitext, const Options& options);
  ~BitextIndex();

  /// Take in sentence pairs, all or (if one of them is refused with data_error) none.
  void add(const AlignedBitext& bitext);

  /// All phrases of these sentences that the bitext has, with the scores that `extract` gives them without smoothing,
  /// the three counts included. They are the same if all occurrences are looked at. Of a sample, counts are those of
  /// the sample, but that of the target phrase, which is estimated for the whole.
  std::unique_ptr<PhraseTable> table(std::span<const TokenId> words, std::span<const std::int64_t> offsets,
                                     const SampleOptions& options) const;

  std::size_t n_pairs() const;                 // sentence pairs
  std::size_t n_added() const;                 // of these, not yet part of the large array
  std::array<std::size_t, 2> n_words() const;  // of either side, one more than the largest number in the large array
  std::size_t n_occurrences(std::span<const TokenId> phrase) const;  // of a source phrase
  unsigned longest() const noexcept { return longest_; }
  Orientation orientation() const noexcept { return orientation_; }

  /// The content of a file, and an index on one, which `owner` keeps in memory. Throws data_error that says what is
  /// wrong with it.
  Bytes serialised();
  static std::unique_ptr<BitextIndex> on_file(std::string_view file, std::shared_ptr<const void> owner);

 private:
  struct Segment;
  class Lookup;

  BitextIndex(unsigned longest, Orientation orientation);
  void count(const Segment& segment, std::size_t first_sentence, unsigned n_threads);
  void merge();

  unsigned longest_;
  Orientation orientation_;
  std::unique_ptr<Segment> base_, added_;
  std::unique_ptr<LexicalCounts> lexicon_;
  std::uint64_t n_instances_ = 0;
  std::array<std::uint64_t, 6> orientations_{};
  std::shared_ptr<const void> owner_;
  mutable std::shared_mutex mutex_;
  // How often target phrases stand in pairs, by hash and sample, until sentence pairs are added.
  mutable std::mutex totals_mutex_;
  mutable std::unordered_map<std::uint64_t, double> totals_;
};

}  // namespace dragoman::phrase
