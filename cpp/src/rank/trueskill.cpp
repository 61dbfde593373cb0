#include "dragoman/rank/trueskill.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"
#include "normal.hpp"

namespace dragoman::rank {
namespace {

/// Mean and variance factors of a normal truncated by the outcome (v and w of the paper).
struct Correction {
  double v;
  double w;
};

Correction after_win(double t, double e) noexcept {
  const double x = t - e;
  const double tail = normal_cdf(x);
  if (tail < 1e-300) return {-x, 1.0};  // the limit far below the margin
  const double v = normal_pdf(x) / tail;
  return {v, v * (v + x)};
}

Correction after_draw(double t, double e) noexcept {
  const double z = normal_cdf(e - t) - normal_cdf(-e - t);
  if (z < 1e-300) return {t < 0 ? -t - e : e - t, 1.0};
  const double low = normal_pdf(-e - t);
  const double high = normal_pdf(e - t);
  const double v = (low - high) / z;
  return {v, v * v + ((e - t) * high + (e + t) * low) / z};
}

}  // namespace

TrueSkill::TrueSkill(const TrueSkillOptions& options)
    : mean_(options.mean),
      start_variance_(options.sd * options.sd),
      drift_(options.tau * options.tau),
      two_beta2_(2 * options.beta * options.beta) {
  if (!std::isfinite(options.mean)) throw data_error("The mean before any judgement must be a finite number.");
  if (!(options.sd > 0 && std::isfinite(options.sd))) throw data_error("sigma must be above 0.");
  if (!(options.beta > 0 && std::isfinite(options.beta))) throw data_error("beta must be above 0.");
  if (!(options.tau >= 0 && std::isfinite(options.tau))) throw data_error("tau must be 0 or above.");
  if (!(options.p_draw >= 0 && options.p_draw < 1)) throw data_error("The share of draws must be in 0 … 1.");
  margin_ = normal_quantile((options.p_draw + 1) / 2) * std::numbers::sqrt2 * options.beta;
}

void TrueSkill::update(Rating& first, Rating& second, int outcome) const noexcept {
  const double variance_1 = first.variance + drift_;
  const double variance_2 = second.variance + drift_;
  const double c2 = two_beta2_ + variance_1 + variance_2;
  const double c = std::sqrt(c2);
  const double sign = outcome < 0 ? -1.0 : 1.0;
  const double t = sign * (first.mean - second.mean) / c;
  // A draw between players who never draw has no meaning; the limit of a vanishing margin still moves them together.
  const double e = margin_ / c;
  const Correction by = outcome == 0 ? after_draw(t, std::max(e, 1e-9)) : after_win(t, e);
  first.mean += sign * variance_1 / c * by.v;
  second.mean -= sign * variance_2 / c * by.v;
  first.variance = variance_1 * std::max(1 - variance_1 / c2 * by.w, 1e-12);
  second.variance = variance_2 * std::max(1 - variance_2 / c2 * by.w, 1e-12);
}

std::vector<double> active_replays(std::span<const std::int64_t> wins, std::span<const std::int64_t> ties,
                                   std::size_t n, std::size_t n_matches, const TrueSkillOptions& options,
                                   Replicates replicates, CounterStream stream, unsigned n_threads) {
  if (wins.size() != n * n || ties.size() != n * n) throw data_error("Wins and ties of n systems are matrices (n, n).");
  const TrueSkill model(options);
  struct Pair {
    double n_judged;  // 0: never compared
    double n_won;     // by the row's system
    double n_tied;
  };
  std::vector<Pair> pairs(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    double met = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const std::int64_t won = wins[i * n + j], lost = wins[j * n + i], tied = ties[i * n + j];
      if (won < 0 || tied < 0 || tied != ties[j * n + i]) throw data_error("Counts from 0 on, ties symmetric.");
      if (i == j) continue;
      pairs[i * n + j] = {static_cast<double>(won + lost + tied), static_cast<double>(won), static_cast<double>(tied)};
      met += pairs[i * n + j].n_judged;
    }
    if (met == 0) throw data_error("System " + std::to_string(i) + " was never compared.");
  }
  constexpr double kUnit = 0x1p-53;
  std::vector<double> means(replicates.count * n);
  for_each_chunk(replicates.count, n_threads, [&](Chunk chunk) {
    std::vector<Rating> rating(n);
    std::vector<double> up(n), down(n);  // exp(μ), exp(−μ): exp(−|μ_a − μ_b|) without an exponential per opponent
    std::vector<double> cumulated(n);
    for (std::size_t r = chunk.begin; r < chunk.end; ++r) {
      std::fill(rating.begin(), rating.end(), model.start());
      const auto note = [&](std::size_t i) {
        const double mean = std::clamp(rating[i].mean, -300.0, 300.0);
        up[i] = std::exp(mean);
        down[i] = 1 / up[i];
      };
      for (std::size_t i = 0; i < n; ++i) note(i);
      std::uint64_t counter = static_cast<std::uint64_t>(replicates.first + r) * n_matches * 2;
      for (std::size_t match = 0; match < n_matches; ++match) {
        std::size_t a = 0;
        for (std::size_t i = 1; i < n; ++i) {
          if (rating[i].variance >= rating[a].variance) a = i;
        }
        const Pair* const row = pairs.data() + a * n;
        double total = 0;
        for (std::size_t b = 0; b < n; ++b) {
          if (row[b].n_judged > 0) total += std::min(up[a] * down[b], down[a] * up[b]);
          cumulated[b] = total;
        }
        const double place = static_cast<double>(stream.bits(counter++) >> 11) * kUnit * total;
        std::size_t b = 0;
        while (b + 1 < n && (cumulated[b] <= place || row[b].n_judged == 0)) ++b;
        while (row[b].n_judged == 0) --b;  // a draw rounded up to the very end
        const double drawn = static_cast<double>(stream.bits(counter++) >> 11) * kUnit * row[b].n_judged;
        const int outcome = drawn < row[b].n_won ? 1 : drawn < row[b].n_won + row[b].n_tied ? 0 : -1;
        model.update(rating[a], rating[b], outcome);
        note(a);
        note(b);
      }
      for (std::size_t i = 0; i < n; ++i) means[r * n + i] = rating[i].mean;
    }
  });
  return means;
}

}  // namespace dragoman::rank
