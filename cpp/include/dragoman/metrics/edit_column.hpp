#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dragoman::metrics {

/// A column of the edit-distance table between a text (down the rows) and words that come one after the other (a column
/// each). Neighbouring rows differ by at most one, so a column is kept as differences, 64 rows to a block, and one word
/// costs a handful of operations per block (Myers 1999; Hyyrö 2003).
class EditColumn {
 public:
  /// The column before the first word: row i costs i.
  void start(std::size_t length);
  /// The column with these costs, of which neighbours differ by at most one.
  void start(std::span<const std::int64_t> costs);

  /// The next column; bit i % 64 of block i / 64 says whether the new word stands at place i of the text.
  void step(const std::uint64_t* positions) noexcept {
    std::uint64_t rise = 1, fall = 0;  // the change from the column before, in the row above the block
    ++top_;
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      auto& [up, down] = blocks_[b];
      const std::uint64_t equal = positions[b] | fall;
      const std::uint64_t vertical = positions[b] | down;
      const std::uint64_t diagonal = (((equal & up) + up) ^ up) | equal;
      std::uint64_t rises = down | ~(diagonal | up);
      std::uint64_t falls = up & diagonal;
      if (b + 1 == blocks_.size()) bottom_ += ((rises & last_) != 0) - ((falls & last_) != 0);
      const std::uint64_t rise_below = rises >> 63, fall_below = falls >> 63;
      rises = rises << 1 | rise;
      falls = falls << 1 | fall;
      up = falls | ~(vertical | rises);
      down = rises & vertical;
      rise = rise_below;
      fall = fall_below;
    }
  }

  /// The cost in the last row.
  std::int64_t bottom() const noexcept { return blocks_.empty() ? top_ : bottom_; }
  /// The costs of all rows, the one before the first place included.
  void read(std::vector<std::int64_t>& costs) const;

 private:
  struct Block {
    std::uint64_t up;    // rows that cost one more than the row above
    std::uint64_t down;  // rows that cost one less
  };
  std::vector<Block> blocks_;
  std::size_t length_ = 0;
  std::uint64_t last_ = 0;  // the bit of the last row in the last block
  std::int64_t top_ = 0;
  std::int64_t bottom_ = 0;
};

}  // namespace dragoman::metrics
