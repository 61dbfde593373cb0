#include "dragoman/align/diagonal.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "dragoman/core/parallel.hpp"

namespace dragoman::align {

namespace {

// Posteriors are summed as whole multiples of 2^-30: sums of whole numbers do not depend on their order, so neither do
// results on the number of threads. 2^33 tokens of one pair fit.
constexpr double kUnit = 1073741824.0;

/// p(a = i) for a target word, over the source words: e^(−tension · distance from the diagonal), normalised, times what
/// the empty word leaves. Word numbers are counted from 1, as in the paper.
class Diagonal {
 public:
  Diagonal(double tension, double p_null) : tension_(tension), p_null_(p_null) {}

  /// The distance of source word i of n_source from target word j of n_target; both counted from 0 here.
  static double distance(std::size_t i, std::size_t n_source, std::size_t j, std::size_t n_target) {
    return std::fabs(static_cast<double>(i + 1) / static_cast<double>(n_source) -
                     static_cast<double>(j + 1) / static_cast<double>(n_target));
  }

  void set(std::size_t n_source, std::size_t j, std::size_t n_target, std::vector<float>& p) const {
    p.resize(n_source + 1);
    p[0] = static_cast<float>(p_null_);
    if (n_source == 0) return;
    // Going away from the diagonal, every step of one source word costs the same factor.
    const double step = std::exp(-tension_ / static_cast<double>(n_source));
    const double middle = static_cast<double>(j + 1) * static_cast<double>(n_source) / static_cast<double>(n_target);
    const auto below = std::min<std::size_t>(n_source, static_cast<std::size_t>(middle));  // words 1 … below lie before
    double total = 0;
    double value = below > 0 ? std::exp(-tension_ * distance(below - 1, n_source, j, n_target)) : 0;
    for (std::size_t i = below; i > 0; --i, value *= step) {
      p[i] = static_cast<float>(value);
      total += value;
    }
    value = below < n_source ? std::exp(-tension_ * distance(below, n_source, j, n_target)) : 0;
    for (std::size_t i = below + 1; i <= n_source; ++i, value *= step) {
      p[i] = static_cast<float>(value);
      total += value;
    }
    const auto scale = static_cast<float>((1 - p_null_) / total);
    for (std::size_t i = 1; i <= n_source; ++i) p[i] *= scale;
  }

 private:
  double tension_, p_null_;
};

/// ψ(x), by recurrence and its asymptotic series.
double digamma(double x) {
  double result = 0;
  for (; x < 7; ++x) result -= 1 / x;
  x -= 0.5;
  const double y = 1 / (x * x);
  return result + std::log(x) + y * (1.0 / 24 + y * (-7.0 / 960 + y * (31.0 / 8064 - y * 127.0 / 30720)));
}

struct Sums {
  std::vector<std::uint64_t> counts;
  double log_likelihood = 0;
  std::uint64_t distance = 0;  // expected, in units
  std::uint64_t n_aligned = 0;
};

/// The expected distance from the diagonal under a tension, over all target words of the corpus.
double expected_distance(const std::map<std::pair<std::size_t, std::size_t>, std::size_t>& sizes, double tension) {
  double total = 0;
  for (const auto& [size, n] : sizes) {
    const auto [n_source, n_target] = size;
    if (n_source == 0) continue;
    double sum = 0;
    for (std::size_t j = 0; j < n_target; ++j) {
      double mass = 0, moment = 0;
      for (std::size_t i = 0; i < n_source; ++i) {
        const double distance = Diagonal::distance(i, n_source, j, n_target);
        const double p = std::exp(-tension * distance);
        mass += p;
        moment += p * distance;
      }
      sum += moment / mass;
    }
    total += static_cast<double>(n) * sum;
  }
  return total;
}

void normalise(LexicalTable& table, const std::vector<std::uint64_t>& counts, double alpha, unsigned n_threads) {
  const auto rows = table.rows();
  const auto p = table.p();
  for_each_chunk(rows.size() - 1, n_threads, [&](const Chunk& chunk) {
    for (std::size_t row = chunk.begin; row < chunk.end; ++row) {
      std::uint64_t units = 0;
      for (auto at = rows[row]; at < rows[row + 1]; ++at) units += counts[at];
      const double size = static_cast<double>(rows[row + 1] - rows[row]);
      const double total = static_cast<double>(units) / kUnit + alpha * size;
      const double log_total = alpha > 0 ? digamma(total) : 0;
      for (auto at = rows[row]; at < rows[row + 1]; ++at) {
        const double count = static_cast<double>(counts[at]) / kUnit;
        const double value = alpha > 0 ? std::exp(digamma(count + alpha) - log_total) : (total > 0 ? count / total : 0);
        p[at] = static_cast<float>(std::max(value, 1e-12));
      }
    }
  });
}

}  // namespace

DiagonalModel train_diagonal(const Side& source, const Side& target, const DiagonalOptions& options) {
  DiagonalModel model{LexicalTable(source, target), options.p_null, options.tension, {}};
  const std::size_t n = source.size();
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> sizes;
  std::size_t n_words = 0;
  for (std::size_t i = 0; i < n; ++i) {
    ++sizes[{source.sentence(i).size(), target.sentence(i).size()}];
    n_words += target.sentence(i).size();
  }
  std::fill(model.table.p().begin(), model.table.p().end(), 1e-5F);  // the first round sees positions alone

  const std::size_t n_parts = std::max<std::size_t>(1, options.n_threads);
  // The likelihood is a sum of real numbers: by sentence first, then in the order of the sentences.
  std::vector<double> log_likelihoods(n);
  for (unsigned round = 0; round < options.n_rounds; ++round) {
    std::vector<Sums> sums(n_parts);
    const Diagonal diagonal(model.tension, model.p_null);
    const auto p_words = model.table.p();
    for_each_chunk(n, options.n_threads, [&](const Chunk& chunk) {
      Sums& mine = sums[chunk.index];
      mine.counts.assign(model.table.n_pairs(), 0);
      std::vector<float> p_places, joint;
      for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
        const std::size_t n_source = source.sentence(i).size(), n_target = target.sentence(i).size();
        const auto places = model.table.places(i);
        double log_likelihood = 0;
        joint.resize(n_source + 1);
        for (std::size_t j = 0; j < n_target; ++j) {
          diagonal.set(n_source, j, n_target, p_places);
          const auto mine_places = places.subspan(j * (n_source + 1), n_source + 1);
          float total = 0;
          for (std::size_t s = 0; s <= n_source; ++s) {
            joint[s] = p_places[s] * p_words[mine_places[s]];
            total += joint[s];
          }
          const double scale = kUnit / total;
          for (std::size_t s = 0; s <= n_source; ++s) {
            const auto units = static_cast<std::uint64_t>(joint[s] * scale + 0.5);
            mine.counts[mine_places[s]] += units;
            if (s == 0) continue;
            mine.distance += static_cast<std::uint64_t>(static_cast<double>(units) *
                                                        Diagonal::distance(s - 1, n_source, j, n_target));
            mine.n_aligned += units;
          }
          log_likelihood += std::log(total);
        }
        log_likelihoods[i] = log_likelihood;
      }
    });
    for (std::size_t part = 1; part < n_parts; ++part) {
      if (sums[part].counts.empty()) continue;
      for (std::size_t at = 0; at < sums[0].counts.size(); ++at) sums[0].counts[at] += sums[part].counts[at];
      sums[0].distance += sums[part].distance;
      sums[0].n_aligned += sums[part].n_aligned;
    }
    double log_likelihood = 0;
    for (const double each : log_likelihoods) log_likelihood += each;
    model.rounds.push_back({log_likelihood, model.tension});
    normalise(model.table, sums[0].counts, options.alpha, options.n_threads);
    if (options.learn_tension && options.tension > 0 && round > 0 && n_words > 0) {
      // Steps and bounds of fast_align: expected distances per word, of the posteriors and of the prior alone, are made
      // equal by a few steps of gradient descent.
      const double wanted = static_cast<double>(sums[0].distance) / kUnit / static_cast<double>(n_words);
      for (unsigned step = 0; step < 8; ++step) {
        const double now = expected_distance(sizes, model.tension) / static_cast<double>(n_words);
        model.tension = std::clamp(model.tension + (now - wanted) * 20, 0.1, 14.0);
      }
    }
  }
  return model;
}

std::vector<std::int32_t> align_diagonal(const DiagonalModel& model, const Side& source, const Side& target,
                                         unsigned n_threads) {
  std::vector<std::int32_t> links(target.words.size(), kNull);
  const Diagonal diagonal(model.tension, model.p_null);
  const auto p_words = model.table.p();
  for_each_chunk(source.size(), n_threads, [&](const Chunk& chunk) {
    std::vector<float> p_places;
    for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
      const std::size_t n_source = source.sentence(i).size(), n_target = target.sentence(i).size();
      const auto places = model.table.places(i);
      for (std::size_t j = 0; j < n_target; ++j) {
        diagonal.set(n_source, j, n_target, p_places);
        float best = p_places[0] * p_words[places[j * (n_source + 1)]];
        std::int32_t link = kNull;
        for (std::size_t s = 1; s <= n_source; ++s) {
          const float p = p_places[s] * p_words[places[j * (n_source + 1) + s]];
          if (p > best) {
            best = p;
            link = static_cast<std::int32_t>(s - 1);
          }
        }
        links[static_cast<std::size_t>(target.offsets[i]) + j] = link;
      }
    }
  });
  return links;
}

}  // namespace dragoman::align
