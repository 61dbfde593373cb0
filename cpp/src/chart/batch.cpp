#include "dragoman/chart/batch.hpp"

#include <memory>
#include <string>

#include "derivation.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/graph/kbest.hpp"
#include "dragoman/graph/posteriors.hpp"
#include "phrase/batch_parts.hpp"

namespace dragoman::chart {

namespace {

using phrase::BatchOptions;
using phrase::FoundPaths;
using phrase::Sentences;
using phrase::Translations;

void append(FoundPaths& found, Search& search, std::span<const Arc* const> arcs, double score, bool features) {
  std::uint16_t at = 0;
  const Arc* last = nullptr;
  std::vector<Link> links;
  for (const Said& each : said_by(arcs)) {
    if (each.arc != last) {
      const Span source = source_of(*each.arc);
      found.phrases.insert(found.phrases.end(), {source.begin, source.end, 0});
      links = links_at(*each.arc);
      last = each.arc;
    }
    if (each.place == Said::kNothing) continue;
    ++found.phrases.back();
    found.words.push_back(each.arc->rule->target[each.place]);
    for (const Link& link : links) {
      if (link.target != each.place) continue;
      found.links.push_back(static_cast<std::uint16_t>(each.arc->span.begin + link.source));
      found.links.push_back(at);
    }
    ++at;
  }
  found.end_path(score);
  if (!features) return;
  std::vector<double> values(search.engine().n_features(), 0.0);
  const std::size_t before = found.sparse.size();
  search.replay(arcs, values, &found.sparse);
  found.end_features(values, before);
}

FoundPaths translate(Search& search, const BatchOptions& options) {
  FoundPaths found;
  if (search.complete().empty()) return found;
  if (options.n_best == 1 && !options.confidence) {
    const Item& best = *search.complete().front();
    append(found, search, Search::best_of(best), best.score + static_cast<double>(search.ends().front()),
           options.features);
    return found;
  }
  const auto [graph, graph_arcs] = search_graph(search, false);
  const auto masses = options.confidence ? posteriors(graph, options.scale).arcs : std::vector<double>();
  std::vector<const Arc*> arcs;
  for (const graph::Path& path : n_best(graph, options.n_best, options.distinct)) {
    arcs.clear();
    for (const auto arc : path.arcs) {
      if (arc < graph_arcs.size()) arcs.push_back(graph_arcs[arc]);
    }
    append(found, search, arcs, path.score, options.features);
    if (!options.confidence) continue;
    for (const double each : word_confidence(graph, path, masses))
      found.confidences.push_back(static_cast<float>(each));
  }
  return found;
}

void check(const Engine& engine, const Sentences& sentences, const SourceLabels& labels) {
  if (!labels.offsets.empty() && labels.offsets.size() != sentences.offsets.size()) {
    throw data_error("There must be labels of spans for each of " + std::to_string(sentences.size()) +
                     " sentences, got " + std::to_string(labels.offsets.size() - 1) + ".");
  }
  for (std::size_t i = 0; i + 1 < labels.offsets.size(); ++i) {
    const auto length = static_cast<std::size_t>(sentences.offsets[i + 1] - sentences.offsets[i]);
    for (auto k = static_cast<std::size_t>(labels.offsets[i]); k < static_cast<std::size_t>(labels.offsets[i + 1]);
         ++k) {
      const LabelledSpan& span = labels.spans[k];
      if (span.begin < span.end && span.end <= length && span.label < engine.table().n_source_labels()) continue;
      throw data_error("Sentence " + std::to_string(i + 1) + ": a span from " + std::to_string(span.begin) + " to " +
                       std::to_string(span.end) + " with the label " + std::to_string(span.label) +
                       " is none of a sentence of " + std::to_string(length) + " words and a grammar of " +
                       std::to_string(engine.table().n_source_labels()) + " source labels.");
    }
  }
}

/// Run the search on every sentence and `use(sentence, search)` what it found; the effort of all.
template <class Use>
phrase::Effort search_each(const Engine& engine, const Sentences& sentences, const SourceLabels& labels,
                           const Weights& weights, const DecodeOptions& limits, unsigned n_threads, const Use& use) {
  phrase::check_batch(engine.n_features(), engine.n_given(), sentences, weights, limits);
  check(engine, sentences, labels);
  const auto make = [&] { return std::make_unique<Search>(engine, limits); };
  return phrase::search_all(sentences.size(), n_threads, make, [&](Search& search, std::size_t i) {
    const auto begin = static_cast<std::size_t>(sentences.offsets[i]);
    const auto end = static_cast<std::size_t>(sentences.offsets[i + 1]);
    std::span<const LabelledSpan> own;
    if (!labels.offsets.empty()) {
      const auto first = static_cast<std::size_t>(labels.offsets[i]);
      own = labels.spans.subspan(first, static_cast<std::size_t>(labels.offsets[i + 1]) - first);
    }
    search.run(sentences.words.subspan(begin, end - begin), weights,
               sentences.constraints.empty() ? nullptr : sentences.constraints[i],
               labels.offsets.empty() ? nullptr : &own);
    use(i, search);
  });
}

}  // namespace

Translations decode(const Engine& engine, const Sentences& sentences, const SourceLabels& labels,
                    const Weights& weights, const DecodeOptions& limits, const BatchOptions& options) {
  std::vector<FoundPaths> parts(sentences.size());
  Translations all;
  all.n_features = engine.n_features();
  if (options.summary) all.summaries.resize(sentences.size());
  all.effort =
      search_each(engine, sentences, labels, weights, limits, options.n_threads, [&](std::size_t i, Search& search) {
        parts[i] = translate(search, options);
        if (options.summary) all.summaries[i] = search.summary();
      });
  put_together(parts, all);
  return all;
}

std::vector<graph::Hypergraph> hypergraphs(const Engine& engine, const Sentences& sentences, const SourceLabels& labels,
                                           const Weights& weights, const DecodeOptions& limits, bool features,
                                           unsigned n_threads) {
  std::vector<graph::Hypergraph> graphs(sentences.size());
  search_each(engine, sentences, labels, weights, limits, n_threads,
              [&](std::size_t i, Search& search) { graphs[i] = search_graph(search, features).graph; });
  return graphs;
}

}  // namespace dragoman::chart
