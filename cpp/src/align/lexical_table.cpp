#include "dragoman/align/lexical_table.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "dragoman/core/errors.hpp"

namespace dragoman::align {

namespace {

TokenId largest(std::span<const TokenId> words) {
  TokenId most = -1;
  for (const TokenId word : words) most = std::max(most, word);
  return most;
}

}  // namespace

LexicalTable::LexicalTable(const Side& source, const Side& target) {
  const std::size_t n = source.size();
  place_offsets_.assign(n + 1, 0);
  for (std::size_t i = 0; i < n; ++i) {
    place_offsets_[i + 1] = place_offsets_[i] + (source.sentence(i).size() + 1) * target.sentence(i).size();
  }
  places_.resize(place_offsets_.back());

  // Where each source word stands: words in their order, and for each the sentences and positions.
  struct At {
    std::uint32_t sentence;
    std::uint32_t position;
  };
  const auto n_sources = static_cast<std::size_t>(largest(source.words) + 1);
  std::vector<std::size_t> starts(n_sources + 1, 0);
  for (const TokenId word : source.words) ++starts[static_cast<std::size_t>(word) + 1];
  for (std::size_t w = 0; w < n_sources; ++w) starts[w + 1] += starts[w];
  std::vector<At> occurrences(source.words.size());
  {
    std::vector<std::size_t> next(starts.begin(), starts.end() - 1);
    for (std::size_t i = 0; i < n; ++i) {
      const auto words = source.sentence(i);
      for (std::size_t s = 0; s < words.size(); ++s) {
        occurrences[next[static_cast<std::size_t>(words[s])]++] = {static_cast<std::uint32_t>(i),
                                                                   static_cast<std::uint32_t>(s)};
      }
    }
  }

  const auto n_targets = static_cast<std::size_t>(largest(target.words) + 1);
  constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> place(n_targets, kNowhere);
  std::vector<TokenId> met;
  const auto meet = [&](std::size_t sentence, std::size_t column) {
    const auto words = target.sentence(sentence);
    const std::size_t width = source.sentence(sentence).size() + 1;
    for (std::size_t j = 0; j < words.size(); ++j) {
      auto& known = place[static_cast<std::size_t>(words[j])];
      if (known == kNowhere) {
        known = static_cast<std::uint32_t>(targets_.size());
        targets_.push_back(words[j]);
        met.push_back(words[j]);
      }
      places_[place_offsets_[sentence] + j * width + column] = known;
    }
  };
  const auto close = [&] {
    for (const TokenId word : met) place[static_cast<std::size_t>(word)] = kNowhere;
    met.clear();
    if (targets_.size() >= kNowhere) throw data_error("The bitext has more word pairs than a table can hold. Split it.");
    rows_.push_back(targets_.size());
  };
  rows_.push_back(0);
  for (std::size_t i = 0; i < n; ++i) meet(i, 0);
  close();
  for (std::size_t word = 0; word < n_sources; ++word) {
    for (std::size_t at = starts[word]; at < starts[word + 1]; ++at) {
      meet(occurrences[at].sentence, occurrences[at].position + 1);
    }
    close();
  }
  p_.resize(targets_.size());
}

float LexicalTable::find(TokenId source, TokenId target) const noexcept {
  const std::size_t r = row(source);
  if (r + 1 >= rows_.size()) return 0;
  for (auto at = rows_[r]; at < rows_[r + 1]; ++at) {
    if (targets_[at] == target) return p_[at];
  }
  return 0;
}

}  // namespace dragoman::align
