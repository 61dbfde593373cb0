#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace dragoman::metrics {

using Numbers = std::span<const std::int32_t>;

/// What METEOR knows of the words of a vocabulary, by their ids.
struct MeteorLexicon {
  std::span<const std::int32_t> stems;  // words with the same number have the same stem
  std::span<const std::uint8_t> is_function_word;
  std::span<const std::int32_t> synsets;  // of word w: [synset_offsets[w], synset_offsets[w + 1]), rising
  std::span<const std::int64_t> synset_offsets;

  Numbers synsets_of(std::int32_t word) const;
};

/// Pairs of phrases that say the same, found by the first of the two.
class MeteorParaphrases {
 public:
  struct Entry {
    std::vector<std::int32_t> phrase;
    std::vector<std::vector<std::int32_t>> paraphrases;  // in the order of the table
  };

  void add(Numbers phrase, Numbers paraphrase);

  /// Calls `use(length, paraphrase)` for the phrases that begin at a word, shorter ones first.
  template <class Use>
  void for_each_at(Numbers words, std::size_t begin, const Use& use) const {
    for (std::size_t length = 1; length <= longest_ && begin + length <= words.size(); ++length) {
      if (const Entry* entry = find(words.subspan(begin, length))) {
        for (const auto& paraphrase : entry->paraphrases) use(length, Numbers(paraphrase));
      }
    }
  }

 private:
  const Entry* find(Numbers phrase) const;

  std::size_t longest_ = 0;
  std::unordered_map<std::uint64_t, std::vector<Entry>> entries_;  // by hash
};

/// Words of the reference [start, start + length) that match words of the hypothesis.
struct MeteorMatch {
  int module;  // 0 exact, 1 stem, 2 synonym, 3 paraphrase
  std::size_t start, length, hyp_start, hyp_length;
};

constexpr std::size_t kMeteorModules = 4;
/// Lengths of hypothesis and reference, their function words; for each module the content words it matched in
/// hypothesis and reference and the function words; chunks. It is the order of METEOR's own lines of statistics.
constexpr std::size_t kMeteorStatistics = 4 + 4 * kMeteorModules + 1;
using MeteorRow = std::array<double, kMeteorStatistics>;

/// METEOR's alignment (Denkowski & Lavie, WMT 2014), from left to right in the reference: most words covered, a match
/// that is not exact counting half, then fewest chunks, then least distance, within a beam of 40.
std::vector<MeteorMatch> meteor_alignment(Numbers hyp, Numbers ref, const MeteorLexicon& lexicon,
                                          const MeteorParaphrases& paraphrases);

MeteorRow meteor_row(Numbers hyp, Numbers ref, const MeteorLexicon& lexicon, const MeteorParaphrases& paraphrases);

}  // namespace dragoman::metrics
