#include <numeric>

#include "dragoman/core/errors.hpp"
#include "dragoman/sequence/labeller.hpp"
#include "lattice.hpp"

namespace dragoman::sequence {

namespace {

void check_labels(const Sequences& sequences, std::span<const std::int32_t> labels, std::int32_t n_features,
                  std::int32_t n_labels) {
  check(sequences, n_features);
  if (labels.size() != sequences.n_tokens()) throw data_error("There must be one label for each token.");
  for (const auto label : labels) {
    if (label < 0 || label >= n_labels) throw data_error("There is no label " + std::to_string(label) + ".");
  }
}

/// The sentences in an order of their own for each epoch (Fisher–Yates).
class Shuffled {
 public:
  Shuffled(std::size_t n, CounterStream chance) : order_(n), chance_(chance) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
  }

  const std::vector<std::size_t>& again() {
    for (std::size_t i = order_.size(); i > 1; --i) {
      std::swap(order_[i - 1], order_[chance_.below(drawn_++, static_cast<std::uint32_t>(i))]);
    }
    return order_;
  }

 private:
  std::vector<std::size_t> order_;
  CounterStream chance_;
  std::uint64_t drawn_ = 0;
};

/// Weights by AdaGrad with dual averaging (Duchi, Hazan & Singer 2011; Xiao 2010): w = −η Σg / (ηλt + √Σg²).
class Averaged {
 public:
  explicit Averaged(std::size_t n) : sum_(n), squares_(n) {}

  double weight(std::size_t i, const CrfOptions& options, double steps) const {
    if (squares_[i] == 0) return 0;
    return -options.rate * sum_[i] / (options.rate * options.penalty * steps + std::sqrt(squares_[i]));
  }

  void add(std::size_t i, double gradient) {
    sum_[i] += gradient;
    squares_[i] += gradient * gradient;
  }

  std::vector<double> weights(const CrfOptions& options, double steps) const {
    std::vector<double> found(sum_.size());
    for (std::size_t i = 0; i < found.size(); ++i) found[i] = weight(i, options, steps);
    return found;
  }

 private:
  std::vector<double> sum_, squares_;
};

}  // namespace

Chain train_crf(const Sequences& sequences, std::span<const std::int32_t> labels, std::int32_t n_features,
                std::int32_t n_labels, const CrfOptions& options, CounterStream chance) {
  check_labels(sequences, labels, n_features, n_labels);
  const auto k = static_cast<std::size_t>(n_labels);
  Averaged emissions(static_cast<std::size_t>(n_features) * k), transitions((k + 1) * k);
  Shuffled sentences(sequences.size(), chance);
  Lattice lattice(k);
  std::vector<double> current, expected((k + 1) * k), wanted(k);
  double steps = 0;
  for (int epoch = 0; epoch < options.epochs; ++epoch) {
    for (const std::size_t s : sentences.again()) {
      const std::int64_t begin = sequences.sentences[s], end = sequences.sentences[s + 1];
      if (begin == end) continue;
      lattice.resize(static_cast<std::size_t>(end - begin));
      for (std::int64_t t = begin; t < end; ++t) {
        double* const scores = lattice.scores(static_cast<std::size_t>(t - begin));
        for_features(sequences, t, [&](std::int32_t id, double value) {
          for (std::size_t y = 0; y < k; ++y) {
            scores[y] += value * emissions.weight(static_cast<std::size_t>(id) * k + y, options, steps);
          }
        });
      }
      current = transitions.weights(options, steps);
      lattice.run(current, Lattice::log_sum);
      // The gradient of −log P is what the model expects of a feature less what is there.
      std::fill(expected.begin(), expected.end(), 0.0);
      for (std::int64_t t = begin; t < end; ++t) {
        const auto at = static_cast<std::size_t>(t - begin);
        const auto right = static_cast<std::size_t>(labels[t]);
        for (std::size_t y = 0; y < k; ++y)
          wanted[y] = std::exp(lattice.through(at, y) - lattice.total()) - (y == right);
        for_features(sequences, t, [&](std::int32_t id, double value) {
          for (std::size_t y = 0; y < k; ++y) emissions.add(static_cast<std::size_t>(id) * k + y, value * wanted[y]);
        });
        if (t == begin) {
          for (std::size_t y = 0; y < k; ++y) expected[k * k + y] += wanted[y];
        }
        if (t + 1 < end) {
          for (std::size_t x = 0; x < k; ++x) {
            for (std::size_t y = 0; y < k; ++y) {
              expected[x * k + y] += std::exp(lattice.through(current, at, x, y) - lattice.total());
            }
          }
          expected[right * k + static_cast<std::size_t>(labels[t + 1])] -= 1;
        }
      }
      for (std::size_t i = 0; i < expected.size(); ++i) transitions.add(i, expected[i]);
      ++steps;
    }
  }
  return {n_features, n_labels, emissions.weights(options, steps), transitions.weights(options, steps)};
}

Chain train_perceptron(const Sequences& sequences, std::span<const std::int32_t> labels, std::int32_t n_features,
                       std::int32_t n_labels, const PerceptronOptions& options, CounterStream chance) {
  check_labels(sequences, labels, n_features, n_labels);
  const auto k = static_cast<std::size_t>(n_labels);
  if (!options.costs.empty() && options.costs.size() != k * k)
    throw data_error("There must be a cost for each two labels.");
  std::vector<double> emissions(static_cast<std::size_t>(n_features) * k), transitions((k + 1) * k);
  // The average is the weights less the updates weighted with when they came: no weight is touched in between.
  std::vector<double> late_emissions(emissions.size()), late_transitions(transitions.size());
  Shuffled sentences(sequences.size(), chance);
  Lattice lattice(k);
  std::vector<std::size_t> said;
  double steps = 1;
  const auto update = [&](std::vector<double>& weights, std::vector<double>& late, std::size_t i, double by) {
    weights[i] += by;
    late[i] += by * steps;
  };
  for (int epoch = 0; epoch < options.epochs; ++epoch) {
    for (const std::size_t s : sentences.again()) {
      const std::int64_t begin = sequences.sentences[s], end = sequences.sentences[s + 1];
      if (begin == end) continue;
      lattice.resize(static_cast<std::size_t>(end - begin));
      for (std::int64_t t = begin; t < end; ++t) {
        double* const scores = lattice.scores(static_cast<std::size_t>(t - begin));
        for_features(sequences, t, [&](std::int32_t id, double value) {
          for (std::size_t y = 0; y < k; ++y) scores[y] += value * emissions[static_cast<std::size_t>(id) * k + y];
        });
        for (std::size_t y = 0; y < k && !options.costs.empty(); ++y) {
          scores[y] += options.costs[static_cast<std::size_t>(labels[t]) * k + y];
        }
      }
      lattice.run(transitions, Lattice::maximum);
      // Follow the best labelling from the left: of equals the lowest label, which backward scores make consistent.
      said.assign(lattice.length(), 0);
      for (std::size_t t = 0; t < lattice.length(); ++t) {
        double best = -INFINITY;
        for (std::size_t y = 0; y < k; ++y) {
          const double value = t == 0 ? lattice.through(0, y) : lattice.through(transitions, t - 1, said[t - 1], y);
          if (value > best) {
            best = value;
            said[t] = y;
          }
        }
      }
      for (std::int64_t t = begin; t < end; ++t) {
        const auto at = static_cast<std::size_t>(t - begin);
        const auto right = static_cast<std::size_t>(labels[t]);
        if (said[at] != right) {
          for_features(sequences, t, [&](std::int32_t id, double value) {
            update(emissions, late_emissions, static_cast<std::size_t>(id) * k + right, value);
            update(emissions, late_emissions, static_cast<std::size_t>(id) * k + said[at], -value);
          });
        }
        const std::size_t before = t == begin ? k : static_cast<std::size_t>(labels[t - 1]);
        const std::size_t said_before = t == begin ? k : said[at - 1];
        if (said[at] != right || said_before != before) {
          update(transitions, late_transitions, before * k + right, 1);
          update(transitions, late_transitions, said_before * k + said[at], -1);
        }
      }
      ++steps;
    }
  }
  for (std::size_t i = 0; i < emissions.size(); ++i) emissions[i] -= late_emissions[i] / steps;
  for (std::size_t i = 0; i < transitions.size(); ++i) transitions[i] -= late_transitions[i] / steps;
  return {n_features, n_labels, std::move(emissions), std::move(transitions)};
}

}  // namespace dragoman::sequence
