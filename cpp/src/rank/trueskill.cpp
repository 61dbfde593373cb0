#include "dragoman/rank/trueskill.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "dragoman/core/errors.hpp"
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
  const double per_c = 1 / std::sqrt(two_beta2_ + variance_1 + variance_2);
  const double sign = outcome < 0 ? -1.0 : 1.0;
  const double t = sign * (first.mean - second.mean) * per_c;
  // A draw between players who never draw has no meaning; the limit of a vanishing margin still moves them together.
  const double e = margin_ * per_c;
  const Correction by = outcome == 0 ? after_draw(t, std::max(e, 1e-9)) : after_win(t, e);
  const double step = sign * per_c * by.v;
  const double shrink = per_c * per_c * by.w;
  first.mean += variance_1 * step;
  second.mean -= variance_2 * step;
  first.variance = variance_1 * std::max(1 - variance_1 * shrink, 1e-12);
  second.variance = variance_2 * std::max(1 - variance_2 * shrink, 1e-12);
}

}  // namespace dragoman::rank
