#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "dragoman/core/random.hpp"
#include "dragoman/net/net.hpp"

namespace dragoman::net {

struct TrainOptions {
  float rate = 0.05F;         // of learning
  float decay = 0;            // of weights, a share of the rate
  float dropout = 0;          // share of the units that a step leaves out
  std::uint32_t batch = 128;  // examples of a step
  CounterStream stream{};     // of chance, one for each epoch
  unsigned n_threads = 1;
};

/// Stochastic gradient descent on the mean of −log p(output | context), by steps of a batch. What comes out does not
/// depend on the number of threads: examples of a batch are dealt out to them going forward and back, rows of weights
/// in adding up the gradient, so that every sum has one order.
class Trainer {
 public:
  /// Begins with the weights of a net. `squares` are those of an interrupted training, none: 0; `adaptive`: the rate of
  /// every weight falls with its summed squared gradients (AdaGrad), which suits words that are rarely seen.
  Trainer(const Net& net, bool adaptive, std::vector<float> squares);

  /// The examples once, in the given order (places in `examples`); the mean of log p before each step.
  double epoch(const Examples& examples, std::span<const std::int64_t> order, const TrainOptions& options);

  Net net() const { return net_; }
  std::span<const float> squares() const noexcept { return squares_; }

 private:
  class Step;
  Net net_;
  std::vector<float> squares_;  // none: plain descent
};

}  // namespace dragoman::net
