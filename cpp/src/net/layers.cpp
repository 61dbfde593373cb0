#include "layers.hpp"

#include <algorithm>

#include "kernels.hpp"

namespace dragoman::net {
namespace {

std::size_t largest_class(const Shape& shape) {
  std::size_t largest = 0;
  for (std::size_t c = 0; c < shape.n_classes(); ++c) {
    largest = std::max<std::size_t>(largest, shape.class_offsets[c + 1] - shape.class_offsets[c]);
  }
  return largest;
}

/// Sixteen bits decide on a unit, so that one draw serves four.
void leave_out(float* units, std::size_t n, const Dropout& dropout, std::uint64_t counter) {
  const auto limit = static_cast<std::uint32_t>(dropout.share * 65536.0F);
  const float larger = 1.0F / (1.0F - dropout.share);
  for (std::size_t k = 0; k < n; k += 4, ++counter) {
    std::uint64_t bits = dropout.stream.bits(counter);
    for (std::size_t j = k; j < k + 4; ++j, bits >>= 16) units[j] = (bits & 0xFFFF) < limit ? 0.0F : units[j] * larger;
  }
}

void begin_with(const float* bias, std::size_t n, float* rows, std::size_t n_rows) {
  for (std::size_t i = 0; i < n_rows; ++i) std::copy_n(bias, n, rows + i * n);
}

}  // namespace

Layers::Layers(const Shape& shape, std::size_t n_examples)
    : n_joined_(shape.n_joined()),
      n_hidden_(shape.hidden),
      n_hidden2_(shape.hidden2),
      n_classes_(whole_lines(shape.n_classes())),
      n_words_(whole_lines(largest_class(shape))),
      joined_(n_examples * n_joined_),
      hidden_(n_examples * n_hidden_),
      hidden2_(n_examples * n_hidden2_),
      classes_(n_examples * n_classes_),
      words_(n_examples * n_words_) {}

void Layers::forward(const Net& net, const Examples& batch, std::size_t begin, std::size_t end, const Dropout& dropout,
                     double* log_p) {
  const Shape& shape = net.shape();
  const Layout& layout = net.layout();
  const std::size_t n = end - begin;
  const auto row_counter = [&](std::size_t row, std::size_t unit) {
    return dropout.first + (row * (n_joined_ + n_hidden_ + n_hidden2_) + unit) / 4;
  };
  for (std::size_t row = begin; row < end; ++row) {
    for (std::size_t slot = 0; slot < shape.n_slots; ++slot) {
      const auto word = static_cast<std::size_t>(batch.contexts[row * shape.n_slots + slot]);
      std::copy_n(net.at(layout.projection) + word * shape.projection, shape.projection,
                  joined(row) + slot * shape.projection);
    }
    if (dropout.share > 0) leave_out(joined(row), n_joined_, dropout, row_counter(row, 0));
  }
  begin_with(net.at(layout.hidden_bias), n_hidden_, hidden(begin), n);
  add_product({joined(begin), n_joined_, 1}, net.at(layout.hidden), hidden(begin), n, n_hidden_, n_joined_);
  squash(hidden(begin), n * n_hidden_);
  if (dropout.share > 0) {
    for (std::size_t row = begin; row < end; ++row) {
      leave_out(hidden(row), n_hidden_, dropout, row_counter(row, n_joined_));
    }
  }
  if (n_hidden2_ != 0) {
    begin_with(net.at(layout.hidden2_bias), n_hidden2_, hidden2(begin), n);
    add_product({hidden(begin), n_hidden_, 1}, net.at(layout.hidden2), hidden2(begin), n, n_hidden2_, n_hidden_);
    squash(hidden2(begin), n * n_hidden2_);
    if (dropout.share > 0) {
      for (std::size_t row = begin; row < end; ++row) {
        leave_out(hidden2(row), n_hidden2_, dropout, row_counter(row, n_joined_ + n_hidden_));
      }
    }
  }
  begin_with(net.at(layout.class_bias), n_classes_, classes(begin), n);
  add_product({top(begin), shape.top(), 1}, net.at(layout.classes), classes(begin), n, n_classes_, shape.top());
  for (std::size_t row = begin; row < end; ++row) {
    const std::int32_t output = batch.outputs[row];
    const std::size_t c = net.class_of(output), first = shape.class_offsets[c];
    const std::size_t size = shape.class_offsets[c + 1] - first;
    const double class_logit = static_cast<double>(classes(row)[c]);
    log_p[row] = class_logit - normalise(classes(row), shape.n_classes());
    if (size == 1) continue;
    std::copy_n(net.at(layout.word_bias) + first, size, words(row));
    add_dots(net.at(layout.words) + first * shape.top(), top(row), size, shape.top(), words(row));
    const double word_logit = static_cast<double>(words(row)[static_cast<std::size_t>(output) - first]);
    log_p[row] += word_logit - normalise(words(row), size);
  }
}

}  // namespace dragoman::net
