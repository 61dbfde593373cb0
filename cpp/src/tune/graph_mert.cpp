#include "dragoman/tune/graph_mert.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"
#include "dragoman/tune/line_search.hpp"

namespace dragoman::tune {

namespace {

using graph::Hypergraph;
using graph::TokenId;

/// What lies on a line through the weights: for each segment the candidates that are best somewhere on it.
class GraphAscent {
 public:
  GraphAscent(const GraphLists& graphs, const Objective& objective, const ScoreTexts& score, std::size_t n_stats,
              std::span<const double> scales, const MertOptions& options)
      : graphs_(&graphs),
        objective_(&objective),
        score_(&score),
        n_stats_(n_stats),
        scales_(scales),
        options_(&options),
        rows_(graphs.size()) {
    for (std::size_t f = 0; f < scales.size(); ++f) {
      if (scales[f] > 0) axes_.push_back(f);
    }
  }

  Summit run(std::span<const double> start, CounterStream stream) {
    stream_ = stream;
    drawn_ = 0;
    Summit summit;
    summit.weights.assign(start.begin(), start.end());
    std::vector<double> direction(scales_.size(), 0.0);
    // A line that leads nowhere: the best way of each segment, wherever one stands on it.
    summit.value = summit.start_value = along(summit.weights, direction).value;
    for (; summit.sweeps < options_->most_sweeps; ++summit.sweeps) {
      const double before = summit.value;
      for (std::size_t i = axes_.size(); i > 1; --i) {
        std::swap(axes_[i - 1], axes_[stream_.below(drawn_++, static_cast<std::uint32_t>(i))]);
      }
      for (const std::size_t f : axes_) {
        std::ranges::fill(direction, 0.0);
        direction[f] = 1;
        step(summit, direction);
      }
      for (unsigned r = 0; r < options_->random_directions; ++r) {
        std::ranges::fill(direction, 0.0);
        for (unsigned k = 0; k < options_->features_of_direction && !axes_.empty(); ++k) {
          const std::size_t f = axes_[stream_.below(drawn_++, static_cast<std::uint32_t>(axes_.size()))];
          const double uniform = static_cast<double>(stream_.bits(drawn_++) >> 11) * 0x1p-53;
          direction[f] = scales_[f] * (2 * uniform - 1);
        }
        step(summit, direction);
      }
      if (summit.value - before < options_->tolerance) break;
    }
    return summit;
  }

  std::uint64_t n_texts() const noexcept { return n_texts_; }

 private:
  struct Found {
    double score, slope;
    std::vector<TokenId> words;
  };

  void step(Summit& summit, const std::vector<double>& direction) {
    ++summit.searches;
    const Step found = along(summit.weights, direction);
    if (found.t == 0 || found.value <= summit.value) return;
    summit.value = found.value;
    for (std::size_t f = 0; f < direction.size(); ++f) summit.weights[f] += found.t * direction[f];
  }

  static std::vector<double> dots(const Hypergraph& graph, std::span<const double> weights) {
    std::vector<double> sums(graph.arcs().size(), 0.0);
    const std::size_t width = graph.n_features();
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const float* const row = graph.features().data() + i * width;
      for (std::size_t f = 0; f < width; ++f) sums[i] += weights[f] * static_cast<double>(row[f]);
    }
    return sums;
  }

  Step along(std::span<const double> weights, std::span<const double> direction) {
    std::vector<std::vector<Found>> lists(graphs_->size());
    for_each_chunk(graphs_->size(), options_->n_threads, [&](const Chunk& chunk) {
      for (std::size_t segment = chunk.begin; segment < chunk.end; ++segment) {
        for (const Hypergraph* graph : (*graphs_)[segment]) {
          const auto scores = dots(*graph, weights), slopes = dots(*graph, direction);
          for (const EnvelopeLine& line : envelope(*graph, scores, slopes)) {
            lists[segment].push_back({line.score, line.slope, words_of(*graph, line.path)});
          }
        }
      }
    });
    // Translations that are new to their segment are scored together, in the order of the segments.
    Texts fresh;
    std::vector<std::vector<double>*> places;
    for (std::size_t segment = 0; segment < lists.size(); ++segment) {
      if (lists[segment].empty()) throw data_error("Segment " + std::to_string(segment + 1) + " has no translation.");
      for (const Found& found : lists[segment]) {
        const auto [place, is_new] = rows_[segment].try_emplace(found.words);
        if (!is_new) continue;
        places.push_back(&place->second);
        fresh.segments.push_back(static_cast<std::int64_t>(segment));
        fresh.words.insert(fresh.words.end(), found.words.begin(), found.words.end());
        fresh.offsets.push_back(static_cast<std::int64_t>(fresh.words.size()));
      }
    }
    if (!places.empty()) {
      const std::vector<double> stats = (*score_)(fresh);
      if (stats.size() != places.size() * n_stats_) throw data_error("Every translation needs a row of statistics.");
      for (std::size_t i = 0; i < places.size(); ++i) {
        const auto row = stats.begin() + static_cast<std::ptrdiff_t>(i * n_stats_);
        places[i]->assign(row, row + static_cast<std::ptrdiff_t>(n_stats_));
      }
      n_texts_ += places.size();
    }
    std::vector<double> stats, scores, slopes;
    std::vector<std::int64_t> offsets{0};
    for (std::size_t segment = 0; segment < lists.size(); ++segment) {
      for (const Found& found : lists[segment]) {
        const auto& row = rows_[segment].find(found.words)->second;
        stats.insert(stats.end(), row.begin(), row.end());
        scores.push_back(found.score);
        slopes.push_back(found.slope);
      }
      offsets.push_back(static_cast<std::int64_t>(scores.size()));
    }
    const Candidates candidates{{}, stats, offsets, 0, n_stats_};
    return LineSearch(candidates, *objective_).best(scores, slopes);
  }

  const GraphLists* graphs_;
  const Objective* objective_;
  const ScoreTexts* score_;
  std::size_t n_stats_;
  std::span<const double> scales_;
  const MertOptions* options_;
  std::vector<std::size_t> axes_;
  std::vector<std::map<std::vector<TokenId>, std::vector<double>>> rows_;
  CounterStream stream_{0};
  std::uint64_t drawn_ = 0, n_texts_ = 0;
};

}  // namespace

GraphSummits ascend_graphs(const GraphLists& graphs, const Objective& objective, const ScoreTexts& score,
                           std::size_t n_stats, std::span<const double> starts, std::span<const double> scales,
                           CounterStream stream, const MertOptions& options) {
  for (std::size_t segment = 0; segment < graphs.size(); ++segment) {
    for (const Hypergraph* graph : graphs[segment]) {
      if (graph->n_features() != scales.size()) {
        throw data_error("A graph of segment " + std::to_string(segment + 1) + " has " +
                         std::to_string(graph->n_features()) + " features for each arc; there are " +
                         std::to_string(scales.size()) + " scales.");
      }
    }
  }
  GraphSummits found;
  for (std::size_t i = 0; i * scales.size() < starts.size(); ++i) {
    GraphAscent ascent(graphs, objective, score, n_stats, scales, options);
    found.summits.push_back(ascent.run(starts.subspan(i * scales.size(), scales.size()), {stream.bits(i)}));
    found.n_texts += ascent.n_texts();
  }
  return found;
}

}  // namespace dragoman::tune
