#include "dragoman/phrase/batch.hpp"

#include <algorithm>
#include <atomic>
#include <string>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"
#include "dragoman/graph/kbest.hpp"
#include "dragoman/graph/posteriors.hpp"

namespace dragoman::phrase {

namespace {

constexpr std::size_t kLongestSentence = 0xFFFE;

/// What one sentence gives, until the results are put together in the order of the sentences.
struct Part {
  std::vector<TokenId> words;
  std::vector<std::uint16_t> links, phrases;
  std::vector<std::int64_t> word_ends, link_ends, phrase_ends;
  std::vector<double> scores, features;
  std::vector<float> confidences;
  std::vector<SparseValue> sparse;
  std::vector<std::int64_t> sparse_ends;
};

/// Sort the values from `first` on by key, those of one key summed.
void sum_equal(std::vector<SparseValue>& all, std::size_t first) {
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
  std::sort(begin, all.end(), [](const SparseValue& a, const SparseValue& b) { return a.key < b.key; });
  std::size_t kept = first;
  for (std::size_t i = first; i < all.size(); ++i) {
    if (kept > first && all[kept - 1].key == all[i].key) {
      all[kept - 1].value += all[i].value;
    } else {
      all[kept++] = all[i];
    }
  }
  all.resize(kept);
}

void append(Part& part, const Search& search, std::span<const Option* const> steps, double score, bool features) {
  std::size_t at = 0;
  for (const Option* option : steps) {
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
  part.scores.push_back(score);
  if (features) {
    std::vector<double> values(search.engine().n_features(), 0.0);
    const std::size_t before = part.sparse.size();
    search.replay(steps, values, &part.sparse);
    sum_equal(part.sparse, before);
    part.sparse_ends.push_back(static_cast<std::int64_t>(part.sparse.size()));
    part.features.insert(part.features.end(), values.begin(), values.end());
  }
}

Part translate(const Search& search, const BatchOptions& options) {
  Part part;
  if (search.complete().empty()) return part;
  if (options.n_best == 1 && !options.confidence) {
    const Hypothesis& best = *search.complete().front();
    append(part, search, steps_of(best), best.score, options.features);
    return part;
  }
  const auto [graph, phrase_options] = search_graph(search, false);
  const auto masses = options.confidence ? posteriors(graph, options.scale).arcs : std::vector<double>();
  std::vector<const Option*> steps;
  for (const graph::Path& path : n_best(graph, options.n_best, options.distinct)) {
    steps.clear();
    for (const auto arc : path.arcs) {
      const auto phrase = graph.arcs()[arc].phrase;
      if (phrase != graph::Hypergraph::kNoPhrase) steps.push_back(phrase_options[phrase]);
    }
    append(part, search, steps, path.score, options.features);
    if (!options.confidence) continue;
    for (const double each : word_confidence(graph, path, masses)) part.confidences.push_back(static_cast<float>(each));
  }
  return part;
}

void check(const Engine& engine, const Sentences& sentences, const Weights& all_weights, const DecodeOptions& limits) {
  const auto weights = all_weights.dense;
  if (weights.size() != engine.n_features()) {
    throw data_error("The engine has " + std::to_string(engine.n_features()) + " features, got " +
                     std::to_string(weights.size()) + " weights.");
  }
  if (!limits.future_weights.empty() && limits.future_weights.size() != engine.n_features()) {
    throw data_error("The engine has " + std::to_string(engine.n_features()) + " features, got " +
                     std::to_string(limits.future_weights.size()) + " weights for the future.");
  }
  if (limits.pop_limit == 0 || limits.options_per_phrase == 0) {
    throw data_error("A search needs a pop limit and options per phrase of 1 or more.");
  }
  if (!sentences.constraints.empty() && sentences.constraints.size() != sentences.size()) {
    throw data_error("There must be constraints (or none) for each of " + std::to_string(sentences.size()) +
                     " sentences, got " + std::to_string(sentences.constraints.size()) + ".");
  }
  if (!sentences.layer.empty() && sentences.layer.size() != sentences.words.size()) {
    throw data_error("An annotation has a value for each of " + std::to_string(sentences.words.size()) +
                     " source words, got " + std::to_string(sentences.layer.size()) + ".");
  }
  if (engine.reads_layer() && sentences.layer.empty() && !sentences.words.empty()) {
    throw data_error("A feature of this engine asks for the annotation of the source words, and there is none.");
  }
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    const auto length = static_cast<std::size_t>(sentences.offsets[i + 1] - sentences.offsets[i]);
    if (length > kLongestSentence) {
      throw data_error("Sentence " + std::to_string(i + 1) + " has " + std::to_string(length) +
                       " words; a sentence can have 65534. Split it.");
    }
    if (sentences.constraints.empty() || sentences.constraints[i] == nullptr) continue;
    try {
      sentences.constraints[i]->check(engine, length);
    } catch (const data_error& error) {
      throw data_error("Sentence " + std::to_string(i + 1) + ": " + error.what());
    }
  }
}

/// Run the search on every sentence and `use(sentence, search)` what it found; the effort of all.
template <class Use>
Effort search_all(const Engine& engine, const Sentences& sentences, const Weights& weights,
                  const DecodeOptions& limits, unsigned n_threads, const Use& use) {
  check(engine, sentences, weights, limits);
  std::vector<Effort> efforts(std::max(1U, n_threads));
  // Sentences differ in length: threads take the next one when they are done.
  std::atomic<std::size_t> next{0};
  for_each_chunk(n_threads, n_threads, [&](const Chunk& chunk) {
    Search search(engine, limits);
    for (std::size_t i = next++; i < sentences.size(); i = next++) {
      const auto begin = static_cast<std::size_t>(sentences.offsets[i]);
      const auto end = static_cast<std::size_t>(sentences.offsets[i + 1]);
      search.run(sentences.words.subspan(begin, end - begin), weights,
                 sentences.constraints.empty() ? nullptr : sentences.constraints[i],
                 sentences.layer.empty() ? sentences.layer : sentences.layer.subspan(begin, end - begin));
      use(i, search);
    }
    efforts[chunk.index] = search.effort();
  });
  Effort all;
  for (const Effort& effort : efforts) {
    all.hypotheses += effort.hypotheses;
    all.lm_queries += effort.lm_queries;
  }
  return all;
}

template <class T>
void join(std::vector<T>& all, const std::vector<T>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

}  // namespace

Translations decode(const Engine& engine, const Sentences& sentences, const Weights& weights,
                    const DecodeOptions& limits, const BatchOptions& options) {
  std::vector<Part> parts(sentences.size());
  Translations all;
  all.n_features = engine.n_features();
  if (options.summary) all.summaries.resize(sentences.size());
  all.effort = search_all(engine, sentences, weights, limits, options.n_threads,
                          [&](std::size_t i, const Search& search) {
                            parts[i] = translate(search, options);
                            if (options.summary) all.summaries[i] = search.summary();
                          });
  all.path_offsets.push_back(0);
  all.word_offsets.push_back(0);
  all.link_offsets.push_back(0);
  all.phrase_offsets.push_back(0);
  all.sparse_offsets.push_back(0);
  for (const Part& part : parts) {
    const auto shift = [](std::vector<std::int64_t>& offsets_so_far, const std::vector<std::int64_t>& ends) {
      const auto before = offsets_so_far.back();
      for (const auto end : ends) offsets_so_far.push_back(before + end);
    };
    shift(all.word_offsets, part.word_ends);
    shift(all.link_offsets, part.link_ends);
    shift(all.phrase_offsets, part.phrase_ends);
    shift(all.sparse_offsets, part.sparse_ends);
    for (const SparseValue& each : part.sparse) {
      all.sparse_keys.push_back(each.key);
      all.sparse_values.push_back(each.value);
    }
    join(all.words, part.words);
    join(all.links, part.links);
    join(all.phrases, part.phrases);
    join(all.scores, part.scores);
    join(all.features, part.features);
    join(all.confidences, part.confidences);
    all.path_offsets.push_back(static_cast<std::int64_t>(all.scores.size()));
  }
  return all;
}

std::vector<graph::Hypergraph> hypergraphs(const Engine& engine, const Sentences& sentences, const Weights& weights,
                                           const DecodeOptions& limits, bool features, unsigned n_threads) {
  std::vector<graph::Hypergraph> graphs(sentences.size());
  search_all(engine, sentences, weights, limits, n_threads,
             [&](std::size_t i, const Search& search) { graphs[i] = search_graph(search, features).graph; });
  return graphs;
}

}  // namespace dragoman::phrase
