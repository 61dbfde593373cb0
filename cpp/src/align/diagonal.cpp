#include "dragoman/align/diagonal.hpp"

#include <algorithm>
#include <cmath>

#include "dragoman/core/parallel.hpp"

namespace dragoman::align {

namespace {

constexpr std::size_t kMostCells = 1 << 23;  // kept for sizes that come again: 64 MB a thread

/// The distance of source word s of n_source from target word t of n_target, counted from 1 as in the paper.
double distance(std::size_t s, std::size_t n_source, std::size_t t, std::size_t n_target) {
  return std::fabs(static_cast<double>(s) / static_cast<double>(n_source) -
                   static_cast<double>(t) / static_cast<double>(n_target));
}

/// Calls `visit(s, weight)` with e^(−tension · distance) for all source words (from 1 on) of target word t; going away
/// from the diagonal, every step of one source word costs the same factor, so that two exponentials do.
template <class Visit>
void weigh(double tension, double step, std::size_t n_source, std::size_t t, std::size_t n_target, const Visit& visit) {
  const double middle = static_cast<double>(t) * static_cast<double>(n_source) / static_cast<double>(n_target);
  const auto below = std::min<std::size_t>(n_source, static_cast<std::size_t>(middle));  // words 1 … below lie before
  double weight = below > 0 ? std::exp(-tension * distance(below, n_source, t, n_target)) : 0;
  for (std::size_t s = below; s > 0; --s, weight *= step) visit(s, weight);
  weight = below < n_source ? std::exp(-tension * distance(below + 1, n_source, t, n_target)) : 0;
  for (std::size_t s = below + 1; s <= n_source; ++s, weight *= step) visit(s, weight);
}

/// The distance from the diagonal that a tension expects, over all target words of the corpus.
double expected_distance(const Sizes& sizes, double tension) {
  double total = 0;
  for (const auto& [size, n] : sizes) {
    const auto [n_source, n_target] = size;
    if (n_source == 0) continue;
    const double step = std::exp(-tension / static_cast<double>(n_source));
    double sum = 0;
    for (std::size_t t = 1; t <= n_target; ++t) {
      double mass = 0, moment = 0;
      weigh(tension, step, n_source, t, n_target, [&](std::size_t s, double weight) {
        mass += weight;
        moment += weight * distance(s, n_source, t, n_target);
      });
      sum += moment / mass;
    }
    total += static_cast<double>(n) * sum;
  }
  return total;
}

/// The posteriors of a sentence: p(place) · p(word), normalised over the source words. Scratch of one thread.
class Sentence {
 public:
  /// Joint probabilities and their sums by target word. False if the anchors leave a word without a source word.
  void weigh(std::span<const float> p_places, std::span<const float> p_words, std::span<const std::uint32_t> places,
             std::size_t n_source, std::size_t n_target, std::span<const std::int32_t> anchors) {
    joint_.resize(places.size());
    totals_.assign(n_target, 0);
    for (std::size_t at = 0; at < places.size(); ++at) {
      // A pair that the table lacks stands behind its end.
      const float p = places[at] < p_words.size() ? p_words[places[at]] : kLeastP;
      joint_[at] = p_places[at] * p;
    }
    if (!anchors.empty()) {
      mask_.set(anchors, n_source, n_target);
      mask_.apply(std::span(joint_));
    }
    for (std::size_t s = 0; s <= n_source; ++s) {
      for (std::size_t t = 0; t < n_target; ++t) totals_[t] += joint_[s * n_target + t];
    }
    log_likelihood_ = 0;
    for (const float total : totals_) log_likelihood_ += total > 0 ? std::log(static_cast<double>(total)) : 0;
  }

  std::span<float> joint() noexcept { return joint_; }
  std::span<float> totals() noexcept { return totals_; }
  double log_likelihood() const noexcept { return log_likelihood_; }
  /// What makes `unit` of each target word's probabilities; 0 for a word that nothing may be linked to.
  std::span<const float> scales(float unit) {
    scales_.resize(totals_.size());
    for (std::size_t t = 0; t < totals_.size(); ++t) scales_[t] = totals_[t] > 0 ? unit / totals_[t] : 0;
    return scales_;
  }

 private:
  std::vector<float> joint_, totals_, scales_;
  Mask mask_;
  double log_likelihood_ = 0;
};

}  // namespace

PlacePriors::Matrices PlacePriors::of(std::size_t n_source, std::size_t n_target) {
  const std::size_t n_cells = (n_source + 1) * n_target;
  if (kept_.size() <= n_source) kept_.resize(n_source + 1);
  auto& row = kept_[n_source];
  if (row.size() <= n_target) row.resize(n_target + 1);
  Kept* kept = &row[n_target];
  if (kept->p.empty() && n_cells_ + n_cells > kMostCells) kept = &last_;
  if (kept == &last_ || kept->p.empty()) {
    fill(n_source, n_target, *kept);
    if (kept != &last_) n_cells_ += n_cells;
  }
  return {kept->p, kept->distance};
}

void PlacePriors::fill(std::size_t n_source, std::size_t n_target, Kept& kept) const {
  kept.p.assign((n_source + 1) * n_target, 0);
  kept.distance.assign((n_source + 1) * n_target, 0);
  const double p_null = p_null_ < 0 ? 1 / static_cast<double>(n_source + 1) : n_source == 0 ? 1 : p_null_;
  const double step = n_source ? std::exp(-tension_ / static_cast<double>(n_source)) : 1;
  for (std::size_t t = 1; t <= n_target; ++t) {
    kept.p[t - 1] = static_cast<float>(p_null);
    double total = 0;
    weigh(tension_, step, n_source, t, n_target, [&](std::size_t, double weight) { total += weight; });
    weigh(tension_, step, n_source, t, n_target, [&](std::size_t s, double weight) {
      kept.p[s * n_target + t - 1] = static_cast<float>(weight / total * (1 - p_null));
      kept.distance[s * n_target + t - 1] = static_cast<float>(distance(s, n_source, t, n_target));
    });
  }
}

DiagonalCounts expect_diagonal(std::span<const float> p, const PlacesView& places, const Side& source,
                               const Side& target, const Anchors& anchors, const DiagonalOptions& options,
                               std::span<double> log_likelihoods) {
  DiagonalCounts sums{std::vector<std::uint64_t>(p.size(), 0), 0};
  std::uint64_t* const counts = sums.pairs.data();
  PlacePriors priors(options.tension, options.p_null);
  Sentence sentence;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const std::size_t n_source = source.sentence(i).size(), n_target = target.sentence(i).size();
    const auto [p_places, distances] = priors.of(n_source, n_target);
    const auto at = places.sentence(i);
    sentence.weigh(p_places, p, at, n_source, n_target, anchors.sentence(i));
    log_likelihoods[i] = sentence.log_likelihood();
    const auto scales = sentence.scales(static_cast<float>(kUnit));
    const auto joint = sentence.joint();
    for (std::size_t s = 0; s <= n_source; ++s) {
      float* const row = joint.data() + s * n_target;
      for (std::size_t t = 0; t < n_target; ++t) row[t] *= scales[t];
    }
    // At most 2^30 and a rounding error, which an int32 holds; SSE2 converts four at once.
    for (std::size_t k = 0; k < at.size(); ++k) {
      counts[at[k]] += static_cast<std::uint64_t>(static_cast<std::int32_t>(joint[k] + 0.5F));
    }
    if (options.learn_tension) {
      float moment = 0;
      for (std::size_t k = n_target; k < at.size(); ++k) moment += joint[k] * distances[k];
      sums.distance += static_cast<std::uint64_t>(moment);
    }
  }
  return sums;
}

double next_tension(const Sizes& sizes, std::size_t n_words, double tension, std::uint64_t distance,
                    std::uint64_t null) {
  // Steps and bounds of fast_align: the expected distances of the posteriors and of the prior alone are made equal by a
  // few steps of gradient descent. Unlike there, words that the empty word takes count in neither mean, and the prior's
  // is exact (on Multi30k en-de at tension 4 it is 0.191; systran-align, fast_align's code, prints 0.179).
  const double aligned = static_cast<double>(n_words) - static_cast<double>(null) / kUnit;
  const double wanted = aligned > 0 ? static_cast<double>(distance) / kUnit / aligned : 0;
  for (unsigned step = 0; step < 8; ++step) {
    const double now = expected_distance(sizes, tension) / static_cast<double>(n_words);
    tension = std::clamp(tension + (now - wanted) * 20, 0.1, 14.0);
  }
  return tension;
}

double train_rounds(LexicalTable& table, const Places& places, const Side& source, const Side& target,
                    const Given& given, std::span<const float> prior, const DiagonalOptions& options,
                    std::vector<Round>& rounds) {
  const std::size_t n = source.size();
  Sizes sizes;
  std::size_t n_words = 0;
  for (std::size_t i = 0; i < n; ++i) {
    ++sizes[{source.sentence(i).size(), target.sentence(i).size()}];
    n_words += target.sentence(i).size();
  }
  DiagonalOptions now(options);
  now.learn_tension = options.learn_tension && options.tension > 0 && n_words > 0;
  std::vector<DiagonalCounts> sums(std::max<std::size_t>(1, std::min<std::size_t>(options.n_threads, n)));
  std::vector<double> log_likelihoods(n);  // by sentence, added in their order
  for (unsigned round = 0; round < options.n_rounds; ++round) {
    for_each_chunk(n, options.n_threads, [&](const Chunk& chunk) {
      sums[chunk.index] =
          expect_diagonal(table.p, {places, chunk.begin, chunk.end}, source.part(chunk.begin, chunk.end),
                          target.part(chunk.begin, chunk.end), given.anchors.part(chunk.begin, chunk.end), now,
                          std::span(log_likelihoods).subspan(chunk.begin, chunk.end - chunk.begin));
    });
    for (std::size_t part = 1; part < sums.size(); ++part) {
      for (std::size_t at = 0; at < sums[0].pairs.size(); ++at) sums[0].pairs[at] += sums[part].pairs[at];
      sums[0].distance += sums[part].distance;
    }
    double log_likelihood = 0;
    for (const double each : log_likelihoods) log_likelihood += each;
    rounds.push_back({log_likelihood, now.tension});
    if (n > 0) estimate(table, sums[0].pairs, {options.alpha, prior}, options.n_threads);
    if (now.learn_tension && round > 0) {
      std::uint64_t null = 0;
      for (auto at = table.rows[0]; at < table.rows[1]; ++at) null += sums[0].pairs[static_cast<std::size_t>(at)];
      now.tension = next_tension(sizes, n_words, now.tension, sums[0].distance, null);
    }
  }
  return now.tension;
}

DiagonalModel train_diagonal(const Side& source, const Side& target, const Given& given,
                             const DiagonalOptions& options) {
  DiagonalModel model;
  Places places;
  model.table = collect_pairs(source, target, places);
  std::fill(model.table.p.begin(), model.table.p.end(), 1e-5F);  // the first round sees positions alone
  const auto prior =
      given.pairs.sources.empty() ? std::vector<float>() : place_weights(model.table.view(), given.pairs);
  model.tension = train_rounds(model.table, places, source, target, given, prior, options, model.rounds);
  model.table = without_least(model.table);
  return model;
}

Inference align_diagonal(const TableView& table, const Side& source, const Side& target, const Anchors& anchors,
                         const DiagonalOptions& options, bool posteriors) {
  Outcome outcome(source, target, posteriors);
  for_each_chunk(source.size(), options.n_threads, [&](const Chunk& chunk) {
    const Side from = source.part(chunk.begin, chunk.end), to = target.part(chunk.begin, chunk.end);
    const Places places = find_places(table, from, to);
    PlacePriors priors(options.tension, options.p_null);
    Sentence sentence;
    for (std::size_t i = 0; i < from.size(); ++i) {
      const std::size_t n_source = from.sentence(i).size(), n_target = to.sentence(i).size();
      sentence.weigh(priors.of(n_source, n_target).p, table.p, places.sentence(i), n_source, n_target,
                     anchors.sentence(chunk.begin + i));
      const auto scales = sentence.scales(1);
      const auto joint = sentence.joint();
      for (std::size_t s = 0; s <= n_source; ++s) {
        for (std::size_t t = 0; t < n_target; ++t) joint[s * n_target + t] *= scales[t];
      }
      outcome.take(chunk.begin + i, joint, sentence.log_likelihood());
    }
  });
  return outcome.give();
}

}  // namespace dragoman::align
