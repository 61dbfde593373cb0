#include <algorithm>
#include <cmath>
#include <string>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"
#include "dragoman/rank/trueskill.hpp"

namespace dragoman::rank {
namespace {

constexpr double kUnit = 0x1p-53;  // 53 random bits → [0, 1)

/// The judgements of every ordered pair of systems, ready to be drawn from.
struct Outcomes {
  struct Pair {
    double n_judged = 0;
    double n_won = 0;  // by the row's system
    double n_not_lost = 0;
  };

  std::size_t n;
  std::vector<Pair> pairs;
  std::vector<double> met;  // [a * n + b]: 1 when a and b were ever compared, else 0

  Outcomes(std::span<const std::int64_t> wins, std::span<const std::int64_t> ties, std::size_t n_systems)
      : n(n_systems), pairs(n * n), met(n * n, 0.0) {
    if (wins.size() != n * n || ties.size() != n * n) {
      throw data_error("Wins and ties of n systems are matrices (n, n).");
    }
    for (std::size_t i = 0; i < n; ++i) {
      bool is_alone = true;
      for (std::size_t j = 0; j < n; ++j) {
        const std::int64_t won = wins[i * n + j], lost = wins[j * n + i], tied = ties[i * n + j];
        if (won < 0 || tied < 0 || tied != ties[j * n + i]) throw data_error("Counts from 0 on, ties symmetric.");
        if (i == j || won + lost + tied == 0) continue;
        pairs[i * n + j] = {static_cast<double>(won + lost + tied), static_cast<double>(won),
                            static_cast<double>(won + tied)};
        met[i * n + j] = 1.0;
        is_alone = false;
      }
      if (is_alone) throw data_error("System " + std::to_string(i) + " was never compared.");
    }
  }
};

/// The abilities during one replay.
class Replay {
 public:
  Replay(const Outcomes& outcomes, const TrueSkill& model)
      : outcomes_(outcomes),
        model_(model),
        n_(outcomes.n),
        mean_(n_),
        variance_(n_),
        up_(n_),
        down_(n_),
        cumulated_(n_) {}

  void start() {
    std::ranges::fill(mean_, model_.start().mean);
    std::ranges::fill(variance_, model_.start().variance);
    for (std::size_t i = 0; i < n_; ++i) note(i);
  }

  /// One match, with two draws of 64 bits.
  void play(std::uint64_t opponent_bits, std::uint64_t outcome_bits) {
    const std::size_t a = least_sure();
    const std::size_t b = opponent(a, opponent_bits);
    const Outcomes::Pair& pair = outcomes_.pairs[a * n_ + b];
    const double drawn = static_cast<double>(outcome_bits >> 11) * kUnit * pair.n_judged;
    const int outcome = (drawn < pair.n_won) - (drawn >= pair.n_not_lost);
    Rating first{mean_[a], variance_[a]};
    Rating second{mean_[b], variance_[b]};
    model_.update(first, second, outcome);
    move(a, first);
    move(b, second);
  }

  const std::vector<double>& means() const noexcept { return mean_; }

 private:
  /// The system of largest variance; of equals the last.
  std::size_t least_sure() const noexcept {
    double largest = variance_[0];
    for (std::size_t i = 1; i < n_; ++i) largest = std::max(largest, variance_[i]);
    std::size_t place = n_ - 1;
    while (variance_[place] != largest) --place;
    return place;
  }

  std::size_t opponent(std::size_t a, std::uint64_t bits) noexcept {
    const double* const met = outcomes_.met.data() + a * n_;
    const double up = up_[a], down = down_[a];
    for (std::size_t b = 0; b < n_; ++b) cumulated_[b] = met[b] * std::min(up * down_[b], down * up_[b]);
    double total = 0;
    for (std::size_t b = 0; b < n_; ++b) cumulated_[b] = total += cumulated_[b];
    const double place = static_cast<double>(bits >> 11) * kUnit * total;
    std::size_t b = 0;  // those whose share ends before the place; counted without a branch
    for (std::size_t i = 0; i < n_; ++i) b += cumulated_[i] <= place;
    while (b == n_ || met[b] == 0) --b;  // a draw rounded up to the very end
    return b;
  }

  /// exp(μ) and exp(−μ), of which exp(−|μ_a − μ_b|) is a product: no exponential per opponent.
  void note(std::size_t i) noexcept {
    up_[i] = std::exp(std::clamp(mean_[i], -300.0, 300.0));
    down_[i] = 1 / up_[i];
  }

  void move(std::size_t i, const Rating& to) noexcept {
    const double d = to.mean - mean_[i];
    mean_[i] = to.mean;
    variance_[i] = to.variance;
    if (std::abs(d) > 0x1p-8 || std::abs(to.mean) > 299.0) return note(i);
    // With WMT's beta the means move by next to nothing, and four terms of exp are exact to 1e-14.
    up_[i] *= 1 + d * (1 + d * 0.5 * (1 + d * (1.0 / 3) * (1 + d * 0.25)));
    down_[i] *= 1 - d * (1 - d * 0.5 * (1 - d * (1.0 / 3) * (1 - d * 0.25)));
  }

  const Outcomes& outcomes_;
  const TrueSkill& model_;
  std::size_t n_;
  std::vector<double> mean_, variance_, up_, down_, cumulated_;
};

}  // namespace

std::vector<double> active_replays(std::span<const std::int64_t> wins, std::span<const std::int64_t> ties,
                                   std::size_t n, std::size_t n_matches, const TrueSkillOptions& options,
                                   Replicates replicates, CounterStream stream, unsigned n_threads) {
  const Outcomes outcomes(wins, ties, n);
  const TrueSkill model(options);
  std::vector<double> means(replicates.count * n);
  for_each_chunk(replicates.count, n_threads, [&](Chunk chunk) {
    Replay replay(outcomes, model);
    for (std::size_t r = chunk.begin; r < chunk.end; ++r) {
      replay.start();
      std::uint64_t counter = static_cast<std::uint64_t>(replicates.first + r) * n_matches * 2;
      for (std::size_t match = 0; match < n_matches; ++match, counter += 2) {
        replay.play(stream.bits(counter), stream.bits(counter + 1));
      }
      std::ranges::copy(replay.means(), means.begin() + static_cast<std::ptrdiff_t>(r * n));
    }
  });
  return means;
}

}  // namespace dragoman::rank
