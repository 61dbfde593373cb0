#include "dragoman/align/sampler.hpp"

#include <algorithm>
#include <cmath>

#include "dragoman/align/diagonal.hpp"
#include "dragoman/align/hmm.hpp"
#include "dragoman/core/parallel.hpp"
#include "gibbs.hpp"

namespace dragoman::align {

namespace {

std::size_t longest(const Side& side) {
  std::size_t most = 0;
  for (std::size_t i = 0; i < side.size(); ++i) most = std::max(most, side.sentence(i).size());
  return most;
}

/// Word counts of one sampler, with the probabilities integrated out: (n + α) / (n of the row + α · pairs of the row).
struct Counts {
  std::vector<float> pairs;            // count and pseudo-count by place
  std::vector<float> totals, inverse;  // by row

  Counts(const LexicalTable& table, double alpha, std::span<const float> prior)
      : pairs(table.n_pairs(), static_cast<float>(alpha)), totals(table.rows.size() - 1) {
    for (std::size_t at = 0; at < prior.size(); ++at) pairs[at] += prior[at];
    inverse.resize(totals.size());
    for (std::size_t row = 0; row < totals.size(); ++row) {
      double sum = 0;
      for (auto at = table.rows[row]; at < table.rows[row + 1]; ++at)
        sum += static_cast<double>(pairs[static_cast<std::size_t>(at)]);
      totals[row] = static_cast<float>(sum);
      inverse[row] = sum > 0 ? static_cast<float>(1 / sum) : 0;
    }
  }
};

/// The counts as one sentence pair sees them.
struct SentenceCounts {
  Counts& counts;
  std::span<const std::uint32_t> places;
  std::span<const TokenId> source;
  std::size_t n_target;

  std::size_t row(std::size_t s) const noexcept { return s ? static_cast<std::size_t>(source[s - 1] + 1) : 0; }
  float weight(std::size_t s, std::size_t t) const noexcept {
    return counts.pairs[places[s * n_target + t]] * counts.inverse[row(s)];
  }
  void change(std::size_t s, std::size_t t, float by) const noexcept {
    const std::size_t r = row(s);
    counts.pairs[places[s * n_target + t]] += by;
    counts.totals[r] += by;
    counts.inverse[r] = 1 / counts.totals[r];
  }
  void remove(std::size_t s, std::size_t t) const noexcept { change(s, t, -1); }
  void add(std::size_t s, std::size_t t) const noexcept { change(s, t, 1); }
};

/// Probabilities that do not change, of one sentence pair.
struct FixedWeights {
  std::span<const float> p;
  std::size_t n_target;
  float weight(std::size_t s, std::size_t t) const noexcept { return p[s * n_target + t]; }
  void remove(std::size_t, std::size_t) const noexcept {}
  void add(std::size_t, std::size_t) const noexcept {}
};

/// How often jumps and fertilities were met.
struct Uses {
  std::vector<double> jumps;
  std::vector<float> fertilities;

  Uses(std::size_t max_jump, std::size_t n_words)
      : jumps(2 * max_jump + 3, 0), fertilities(n_words * kFertilities, 0) {}

  void count(const Jumps& shape, std::span<const TokenId> source, std::span<const std::int32_t> links,
             std::span<const std::uint32_t> n_linked) {
    std::size_t from = 0;
    for (const std::int32_t link : links) {
      if (link == kNull) continue;
      ++jumps[shape.index(from, static_cast<std::size_t>(link))];
      from = static_cast<std::size_t>(link) + 1;
    }
    ++jumps[shape.index(from, source.size())];  // to the end, as eflomal counts it
    for (std::size_t s = 0; s < source.size(); ++s) {
      const std::size_t f = std::min<std::size_t>(n_linked[s], kFertilities - 1);
      ++fertilities[static_cast<std::size_t>(source[s]) * kFertilities + f];
    }
  }

  std::vector<double> jump_weights(double alpha) const {
    std::vector<double> weights(jumps);
    double total = 0;
    for (double& weight : weights) total += weight += alpha;
    for (double& weight : weights) weight /= total;
    return weights;
  }

  /// Counts of each word and, as pseudo-counts, those of all.
  std::vector<float> fertility_p(double alpha) const {
    std::vector<double> all(kFertilities, 1);
    for (std::size_t at = 0; at < fertilities.size(); ++at)
      all[at % kFertilities] += static_cast<double>(fertilities[at]);
    double total = 0;
    for (const double each : all) total += each;
    std::vector<float> p(fertilities.size());
    for (std::size_t at = 0; at < p.size(); at += kFertilities) {
      double n = alpha;
      for (std::size_t f = 0; f < kFertilities; ++f) n += static_cast<double>(fertilities[at + f]);
      for (std::size_t f = 0; f < kFertilities; ++f) {
        p[at + f] = static_cast<float>((static_cast<double>(fertilities[at + f]) + alpha * all[f] / total) / n);
      }
    }
    return p;
  }

  void add(const Uses& other) {
    for (std::size_t at = 0; at < jumps.size(); ++at) jumps[at] += other.jumps[at];
    for (std::size_t at = 0; at < fertilities.size(); ++at) fertilities[at] += other.fertilities[at];
  }
};

/// What one sampler leaves: posteriors by token pair, and uses, of the sweeps kept.
struct Kept {
  std::vector<float> posteriors;
  Uses uses;
};

Kept run_sampler(const LexicalTable& start, const Places& places, const Side& source, const Side& target,
                 const Given& given, std::span<const float> prior, const SamplerOptions& options, std::size_t number) {
  const std::size_t n = source.size();
  const CounterStream random{CounterStream{options.key}.bits(number)};
  std::uint64_t counter = 0;
  Counts counts(start, options.alpha, prior);
  std::vector<std::int32_t> links(target.words.size());
  Mask mask;
  std::vector<float> weights;
  for (std::size_t i = 0; i < n; ++i) {
    const auto from = source.sentence(i);
    const auto at = places.sentence(i);
    const std::size_t n_target = target.sentence(i).size();
    SentenceCounts words{counts, at, from, n_target};
    if (!given.anchors.sentence(i).empty()) mask.set(given.anchors.sentence(i), from.size(), n_target);
    for (std::size_t t = 0; t < n_target; ++t) {
      weights.resize(from.size() + 1);
      double total = 0;
      for (std::size_t s = 0; s < weights.size(); ++s) {
        const bool allowed = given.anchors.sentence(i).empty() || mask.allowed()[s * n_target + t];
        weights[s] = allowed ? start.p[at[s * n_target + t]] : 0;
        total += static_cast<double>(weights[s]);
      }
      double left = static_cast<double>(random.bits(counter++) >> 11) * 0x1p-53 * total;
      std::size_t drawn = 0;
      for (std::size_t s = 0; s < weights.size(); ++s) {
        if (weights[s] <= 0) continue;
        drawn = s;
        left -= static_cast<double>(weights[s]);
        if (left < 0) break;
      }
      words.add(drawn, t);
      links[static_cast<std::size_t>(target.offsets[i]) + t] = static_cast<std::int32_t>(drawn) - 1;
    }
  }

  const std::size_t n_words = start.rows.size() - 2;
  const Jumps shape(options.max_jump);
  Kept kept{std::vector<float>(places.places.size(), 0), Uses(options.max_jump, n_words)};
  // Jumps of the first links. Were all widths alike, a link would cost two jumps of low probability and none only one.
  Uses first(options.max_jump, n_words);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t n_target = target.sentence(i).size();
    const auto mine = std::span(links).subspan(static_cast<std::size_t>(target.offsets[i]), n_target);
    first.count(shape, source.sentence(i), mine, std::vector<std::uint32_t>(source.sentence(i).size()));
  }
  Jumps jumps(first.jump_weights(options.jump_alpha));
  FertilityRatios fertilities;
  GibbsSentence sentence;
  const std::size_t most = longest(source);
  const unsigned n_sweeps = options.n_jump_sweeps + options.n_sweeps;
  for (unsigned sweep = 0; sweep < n_sweeps; ++sweep) {
    const bool keeps = sweep + options.n_kept >= n_sweeps;
    const JumpTable table(jumps, most);
    Uses uses(options.max_jump, n_words);
    for (std::size_t i = 0; i < n; ++i) {
      const auto from = source.sentence(i);
      const std::size_t n_target = target.sentence(i).size();
      const auto mine = std::span(links).subspan(static_cast<std::size_t>(target.offsets[i]), n_target);
      SentenceCounts words{counts, places.sentence(i), from, n_target};
      const auto anchors = given.anchors.sentence(i);
      if (!anchors.empty()) mask.set(anchors, from.size(), n_target);
      sentence.resample(words, from, mine, table, fertilities, options.p_null, anchors.empty() ? nullptr : &mask,
                        random, counter, keeps ? kept.posteriors.data() + places.offsets[i] : nullptr);
      uses.count(shape, from, mine, sentence.n_linked());
    }
    jumps = Jumps(uses.jump_weights(options.jump_alpha));
    if (sweep + 1 >= options.n_jump_sweeps) fertilities = FertilityRatios(uses.fertility_p(options.fertility_alpha));
    if (keeps) kept.uses.add(uses);
  }
  return kept;
}

}  // namespace

SamplerModel train_sampler(const Side& source, const Side& target, const Given& given, const SamplerOptions& asked,
                           bool posteriors) {
  SamplerOptions options(asked);
  if (options.n_sweeps == 0) {
    // As eflomal does, by the square root of the number of sentences: more text is more words drawn in each sweep.
    const double sweeps = 2700 / std::sqrt(static_cast<double>(std::max<std::size_t>(1, source.size())));
    options.n_sweeps = static_cast<unsigned>(std::clamp(sweeps, 24.0, 96.0));
    options.n_jump_sweeps = options.n_sweeps / 3;
    options.n_kept = options.n_sweeps / 2;
  }
  // Widths that no sentence has room for would only take pseudo-counts.
  options.max_jump = std::max(1U, std::min(options.max_jump, static_cast<unsigned>(longest(source))));
  Places places;
  LexicalTable start = collect_pairs(source, target, places);
  std::fill(start.p.begin(), start.p.end(), 1e-5F);
  const auto prior = given.pairs.sources.empty() ? std::vector<float>() : place_weights(start.view(), given.pairs);
  DiagonalOptions em;
  em.n_rounds = options.n_start_rounds;
  em.p_null = -1;
  em.tension = 0;
  em.n_threads = options.n_threads;
  std::vector<Round> rounds;
  train_rounds(start, places, source, target, given, prior, em, rounds);

  const std::size_t n_samplers = options.n_samplers;
  std::vector<Kept> all(n_samplers, Kept{{}, Uses(options.max_jump, start.rows.size() - 2)});
  for_each_chunk(n_samplers, options.n_threads, [&](const Chunk& chunk) {
    for (std::size_t k = chunk.begin; k < chunk.end; ++k) {
      all[k] = run_sampler(start, places, source, target, given, prior, options, k);
    }
  });
  // In the order of the samplers, whoever ran them; then every expected link counts once.
  std::vector<std::uint64_t> counts(start.n_pairs(), 0);
  std::vector<float> means(places.places.size());
  const double share = 1 / static_cast<double>(n_samplers * options.n_kept);
  for (std::size_t at = 0; at < means.size(); ++at) {
    double sum = 0;
    for (const Kept& each : all) sum += static_cast<double>(each.posteriors[at]);
    means[at] = static_cast<float>(sum * share);
    counts[places.places[at]] += static_cast<std::uint64_t>(sum * share * kUnit + 0.5);
  }
  Uses uses(options.max_jump, start.rows.size() - 2);
  for (const Kept& each : all) uses.add(each.uses);
  const float sweeps = static_cast<float>(n_samplers * options.n_kept);
  for (float& each : uses.fertilities) each /= sweeps;
  std::vector<float> pseudo(start.n_pairs(), static_cast<float>(options.alpha));
  for (std::size_t at = 0; at < prior.size(); ++at) pseudo[at] += prior[at];
  estimate(start, counts, {0, pseudo}, options.n_threads);
  for (std::size_t at = 0; at < start.n_pairs(); ++at) {
    // A pair that was hardly ever linked is not worth its room in the model.
    if (static_cast<double>(counts[at]) < options.alpha * kUnit) start.p[at] = std::min(start.p[at], kLeastP);
  }
  const auto jumps = uses.jump_weights(options.jump_alpha);
  Outcome outcome(source, target, posteriors);
  for_each_chunk(source.size(), options.n_threads, [&](const Chunk& chunk) {
    const Jumps shape(jumps);
    HmmSentence hmm(shape, options.p_null);
    for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
      const auto at = places.sentence(i);
      hmm.run(start.p, at, source.sentence(i).size(), target.sentence(i).size(), given.anchors.sentence(i));
      outcome.take(i, std::span(means).subspan(places.offsets[i], at.size()), hmm.log_likelihood());
    }
  });
  return {without_least(start), jumps, uses.fertility_p(options.fertility_alpha), outcome.give()};
}

Inference align_sampler(const TableView& table, std::span<const double> jumps, std::span<const float> fertilities,
                        const Side& source, const Side& target, const Anchors& anchors, const SamplerOptions& options,
                        bool posteriors) {
  Outcome outcome(source, target, posteriors);
  const Jumps shape(std::vector<double>(jumps.begin(), jumps.end()));
  const FertilityRatios ratios(fertilities);
  const JumpTable jump_table(shape, longest(source));
  for_each_chunk(source.size(), options.n_threads, [&](const Chunk& chunk) {
    const Side from = source.part(chunk.begin, chunk.end), to = target.part(chunk.begin, chunk.end);
    const Places places = find_places(table, from, to);
    HmmSentence hmm(shape, options.p_null);
    GibbsSentence sentence;
    Mask mask;
    std::vector<float> p, kept;
    std::vector<std::int32_t> links;
    for (std::size_t i = 0; i < from.size(); ++i) {
      const auto words = from.sentence(i);
      const std::size_t n_target = to.sentence(i).size();
      const auto known = anchors.sentence(chunk.begin + i);
      const auto at = places.sentence(i);
      // Chains begin at the best links without fertilities; the score is that model's, too.
      hmm.run(table.p, at, words.size(), n_target, known);
      if (!known.empty()) mask.set(known, words.size(), n_target);
      p.resize(at.size());
      for (std::size_t k = 0; k < at.size(); ++k) p[k] = at[k] < table.p.size() ? table.p[at[k]] : kLeastP;
      std::uint64_t name = options.key;
      for (const TokenId word : words) name = CounterStream{name}.bits(static_cast<std::uint64_t>(word));
      for (const TokenId word : to.sentence(i)) name = CounterStream{~name}.bits(static_cast<std::uint64_t>(word));
      const CounterStream random{name};
      std::uint64_t counter = 0;
      kept.assign(at.size(), 0);
      FixedWeights weights{p, n_target};
      const unsigned n_first = options.n_align_sweeps / 3;
      for (unsigned chain = 0; chain < options.n_samplers; ++chain) {
        links.assign(n_target, kNull);
        for (std::size_t t = 0; t < n_target; ++t) {
          for (std::size_t s = 0; s <= words.size(); ++s) {
            const auto best = static_cast<std::size_t>(links[t] + 1);
            if (hmm.posteriors()[s * n_target + t] > hmm.posteriors()[best * n_target + t]) {
              links[t] = static_cast<std::int32_t>(s) - 1;
            }
          }
        }
        for (unsigned sweep = 0; sweep < options.n_align_sweeps; ++sweep) {
          sentence.resample(weights, words, links, jump_table, ratios, options.p_null, known.empty() ? nullptr : &mask,
                            random, counter, sweep < n_first ? nullptr : kept.data());
        }
      }
      const auto scale = 1 / static_cast<float>(options.n_samplers * (options.n_align_sweeps - n_first));
      for (float& each : kept) each *= scale;
      outcome.take(chunk.begin + i, kept, hmm.log_likelihood());
    }
  });
  return outcome.give();
}

}  // namespace dragoman::align
