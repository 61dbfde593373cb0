#pragma once

#include <cstddef>
#include <vector>

#include "dragoman/core/random.hpp"
#include "dragoman/net/net.hpp"

namespace dragoman::net {

/// Units that a training step leaves out by chance (Srivastava et al. 2014); others are made larger by as much.
struct Dropout {
  float share = 0;  // 0: none
  CounterStream stream{};
  std::uint64_t first = 0;  // counter of the step's first draw
};

/// What a batch of examples gives layer by layer, a row an example.
class Layers {
 public:
  Layers(const Shape& shape, std::size_t n_examples);

  /// From contexts to probabilities, for the rows [begin, end) of the batch; log_p[row] becomes that of the output.
  void forward(const Net& net, const Examples& batch, std::size_t begin, std::size_t end, const Dropout& dropout,
               double* log_p);

  float* joined(std::size_t row) noexcept { return joined_.data() + row * n_joined_; }
  float* hidden(std::size_t row) noexcept { return hidden_.data() + row * n_hidden_; }
  float* hidden2(std::size_t row) noexcept { return hidden2_.data() + row * n_hidden2_; }
  float* top(std::size_t row) noexcept { return n_hidden2_ != 0 ? hidden2(row) : hidden(row); }
  float* classes(std::size_t row) noexcept { return classes_.data() + row * n_classes_; }
  /// Of the words of the output's class.
  float* words(std::size_t row) noexcept { return words_.data() + row * n_words_; }

 private:
  std::size_t n_joined_, n_hidden_, n_hidden2_, n_classes_, n_words_;
  std::vector<float> joined_, hidden_, hidden2_, classes_, words_;
};

}  // namespace dragoman::net
