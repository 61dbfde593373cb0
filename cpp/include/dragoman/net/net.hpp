#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "dragoman/core/bytes.hpp"
#include "dragoman/net/shape.hpp"

namespace dragoman::net {

/// Words to be predicted, each with its context: `n_slots` numbers of inputs, one context behind the other.
struct Examples {
  std::span<const std::int32_t> contexts;
  std::span<const std::int32_t> outputs;
};

/// A trained net: shape and weights, in memory or on a mapped file.
class Net {
 public:
  /// Throws data_error unless the shape can be and the weights are as many as it has.
  Net(Shape shape, std::vector<float> weights);
  Net(const Net& other) : Net(other.shape_, std::vector<float>(other.weights_.begin(), other.weights_.end())) {}
  Net& operator=(const Net&) = delete;

  const Shape& shape() const noexcept { return shape_; }
  const Layout& layout() const noexcept { return layout_; }
  std::span<const float> weights() const noexcept { return weights_; }
  const float* at(const Block& block) const noexcept { return weights_.data() + block.offset; }
  std::uint32_t class_of(std::int32_t output) const noexcept { return class_of_[static_cast<std::size_t>(output)]; }

  /// Throws data_error unless every number is of a word of the net, and contexts are as many as outputs.
  void check(const Examples& examples) const;
  /// Natural logarithm of p(output | context), of every example. Does not depend on the number of threads.
  std::vector<double> log_p(const Examples& examples, unsigned n_threads) const;

  /// The content of a file, and a net on one, which `owner` keeps in memory. Throws data_error that says what is wrong.
  Bytes serialised() const;
  static std::unique_ptr<Net> on_file(std::string_view file, std::shared_ptr<const void> owner);

 private:
  friend class Trainer;
  Net(Shape shape, std::span<const float> weights, std::shared_ptr<const void> owner);

  Shape shape_;
  Layout layout_;
  std::vector<float> own_weights_;
  std::span<const float> weights_;
  std::vector<std::uint32_t> class_of_;  // by output
  std::shared_ptr<const void> owner_;
};

}  // namespace dragoman::net
