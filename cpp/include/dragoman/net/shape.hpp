#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace dragoman::net {

/// Floats are worked on so many at a time; widths of layers are multiples of it.
inline constexpr std::size_t kLine = 16;

constexpr std::size_t whole_lines(std::size_t n) noexcept { return (n + kLine - 1) / kLine * kLine; }

/// The sizes of a feed-forward net over n-grams (Bengio et al. 2003; Schwenk 2007): words of the context are projected
/// by one table whatever their place, one or two hidden layers follow, and the output is factored by classes (Goodman
/// 2001; Le et al. 2011): p(word | context) = p(class | context) · p(word | class, context). A class of one word costs
/// nothing more, so a short list of frequent words is a list of such classes.
struct Shape {
  std::uint32_t n_inputs = 0;                // words that contexts are of; of two languages, one behind the other
  std::uint32_t n_slots = 0;                 // words of a context
  std::uint32_t projection = 0;              // width of a projected word
  std::uint32_t hidden = 0;                  // width of the hidden layer
  std::uint32_t hidden2 = 0;                 // and of a second one; 0: there is none
  std::vector<std::uint32_t> class_offsets;  // output words are numbered class by class: [offsets[c], offsets[c + 1])

  std::size_t n_classes() const noexcept { return class_offsets.size() - 1; }
  std::size_t n_outputs() const noexcept { return class_offsets.back(); }
  std::size_t n_joined() const noexcept { return std::size_t{n_slots} * projection; }
  std::size_t top() const noexcept { return hidden2 != 0 ? hidden2 : hidden; }
  /// Throws data_error that names the first size that cannot be.
  void check() const;
};

/// A matrix among the weights, row by row.
struct Block {
  std::string_view name;
  std::size_t offset;  // of its first weight
  std::size_t rows;
  std::size_t columns;  // a multiple of kLine: what fills a row up is 0 and stays so
  std::size_t end() const noexcept { return offset + rows * columns; }
};

/// Where the weights of a net lie: all in one run, so that saving, averaging and comparing them know no layers.
struct Layout {
  explicit Layout(const Shape& shape);
  Block projection, hidden, hidden_bias, hidden2, hidden2_bias, classes, class_bias, words, word_bias;
  std::vector<Block> all() const;
  std::size_t n_weights() const noexcept { return word_bias.end(); }
};

}  // namespace dragoman::net
