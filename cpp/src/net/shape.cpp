#include "dragoman/net/shape.hpp"

#include <algorithm>
#include <functional>
#include <string>

#include "dragoman/core/errors.hpp"

namespace dragoman::net {
namespace {

constexpr std::uint32_t kMostSlots = 64, kWidest = 1 << 14;

void check_width(std::uint32_t width, const char* name, bool may_lack) {
  if (may_lack && width == 0) return;
  if (width == 0 || width % kLine != 0 || width > kWidest) {
    throw data_error(std::string(name) + " is " + std::to_string(width) + "; a width is a multiple of " +
                     std::to_string(kLine) + " up to " + std::to_string(kWidest) + ".");
  }
}

}  // namespace

void Shape::check() const {
  if (n_inputs == 0) throw data_error("A net needs at least one word that a context can be of.");
  if (n_slots == 0 || n_slots > kMostSlots) {
    throw data_error("A context has 1 to " + std::to_string(kMostSlots) + " words, got " + std::to_string(n_slots) +
                     ".");
  }
  check_width(projection, "projection", false);
  check_width(hidden, "hidden", false);
  check_width(hidden2, "hidden2", true);
  if (class_offsets.size() < 2 || class_offsets.front() != 0 ||
      std::ranges::adjacent_find(class_offsets, std::greater_equal{}) != class_offsets.end()) {
    throw data_error("The classes of the output must begin at 0 and have at least one word each.");
  }
}

Layout::Layout(const Shape& shape) {
  std::size_t place = 0;
  const auto next = [&](std::string_view name, std::size_t rows, std::size_t columns) {
    const Block block{name, place, rows, whole_lines(columns)};
    place = block.end();
    return block;
  };
  projection = next("projection", shape.n_inputs, shape.projection);
  hidden = next("hidden", shape.n_joined(), shape.hidden);
  hidden_bias = next("hidden bias", 1, shape.hidden);
  hidden2 = next("hidden2", shape.hidden2 != 0 ? shape.hidden : 0, shape.hidden2);
  hidden2_bias = next("hidden2 bias", shape.hidden2 != 0 ? 1 : 0, shape.hidden2);
  classes = next("classes", shape.top(), shape.n_classes());
  class_bias = next("class bias", 1, shape.n_classes());
  words = next("words", shape.n_outputs(), shape.top());
  word_bias = next("word bias", 1, shape.n_outputs());
}

std::vector<Block> Layout::all() const {
  return {projection, hidden, hidden_bias, hidden2, hidden2_bias, classes, class_bias, words, word_bias};
}

}  // namespace dragoman::net
