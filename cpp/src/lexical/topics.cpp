#include "dragoman/lexical/topics.hpp"

#include <algorithm>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"

namespace dragoman::lexical {

namespace {

double uniform(CounterStream chance, std::uint64_t counter) {
  return static_cast<double>(chance.bits(counter) >> 11) * 0x1p-53;
}

}  // namespace

std::vector<std::int32_t> sample_topics(const Tokens& documents, std::int32_t n_words, const TopicOptions& options,
                                        CounterStream chance) {
  check_tokens(documents, static_cast<std::size_t>(n_words));
  if (options.n_topics < 1) throw data_error("There must be at least one topic.");
  const auto k = static_cast<std::size_t>(options.n_topics);
  std::vector<std::int32_t> of_words(static_cast<std::size_t>(n_words) * k), of_tokens(documents.ids.size(), -1);
  std::vector<std::int32_t> of_document(k);
  std::vector<double> totals(k, options.beta * n_words), sums(k);
  for (std::size_t t = 0; t < documents.ids.size(); ++t) {
    if (documents.ids[t] < 0) continue;
    const auto topic = chance.below(t, static_cast<std::uint32_t>(k));
    of_tokens[t] = static_cast<std::int32_t>(topic);
    ++of_words[static_cast<std::size_t>(documents.ids[t]) * k + topic];
    ++totals[topic];
  }
  const std::uint64_t per_sweep = documents.ids.size();
  for (int sweep = 1; sweep <= options.sweeps; ++sweep) {
    for (std::size_t d = 0; d < documents.size(); ++d) {
      const auto begin = static_cast<std::size_t>(documents.offsets[d]),
                 end = static_cast<std::size_t>(documents.offsets[d + 1]);
      std::fill(of_document.begin(), of_document.end(), 0);
      for (std::size_t t = begin; t < end; ++t) {
        if (of_tokens[t] >= 0) ++of_document[static_cast<std::size_t>(of_tokens[t])];
      }
      for (std::size_t t = begin; t < end; ++t) {
        if (of_tokens[t] < 0) continue;
        const auto old = static_cast<std::size_t>(of_tokens[t]);
        std::int32_t* const word = of_words.data() + static_cast<std::size_t>(documents.ids[t]) * k;
        --word[old];
        --totals[old];
        --of_document[old];
        double sum = 0;
        for (std::size_t topic = 0; topic < k; ++topic) {
          sum += (of_document[topic] + options.alpha) * (word[topic] + options.beta) / totals[topic];
          sums[topic] = sum;
        }
        const double point = uniform(chance, static_cast<std::uint64_t>(sweep) * per_sweep + t) * sum;
        std::size_t topic = 0;
        while (topic + 1 < k && sums[topic] <= point) ++topic;
        of_tokens[t] = static_cast<std::int32_t>(topic);
        ++word[topic];
        ++totals[topic];
        ++of_document[topic];
      }
    }
  }
  return of_words;
}

std::vector<double> fold_in(const Tokens& documents, std::span<const double> p_word, std::int32_t n_topics,
                            double alpha, int rounds, unsigned n_threads) {
  if (n_topics < 1 || p_word.size() % static_cast<std::size_t>(n_topics) != 0) {
    throw data_error("There must be one probability for each word and topic.");
  }
  const auto k = static_cast<std::size_t>(n_topics);
  check_tokens(documents, p_word.size() / k);
  std::vector<double> found(documents.size() * k, 1.0 / static_cast<double>(k));
  for_each_chunk(documents.size(), n_threads, [&](const Chunk& chunk) {
    std::vector<double> next(k);
    for (std::size_t d = chunk.begin; d < chunk.end; ++d) {
      double* const theta = found.data() + d * k;
      for (int round = 0; round < rounds; ++round) {
        std::fill(next.begin(), next.end(), alpha);
        bool any = false;
        for (auto t = static_cast<std::size_t>(documents.offsets[d]);
             t < static_cast<std::size_t>(documents.offsets[d + 1]); ++t) {
          if (documents.ids[t] < 0) continue;
          const double* const p = p_word.data() + static_cast<std::size_t>(documents.ids[t]) * k;
          double sum = 0;
          for (std::size_t topic = 0; topic < k; ++topic) sum += p[topic] * theta[topic];
          if (sum <= 0) continue;
          any = true;
          for (std::size_t topic = 0; topic < k; ++topic) next[topic] += p[topic] * theta[topic] / sum;
        }
        if (!any) break;
        double total = 0;
        for (const double share : next) total += share;
        for (std::size_t topic = 0; topic < k; ++topic) theta[topic] = next[topic] / total;
      }
    }
  });
  return found;
}

}  // namespace dragoman::lexical
