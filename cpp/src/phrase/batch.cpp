#include "dragoman/phrase/batch.hpp"

#include <atomic>
#include <set>
#include <string>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"
#include "dragoman/phrase/kbest.hpp"

namespace dragoman::phrase {

namespace {

constexpr std::size_t kLongestSentence = 0xFFFF;

/// What one sentence gives, until the results are put together in the order of the sentences.
struct Part {
  std::vector<TokenId> words;
  std::vector<std::uint16_t> links, phrases;
  std::vector<std::int64_t> word_ends, link_ends, phrase_ends;
  std::vector<double> scores, features;
};

void append(Part& part, const Search& search, const Path& path, std::size_t n_features, bool features) {
  std::size_t at = 0;
  for (const Option* option : path.steps) {
    const auto& translation = option->translation;
    part.words.insert(part.words.end(), translation.words.begin(), translation.words.end());
    for (const Link& link : translation.links) {
      part.links.push_back(static_cast<std::uint16_t>(option->span.begin + link.source));
      part.links.push_back(static_cast<std::uint16_t>(at + link.target));
    }
    part.phrases.insert(part.phrases.end(), {option->span.begin, option->span.end,
                                             static_cast<std::uint16_t>(translation.words.size())});
    at += translation.words.size();
  }
  part.word_ends.push_back(static_cast<std::int64_t>(part.words.size()));
  part.link_ends.push_back(static_cast<std::int64_t>(part.links.size() / 2));
  part.phrase_ends.push_back(static_cast<std::int64_t>(part.phrases.size() / 3));
  part.scores.push_back(path.score);
  if (features) {
    std::vector<double> values(n_features, 0.0);
    search.replay(path.steps, values);
    part.features.insert(part.features.end(), values.begin(), values.end());
  }
}

Part translate(Search& search, const Engine& engine, std::span<const TokenId> source, std::span<const float> weights,
               const BatchOptions& options) {
  Part part;
  search.run(source, weights);
  KBest ways(search);
  Path path;
  std::set<std::vector<TokenId>> seen;
  // Different words are rarer than different ways; the search for them ends somewhere.
  const unsigned most = options.n_best * 20;
  for (unsigned tried = 0; part.scores.size() < options.n_best && tried < most && ways.next(path); ++tried) {
    if (options.distinct && options.n_best > 1) {
      std::vector<TokenId> words;
      for (const Option* option : path.steps) {
        words.insert(words.end(), option->translation.words.begin(), option->translation.words.end());
      }
      if (!seen.insert(std::move(words)).second) continue;
    }
    append(part, search, path, engine.n_features(), options.features);
  }
  return part;
}

template <class T>
void join(std::vector<T>& all, const std::vector<T>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

}  // namespace

Translations decode(const Engine& engine, std::span<const TokenId> source, std::span<const std::int64_t> offsets,
                    std::span<const float> weights, const DecodeOptions& limits, const BatchOptions& options) {
  if (weights.size() != engine.n_features()) {
    throw data_error("The engine has " + std::to_string(engine.n_features()) + " features, got " +
                     std::to_string(weights.size()) + " weights.");
  }
  const std::size_t n = offsets.empty() ? 0 : offsets.size() - 1;
  std::vector<Part> parts(n);
  std::vector<Effort> efforts(std::max(1U, options.n_threads));
  // Sentences differ in length: threads take the next one when they are done.
  std::atomic<std::size_t> next{0};
  for_each_chunk(options.n_threads, options.n_threads, [&](const Chunk& chunk) {
    Search search(engine, limits);
    for (std::size_t i = next++; i < n; i = next++) {
      const auto begin = static_cast<std::size_t>(offsets[i]), end = static_cast<std::size_t>(offsets[i + 1]);
      if (end - begin > kLongestSentence) {
        throw data_error("Sentence " + std::to_string(i + 1) + " has " + std::to_string(end - begin) +
                         " words; a sentence can have 65535. Split it.");
      }
      parts[i] = translate(search, engine, source.subspan(begin, end - begin), weights, options);
    }
    efforts[chunk.index] = search.effort();
  });
  Translations all;
  all.path_offsets.push_back(0);
  all.word_offsets.push_back(0);
  all.link_offsets.push_back(0);
  all.phrase_offsets.push_back(0);
  for (const Part& part : parts) {
    const auto shift = [](std::vector<std::int64_t>& offsets_so_far, const std::vector<std::int64_t>& ends) {
      const auto before = offsets_so_far.back();
      for (const auto end : ends) offsets_so_far.push_back(before + end);
    };
    shift(all.word_offsets, part.word_ends);
    shift(all.link_offsets, part.link_ends);
    shift(all.phrase_offsets, part.phrase_ends);
    join(all.words, part.words);
    join(all.links, part.links);
    join(all.phrases, part.phrases);
    join(all.scores, part.scores);
    join(all.features, part.features);
    all.path_offsets.push_back(static_cast<std::int64_t>(all.scores.size()));
  }
  for (const Effort& effort : efforts) {
    all.effort.hypotheses += effort.hypotheses;
    all.effort.lm_queries += effort.lm_queries;
  }
  return all;
}

}  // namespace dragoman::phrase
