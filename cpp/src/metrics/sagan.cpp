#include "dragoman/metrics/sagan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <unordered_map>
#include <utility>

#include "dragoman/core/errors.hpp"
#include "numbers.hpp"

namespace dragoman::metrics {

namespace {

using Words = std::span<const std::int32_t>;

constexpr std::size_t kMostSaganCells = 1 << 18;
constexpr double kClosest = 10.0;             // Jiang & Conrath's inverse distance, which has no end, is cut here
constexpr double kFarthest = 0.5;             // and begins here: no two meanings are farther than 2
constexpr double kLeast = -2.0, kMost = 1.0;  // of Pirrò & Seco's

template <class T>
std::span<const T> run(std::span<const T> values, std::span<const std::int64_t> offsets, std::int32_t number) {
  const auto first = static_cast<std::size_t>(offsets[index(number)]);
  return values.subspan(first, static_cast<std::size_t>(offsets[index(number) + 1]) - first);
}

/// The nearest, the most informative and the best placed of the nodes above two meanings.
struct Subsumers {
  double length = std::numeric_limits<double>::infinity();
  double content = 0.0;
  double placed = 0.0;  // Wu & Palmer's similarity
};

Subsumers subsumers(std::int32_t a, std::int32_t b, const Meanings& all) {
  const auto up_a = run(all.ancestors, all.ancestor_offsets, a), up_b = run(all.ancestors, all.ancestor_offsets, b);
  const auto far_a = run(all.distances, all.ancestor_offsets, a), far_b = run(all.distances, all.ancestor_offsets, b);
  Subsumers best;
  for (std::size_t i = 0, j = 0; i < up_a.size() && j < up_b.size();) {
    if (up_a[i] != up_b[j]) {
      up_a[i] < up_b[j] ? ++i : ++j;
      continue;
    }
    const double length = far_a[i] + far_b[j], twice = 2.0 * all.depth[index(up_a[i])];
    best.length = std::min(best.length, length);
    best.content = std::max(best.content, all.content[index(up_a[i])]);
    best.placed = std::max(best.placed, twice / (twice + length));
    ++i, ++j;
  }
  return best;
}

WordSimilarity sense_similarity(std::int32_t a, std::int32_t b, const Meanings& all) {
  WordSimilarity values{};
  const auto [length, content, placed] = subsumers(a, b, all);
  if (std::isinf(length)) return values;
  const double both = all.content[index(a)] + all.content[index(b)];
  const double distance = std::max(both - 2.0 * content, 1.0 / kClosest);
  values[0] = content;
  values[1] = both > 0.0 ? 2.0 * content / both : 0.0;
  values[2] = std::max(1.0 / distance - kFarthest, 0.0) / (kClosest - kFarthest);
  values[3] = (std::clamp(3.0 * content - both, kLeast, kMost) - kLeast) / (kMost - kLeast);
  values[4] = placed;
  values[5] = 1.0 / (1.0 + length);
  values[6] = std::max(1.0 - std::log(length + 1.0) / all.span[index(a)], 0.0);
  return values;
}

/// The weight of the heaviest matching of rows and columns, no more rows than columns, by the Hungarian method.
double heaviest_matching(const std::vector<double>& weights, std::size_t n_rows, std::size_t n_columns) {
  std::vector<double> row(n_rows + 1), column(n_columns + 1), slack(n_columns + 1);
  std::vector<std::size_t> owner(n_columns + 1), way(n_columns + 1);
  std::vector<char> done(n_columns + 1);
  for (std::size_t i = 1; i <= n_rows; ++i) {
    owner[0] = i;
    std::size_t at = 0;
    std::ranges::fill(slack, std::numeric_limits<double>::infinity());
    std::ranges::fill(done, 0);
    do {
      done[at] = 1;
      const std::size_t own = owner[at];
      double least = std::numeric_limits<double>::infinity();
      std::size_t next = 0;
      for (std::size_t j = 1; j <= n_columns; ++j) {
        if (done[j]) continue;
        const double cost = -weights[(own - 1) * n_columns + j - 1] - row[own] - column[j];
        if (cost < slack[j]) slack[j] = cost, way[j] = at;
        if (slack[j] < least) least = slack[j], next = j;
      }
      for (std::size_t j = 0; j <= n_columns; ++j) {
        if (done[j]) {
          row[owner[j]] += least, column[j] -= least;
        } else {
          slack[j] -= least;
        }
      }
      at = next;
    } while (owner[at] != 0);
    for (; at != 0; at = way[at]) owner[at] = owner[way[at]];
  }
  double sum = 0.0;
  for (std::size_t j = 1; j <= n_columns; ++j) {
    if (owner[j] != 0) sum += weights[(owner[j] - 1) * n_columns + j - 1];
  }
  return sum;
}

}  // namespace

Ancestry ancestry(std::span<const std::int32_t> parents, std::span<const std::int64_t> offsets) {
  const std::size_t n = offsets.size() - 1;
  Ancestry result;
  result.offsets.push_back(0);
  result.n_below.assign(n, 0);
  std::vector<std::pair<std::int32_t, std::int32_t>> above;  // node and distance, nearest first
  std::vector<std::int32_t> met(n, -1);
  for (std::size_t start = 0; start < n; ++start) {
    const auto own = static_cast<std::int32_t>(start);
    above.assign(1, {own, 0});
    met[start] = own;
    for (std::size_t k = 0; k < above.size(); ++k) {
      for (const std::int32_t parent : run(parents, offsets, above[k].first)) {
        if (std::exchange(met[index(parent)], own) != own) above.emplace_back(parent, above[k].second + 1);
      }
    }
    std::ranges::sort(above);
    for (const auto& [node, distance] : above) {
      result.ancestors.push_back(node);
      result.distances.push_back(distance);
      ++result.n_below[index(node)];
    }
    result.offsets.push_back(static_cast<std::int64_t>(result.ancestors.size()));
  }
  return result;
}

WordSimilarity word_similarity(std::int32_t a, std::int32_t b, const Meanings& meanings) {
  WordSimilarity best{};
  const bool is_same = meanings.lemmas[index(a)] == meanings.lemmas[index(b)];
  for (const std::int32_t own : run(meanings.senses, meanings.sense_offsets, a)) {
    for (const std::int32_t other : run(meanings.senses, meanings.sense_offsets, b)) {
      if (is_same || own == other) return {1, 1, 1, 1, 1, 1, 1};
      const WordSimilarity values = sense_similarity(own, other, meanings);
      for (std::size_t k = 0; k < best.size(); ++k) best[k] = std::max(best[k], values[k]);
    }
  }
  if (is_same) best.fill(1.0);
  return best;
}

std::array<double, kSaganFeatures> sagan(Words hyp, Words ref, const Meanings& meanings) {
  std::array<double, kSaganFeatures> features;
  features.fill(hyp.empty() && ref.empty() ? 1.0 : 0.0);
  if (hyp.empty() || ref.empty()) return features;
  if (hyp.size() * ref.size() > kMostSaganCells) {
    throw segment_error("too long for SAGAN: " + std::to_string(hyp.size()) + " words against " +
                        std::to_string(ref.size()) + ". Cut it into sentences.");
  }
  const Words rows = hyp.size() <= ref.size() ? hyp : ref, columns = hyp.size() <= ref.size() ? ref : hyp;
  std::array<std::vector<double>, kSaganFeatures> weights;
  for (auto& each : weights) each.reserve(rows.size() * columns.size());
  std::unordered_map<std::int64_t, WordSimilarity> known;
  for (const std::int32_t a : rows) {
    for (const std::int32_t b : columns) {
      const auto [at, is_new] = known.try_emplace((static_cast<std::int64_t>(a) << 32) | b);
      if (is_new) at->second = word_similarity(a, b, meanings);
      for (std::size_t k = 0; k < kWordSimilarities; ++k) weights[k].push_back(at->second[k]);
      weights.back().push_back(std::ranges::max(at->second));
    }
  }
  const double n_words = static_cast<double>(hyp.size() + ref.size());
  for (std::size_t k = 0; k < kSaganFeatures; ++k) {
    features[k] = 2.0 * heaviest_matching(weights[k], rows.size(), columns.size()) / n_words;
  }
  return features;
}

}  // namespace dragoman::metrics
