#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/core/random.hpp"
#include "dragoman/rank/resampled_counts.hpp"

namespace dragoman::rank {

/// A belief about a system's ability: normal with this mean and variance.
struct Rating {
  double mean;
  double variance;
};

/// TrueSkill for two players (Herbrich, Minka & Graepel 2006) in closed form: no factor graph is needed for two.
struct TrueSkillOptions {
  double mean = 0.0;
  double sd = 0.5;       // of the belief before any judgement
  double beta = 1.0;     // sd of the performance in one match
  double tau = 0.0;      // sd of the drift of ability between matches
  double p_draw = 0.25;  // share of draws between equals
};

/// The update after a match. Throws data_error for options that are no probabilities or deviations.
class TrueSkill {
 public:
  explicit TrueSkill(const TrueSkillOptions& options);

  Rating start() const noexcept { return {mean_, start_variance_}; }

  /// `outcome` > 0: first won, 0: draw, < 0: second won.
  void update(Rating& first, Rating& second, int outcome) const noexcept;

 private:
  double mean_, start_variance_, drift_, two_beta2_, margin_;
};

/// WMT 2014's replays (Sakaguchi, Post & Van Durme 2014): in each of `n_matches` matches the system of largest variance
/// (of equals the last) meets an opponent b drawn ∝ exp(−|μ_a − μ_b|) among those it was ever compared with; the
/// outcome is drawn from their judgements with replacement. `wins` and `ties` are (n, n) counts, ties symmetric.
/// Answers with the means, replicate after replicate, n each. Throws data_error when a system was never compared.
std::vector<double> active_replays(std::span<const std::int64_t> wins, std::span<const std::int64_t> ties,
                                   std::size_t n, std::size_t n_matches, const TrueSkillOptions& options,
                                   Replicates replicates, CounterStream stream, unsigned n_threads);

}  // namespace dragoman::rank
