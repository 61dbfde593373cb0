#include "dragoman/phrase/batch.hpp"

#include <memory>

#include "batch_parts.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/graph/kbest.hpp"
#include "dragoman/graph/posteriors.hpp"

namespace dragoman::phrase {

namespace {

void append(FoundPaths& part, const Search& search, std::span<const Option* const> steps, double score, bool features) {
  std::size_t at = 0;
  for (const Option* option : steps) {
    const auto& translation = option->translation;
    part.words.insert(part.words.end(), translation.words.begin(), translation.words.end());
    for (const Link& link : translation.links) {
      part.links.push_back(option->source_place(link));
      part.links.push_back(static_cast<std::uint16_t>(at + link.target));
    }
    part.phrases.insert(part.phrases.end(),
                        {option->span.begin, option->span.end, static_cast<std::uint16_t>(translation.words.size())});
    at += translation.words.size();
  }
  part.end_path(score);
  if (features) {
    std::vector<double> values(search.engine().n_features(), 0.0);
    const std::size_t before = part.sparse.size();
    search.replay(steps, values, &part.sparse);
    part.end_features(values, before);
  }
}

FoundPaths translate(const Search& search, const BatchOptions& options) {
  FoundPaths part;
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

/// Run the search on every sentence and `use(sentence, search)` what it found; the effort of all.
template <class Use>
Effort search_each(const Engine& engine, const Sentences& sentences, const Weights& weights,
                   const DecodeOptions& limits, unsigned n_threads, const Use& use) {
  check_batch(engine.n_features(), engine.n_given(), sentences, weights, limits);
  if (engine.reads_layer() && sentences.layer.empty() && !sentences.words.empty()) {
    throw data_error("A feature of this engine asks for the annotation of the source words, and there is none.");
  }
  const auto make = [&] { return std::make_unique<Search>(engine, limits); };
  return search_all(sentences.size(), n_threads, make, [&](Search& search, std::size_t i) {
    const auto begin = static_cast<std::size_t>(sentences.offsets[i]);
    const auto end = static_cast<std::size_t>(sentences.offsets[i + 1]);
    search.run(sentences.words.subspan(begin, end - begin), weights,
               sentences.constraints.empty() ? nullptr : sentences.constraints[i],
               sentences.layer.empty() ? sentences.layer : sentences.layer.subspan(begin, end - begin));
    use(i, search);
  });
}

}  // namespace

Translations decode(const Engine& engine, const Sentences& sentences, const Weights& weights,
                    const DecodeOptions& limits, const BatchOptions& options) {
  std::vector<FoundPaths> parts(sentences.size());
  Translations all;
  all.n_features = engine.n_features();
  if (options.summary) all.summaries.resize(sentences.size());
  all.effort =
      search_each(engine, sentences, weights, limits, options.n_threads, [&](std::size_t i, const Search& search) {
        parts[i] = translate(search, options);
        if (options.summary) all.summaries[i] = search.summary();
      });
  put_together(parts, all);
  return all;
}

std::vector<graph::Hypergraph> hypergraphs(const Engine& engine, const Sentences& sentences, const Weights& weights,
                                           const DecodeOptions& limits, bool features, unsigned n_threads) {
  std::vector<graph::Hypergraph> graphs(sentences.size());
  search_each(engine, sentences, weights, limits, n_threads,
              [&](std::size_t i, const Search& search) { graphs[i] = search_graph(search, features).graph; });
  return graphs;
}

}  // namespace dragoman::phrase
