#include "dragoman/align/hmm.hpp"

#include <algorithm>
#include <cmath>

#include "dragoman/align/diagonal.hpp"
#include "dragoman/core/parallel.hpp"

namespace dragoman::align {

void HmmSentence::run(std::span<const float> p_words, std::span<const std::uint32_t> places, std::size_t n_source,
                      std::size_t n_target, std::span<const std::int32_t> anchors) {
  const std::size_t width = n_source + 1;
  // Without a source word all target words are the empty word's.
  const double p_null = n_source ? p_null_ : 1;
  if (!anchors.empty()) mask_.set(anchors, n_source, n_target);
  emissions_.resize(width * n_target);
  for (std::size_t s = 0; s < width; ++s) {
    const double share = s == 0 ? p_null : 1 - p_null;
    for (std::size_t t = 0; t < n_target; ++t) {
      const std::size_t at = s * n_target + t;
      const float p = places[at] < p_words.size() ? p_words[places[at]] : kLeastP;
      const bool allowed = anchors.empty() || mask_.allowed()[at];
      emissions_[t * width + s] = allowed ? share * static_cast<double>(p) : 0;
    }
  }
  jumps_.normalisers(n_source, sums_);
  before_.resize(width * (n_target + 1));
  scales_.resize(n_target);
  real_.resize(n_source);
  scaled_.resize(width);
  std::fill_n(before_.begin(), width, 0.0);
  before_[0] = 1;
  log_likelihood_ = 0;
  for (std::size_t t = 0; t < n_target; ++t) {
    const double* const before = before_.data() + t * width;
    const double* const emission = emissions_.data() + t * width;
    double* const after = before_.data() + (t + 1) * width;
    for (std::size_t k = 0; k < width; ++k) scaled_[k] = n_source ? before[k] / sums_[k] : 0;
    jumps_.forward(scaled_, real_);
    double total = 0;
    for (std::size_t k = 0; k < width; ++k) {
      after[k] = before[k] * emission[0] + (k ? real_[k - 1] * emission[k] : 0);
      total += after[k];
    }
    if (total <= 0) {  // anchors leave this word nothing: it tells nothing, and places stay as they are
      std::copy_n(before, width, after);
      scales_[t] = 0;
      continue;
    }
    scales_[t] = 1 / total;
    log_likelihood_ += std::log(total);
    for (std::size_t k = 0; k < width; ++k) after[k] *= scales_[t];
  }

  posteriors_.assign(width * n_target, 0);
  jump_counts_.assign(jumps_.weights().size(), 0);
  context_counts_.assign(width, 0);
  after_.assign(width, 1);
  next_.resize(width);
  spread_.resize(n_source);
  for (std::size_t t = n_target; t-- > 0;) {
    if (scales_[t] == 0) continue;
    const double* const before = before_.data() + t * width;
    const double* const emission = emissions_.data() + t * width;
    for (std::size_t s = 0; s < n_source; ++s) spread_[s] = emission[s + 1] * after_[s + 1] * scales_[t];
    for (std::size_t k = 0; k < width; ++k) scaled_[k] = n_source ? before[k] / sums_[k] : 0;
    jumps_.forward(scaled_, real_);
    jumps_.backward(spread_, next_);
    jumps_.correlate(scaled_, spread_, jump_counts_);
    double null = 0;
    for (std::size_t k = 0; k < width; ++k) {
      const double stay = emission[0] * after_[k] * scales_[t];
      null += before[k] * stay;
      context_counts_[k] += scaled_[k] * next_[k];
      after_[k] = stay + (n_source ? next_[k] / sums_[k] : 0);
    }
    posteriors_[t] = static_cast<float>(null);
    for (std::size_t s = 0; s < n_source; ++s) {
      posteriors_[(s + 1) * n_target + t] = static_cast<float>(real_[s] * spread_[s]);
    }
  }
  for (std::size_t k = 0; k < jump_counts_.size(); ++k) jump_counts_[k] *= jumps_.weights()[k];
}

namespace {

std::uint64_t to_units(double value) { return static_cast<std::uint64_t>(value * kUnit + 0.5); }

void add(std::vector<std::uint64_t>& to, const std::vector<std::uint64_t>& from) {
  for (std::size_t at = 0; at < to.size(); ++at) to[at] += from[at];
}

}  // namespace

ContextPlaces::ContextPlaces(const Side& source) {
  std::vector<bool> met;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const std::size_t length = source.sentence(i).size();
    if (met.size() <= length) met.resize(length + 1);
    met[length] = true;
  }
  starts.assign(met.size() + 1, 0);
  for (std::size_t length = 0; length < met.size(); ++length) {
    if (met[length]) lengths.push_back(length);
    starts[length + 1] = starts[length] + (met[length] ? length + 1 : 0);
  }
}

ContextPlaces::ContextPlaces(std::span<const std::int64_t> rising) {
  for (const auto each : rising) {
    const auto length = static_cast<std::size_t>(each);
    starts.resize(length + 1, starts.empty() ? 0 : starts.back());
    starts.push_back(starts.back() + length + 1);
    lengths.push_back(length);
  }
}

/// Uses of a class over how often it could have been used, each chance weighed by 1 / the sum of all weights there
/// (Hunter 2004, for models of the Bradley–Terry kind). Unlike relative frequencies, which forget that sentences end,
/// such a step never lowers the likelihood.
std::vector<double> next_jumps(const Jumps& jumps, const ContextPlaces& places,
                               std::span<const std::uint64_t> jump_counts,
                               std::span<const std::uint64_t> context_counts) {
  std::vector<double> chances(jumps.weights().size(), 0), normalisers;
  for (const std::size_t n : places.lengths) {
    if (n == 0) continue;
    jumps.normalisers(n, normalisers);
    std::vector<double> shares(n + 1);
    const std::vector<double> ones(n, 1);
    for (std::size_t k = 0; k <= n; ++k) {
      shares[k] = static_cast<double>(context_counts[places.starts[n] + k]) / kUnit / normalisers[k];
    }
    jumps.correlate(shares, ones, chances);
  }
  std::vector<double> weights(chances.size());
  double total = 0;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    weights[k] = chances[k] > 0 ? static_cast<double>(jump_counts[k]) / kUnit / chances[k] : 0;
    total += weights[k];
  }
  // A jump that was never made stays possible.
  for (double& weight : weights) weight = total > 0 ? std::max(weight / total, 1e-7) : 1;
  return weights;
}

HmmCounts expect_hmm(std::span<const float> p, const Jumps& jumps, const ContextPlaces& contexts,
                     const PlacesView& places, const Side& source, const Side& target, const Anchors& anchors,
                     double p_null, std::span<double> log_likelihoods) {
  const auto zeros = [](std::size_t n) { return std::vector<std::uint64_t>(n, 0); };
  HmmCounts sums{zeros(p.size()), zeros(jumps.weights().size()),
                 zeros(contexts.starts.empty() ? 0 : contexts.starts.back())};
  HmmSentence sentence(jumps, p_null);
  for (std::size_t i = 0; i < source.size(); ++i) {
    const std::size_t n_source = source.sentence(i).size();
    const auto at = places.sentence(i);
    sentence.run(p, at, n_source, target.sentence(i).size(), anchors.sentence(i));
    log_likelihoods[i] = sentence.log_likelihood();
    const auto posteriors = sentence.posteriors();
    for (std::size_t k = 0; k < at.size(); ++k) {
      sums.pairs[at[k]] +=
          static_cast<std::uint64_t>(static_cast<std::int32_t>(posteriors[k] * static_cast<float>(kUnit) + 0.5F));
    }
    for (std::size_t k = 0; k < sums.jumps.size(); ++k) sums.jumps[k] += to_units(sentence.jump_counts()[k]);
    for (std::size_t k = 0; k <= n_source; ++k) {
      sums.contexts[contexts.starts[n_source] + k] += to_units(sentence.context_counts()[k]);
    }
  }
  return sums;
}

HmmModel train_hmm(const Side& source, const Side& target, const Given& given, const HmmOptions& options) {
  HmmModel model;
  Places places;
  model.table = collect_pairs(source, target, places);
  std::fill(model.table.p.begin(), model.table.p.end(), 1e-5F);
  const auto prior =
      given.pairs.sources.empty() ? std::vector<float>() : place_weights(model.table.view(), given.pairs);
  DiagonalOptions start;
  start.n_rounds = options.n_start_rounds;
  start.p_null = -1;
  start.tension = 0;
  start.alpha = options.alpha;
  start.n_threads = options.n_threads;
  train_rounds(model.table, places, source, target, given, prior, start, model.rounds);

  const std::size_t n = source.size();
  const ContextPlaces contexts(source);
  Jumps jumps(options.max_jump);
  std::vector<HmmCounts> sums(std::max<std::size_t>(1, std::min<std::size_t>(options.n_threads, n)));
  std::vector<double> log_likelihoods(n);
  for (unsigned round = 0; round < options.n_rounds; ++round) {
    for_each_chunk(n, options.n_threads, [&](const Chunk& chunk) {
      sums[chunk.index] = expect_hmm(model.table.p, jumps, contexts, {places, chunk.begin, chunk.end},
                                     source.part(chunk.begin, chunk.end), target.part(chunk.begin, chunk.end),
                                     given.anchors.part(chunk.begin, chunk.end), options.p_null,
                                     std::span(log_likelihoods).subspan(chunk.begin, chunk.end - chunk.begin));
    });
    for (std::size_t part = 1; part < sums.size(); ++part) {
      add(sums[0].pairs, sums[part].pairs);
      add(sums[0].jumps, sums[part].jumps);
      add(sums[0].contexts, sums[part].contexts);
    }
    double log_likelihood = 0;
    for (const double each : log_likelihoods) log_likelihood += each;
    model.rounds.push_back({log_likelihood, 0});
    if (n == 0) continue;
    estimate(model.table, sums[0].pairs, {options.alpha, prior}, options.n_threads);
    jumps = Jumps(next_jumps(jumps, contexts, sums[0].jumps, sums[0].contexts));
  }
  model.table = without_least(model.table);
  model.jumps.assign(jumps.weights().begin(), jumps.weights().end());
  return model;
}

Inference align_hmm(const TableView& table, std::span<const double> weights, const Side& source, const Side& target,
                    const Anchors& anchors, const HmmOptions& options, bool posteriors) {
  Outcome outcome(source, target, posteriors);
  const Jumps jumps(std::vector<double>(weights.begin(), weights.end()));
  for_each_chunk(source.size(), options.n_threads, [&](const Chunk& chunk) {
    const Side from = source.part(chunk.begin, chunk.end), to = target.part(chunk.begin, chunk.end);
    const Places places = find_places(table, from, to);
    HmmSentence sentence(jumps, options.p_null);
    for (std::size_t i = 0; i < from.size(); ++i) {
      sentence.run(table.p, places.sentence(i), from.sentence(i).size(), to.sentence(i).size(),
                   anchors.sentence(chunk.begin + i));
      outcome.take(chunk.begin + i, sentence.posteriors(), sentence.log_likelihood());
    }
  });
  return outcome.give();
}

}  // namespace dragoman::align
