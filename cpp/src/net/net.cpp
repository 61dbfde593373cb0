#include "dragoman/net/net.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"
#include "layers.hpp"

namespace dragoman::net {
namespace {

constexpr std::size_t kBlock = 64;  // examples that go through the layers together

const Shape& checked(const Shape& shape) {
  shape.check();
  return shape;
}

void check_numbers(std::span<const std::int32_t> numbers, std::size_t n_words, const char* name) {
  for (const std::int32_t number : numbers) {
    if (number < 0 || static_cast<std::size_t>(number) >= n_words) {
      throw data_error("There is no " + std::string(name) + " word " + std::to_string(number) + ": the net has " +
                       std::to_string(n_words) + ".");
    }
  }
}

}  // namespace

Net::Net(Shape shape, std::vector<float> weights) : Net(std::move(shape), weights, nullptr) {
  own_weights_ = std::move(weights);
  weights_ = own_weights_;
}

Net::Net(Shape shape, std::span<const float> weights, std::shared_ptr<const void> owner)
    : shape_(checked(shape)), layout_(shape_), weights_(weights), owner_(std::move(owner)) {
  if (weights.size() != layout_.n_weights()) {
    throw data_error("The net has " + std::to_string(layout_.n_weights()) + " weights, got " +
                     std::to_string(weights.size()) + ".");
  }
  class_of_.resize(shape_.n_outputs());
  for (std::uint32_t c = 0; c < shape_.n_classes(); ++c) {
    std::fill(class_of_.begin() + shape_.class_offsets[c], class_of_.begin() + shape_.class_offsets[c + 1], c);
  }
}

void Net::check(const Examples& examples) const {
  if (examples.contexts.size() != examples.outputs.size() * shape_.n_slots) {
    throw data_error("There must be " + std::to_string(shape_.n_slots) + " context words for each output, got " +
                     std::to_string(examples.contexts.size()) + " for " + std::to_string(examples.outputs.size()) +
                     ".");
  }
  check_numbers(examples.contexts, shape_.n_inputs, "input");
  check_numbers(examples.outputs, shape_.n_outputs(), "output");
}

std::vector<double> Net::log_p(const Examples& examples, unsigned n_threads) const {
  check(examples);
  const std::size_t n = examples.outputs.size();
  std::vector<double> log_p(n);
  for_each_chunk((n + kBlock - 1) / kBlock, n_threads, [&](Chunk chunk) {
    Layers layers(shape_, kBlock);
    for (std::size_t block = chunk.begin; block < chunk.end; ++block) {
      const std::size_t first = block * kBlock, size = std::min(kBlock, n - first);
      const Examples part{examples.contexts.subspan(first * shape_.n_slots, size * shape_.n_slots),
                          examples.outputs.subspan(first, size)};
      layers.forward(*this, part, 0, size, {}, log_p.data() + first);
    }
  });
  return log_p;
}

}  // namespace dragoman::net
