#include "dragoman/lexical/information.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"

namespace dragoman::lexical {

SparseRows mutual_information(const Bags& first, const Bags& second, bool same, std::int32_t least,
                              unsigned n_threads) {
  if (first.size() != second.size()) throw data_error("Both sides must have as many sentences.");
  const Postings postings(first);
  const auto n = static_cast<std::size_t>(first.n_words());
  const auto total = static_cast<double>(first.size());
  std::vector<double> times(static_cast<std::size_t>(second.n_words()));
  for (std::size_t s = 0; s < second.size(); ++s) {
    for (const auto word : second[s]) ++times[static_cast<std::size_t>(word)];
  }
  std::vector<std::vector<std::int32_t>> columns(n);
  std::vector<std::vector<float>> values(n);
  const unsigned turns = std::max(1U, n_threads);
  for_each_chunk(turns, turns, [&](const Chunk& chunk) {
    std::vector<std::int32_t> together(times.size());
    std::vector<std::int32_t> met;
    for (std::size_t word = chunk.index; word < n; word += turns) {
      const auto sentences = postings[word];
      if (sentences.size() < static_cast<std::size_t>(least)) continue;
      for (const auto s : sentences) {
        for (const auto other : second[s]) {
          if (together[static_cast<std::size_t>(other)]++ == 0) met.push_back(other);
        }
      }
      std::sort(met.begin(), met.end());
      for (const auto other : met) {
        auto& both = together[static_cast<std::size_t>(other)];
        if (both >= least && !(same && static_cast<std::size_t>(other) == word)) {
          const double p = both / total;
          const double apart =
              static_cast<double>(sentences.size()) / total * times[static_cast<std::size_t>(other)] / total;
          columns[word].push_back(other);
          values[word].push_back(static_cast<float>(p * std::log(p / apart)));
        }
        both = 0;
      }
      met.clear();
    }
  });
  SparseRows found;
  found.offsets.push_back(0);
  for (std::size_t word = 0; word < n; ++word) {
    found.columns.insert(found.columns.end(), columns[word].begin(), columns[word].end());
    found.values.insert(found.values.end(), values[word].begin(), values[word].end());
    found.offsets.push_back(static_cast<std::int64_t>(found.columns.size()));
    columns[word] = {};
    values[word] = {};
  }
  return found;
}

std::vector<double> mean_information(const SparseView& information, const Tokens& first, const Tokens& second,
                                     bool same, unsigned n_threads) {
  check_rows(information);
  check_tokens(first, information.size());
  check_tokens(second, static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()));
  if (first.size() != second.size()) throw data_error("Both sides must have as many sentences.");
  std::vector<double> found(first.ids.size());
  for_each_chunk(first.size(), n_threads, [&](const Chunk& chunk) {
    for (std::size_t s = chunk.begin; s < chunk.end; ++s) {
      for (auto at = static_cast<std::size_t>(first.offsets[s]); at < static_cast<std::size_t>(first.offsets[s + 1]);
           ++at) {
        const auto word = first.ids[at];
        double sum = 0;
        std::size_t n = 0;
        for (auto to = static_cast<std::size_t>(second.offsets[s]);
             to < static_cast<std::size_t>(second.offsets[s + 1]); ++to) {
          const auto other = second.ids[to];
          // Two unknown words are two words, wherever they stand.
          if (same && (at == to || (word >= 0 && word == other))) continue;
          ++n;
          if (word >= 0 && other >= 0) sum += information.at(static_cast<std::size_t>(word), other);
        }
        found[at] = n ? sum / static_cast<double>(n) : 0.0;
      }
    }
  });
  return found;
}

}  // namespace dragoman::lexical
