#include "dragoman/edit/levenshtein.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "dragoman/core/errors.hpp"

namespace dragoman::edit {
namespace {

constexpr std::size_t kBlock = 64;
constexpr std::size_t kMostSteps = (std::size_t{1} << 30) / 16;  // 1 GiB of 16-byte steps

// What a block hands to the block on its right in the same row: is the last cell one more or one less than the one
// above it, and may a swap end in the next cell.
constexpr std::uint8_t kMore = 1, kLess = 2, kSwap = 4;

}  // namespace

void Levenshtein::number(Ids hyp, Ids ref) {
  const std::size_t wanted = std::bit_ceil(2 * ref.size() + 2);
  if (slots_.size() < wanted) slots_.assign(wanted, Slot{0, 0, 0});
  if (++round_ == 0) {
    std::ranges::fill(slots_, Slot{0, 0, 0});
    round_ = 1;
  }
  const std::size_t mask = slots_.size() - 1;
  const auto find = [&](std::int32_t id) -> Slot& {
    std::size_t i = (static_cast<std::uint32_t>(id) * 0x9E3779B1u >> 7) & mask;  // Knuth's multiplicative hashing
    while (slots_[i].round == round_ && slots_[i].id != id) i = (i + 1) & mask;
    return slots_[i];
  };
  std::int32_t next = 0;
  ref_.clear();
  for (const std::int32_t id : ref) {
    Slot& slot = find(id);
    if (slot.round != round_) slot = {id, next++, round_};
    ref_.push_back(slot.number);
  }
  hyp_.clear();
  for (const std::int32_t id : hyp) {
    const Slot& slot = find(id);
    hyp_.push_back(slot.round == round_ ? slot.number : next);
  }
  matches_.assign(static_cast<std::size_t>(next) + 1, 0);
}

/// The matrix in strips of 64 columns (reference items), each from top to bottom; a row of a strip is two machine
/// words, its steps of +1 and of -1 from column to column.
template <bool kSwaps, class Keep>
int Levenshtein::run(Ids hyp, Ids ref, const Keep& keep) {
  if (hyp.empty() || ref.empty()) return static_cast<int>(hyp.size() + ref.size());
  number(hyp, ref);
  carries_.assign(hyp.size(), kMore);  // column 0 grows by one from row to row
  int distance = static_cast<int>(ref.size());
  for (std::size_t first = 0; first < ref.size(); first += kBlock) {
    const std::size_t width = std::min(kBlock, ref.size() - first);
    const auto block = std::span(ref_).subspan(first, width);
    for (std::size_t j = 0; j < width; ++j) matches_[static_cast<std::size_t>(block[j])] |= std::uint64_t{1} << j;
    const bool is_last = first + width == ref.size();
    std::uint64_t more = ~std::uint64_t{0}, less = 0, match_above = 0, diagonal_above = 0;
    for (std::size_t i = 0; i < hyp.size(); ++i) {
      const std::uint8_t carry = carries_[i];
      const std::uint64_t match = matches_[static_cast<std::size_t>(hyp_[i])];
      const std::uint64_t starts = match | (carry & kLess ? 1 : 0);
      std::uint64_t diagonal = (((starts & more) + more) ^ more) | starts | less;
      std::uint8_t handed = 0;
      if constexpr (kSwaps) {
        // A swap ends in a cell whose item equals the one above of the other sequence, and the other way round, where
        // the cell between is no diagonal of nought.
        const std::uint64_t crossed = ~diagonal_above & match;
        diagonal |= (crossed << 1 | (carry & kSwap ? 1 : 0)) & match_above;
        if (crossed >> 63) handed |= kSwap;
        match_above = match;
        diagonal_above = diagonal;
      }
      const std::uint64_t down = less | ~(diagonal | more);
      const std::uint64_t up = more & diagonal;
      keep(first / kBlock, i, Step{diagonal, down});
      if (down >> (width - 1) & 1) handed |= kMore;
      if (up >> (width - 1) & 1) handed |= kLess;
      carries_[i] = handed;
      if (is_last) distance += (handed & kMore ? 1 : 0) - (handed & kLess ? 1 : 0);
      const std::uint64_t down_before = down << 1 | (carry & kMore ? 1 : 0);
      const std::uint64_t up_before = up << 1 | (carry & kLess ? 1 : 0);
      more = up_before | ~(diagonal | down_before);
      less = down_before & diagonal;
    }
    for (const std::int32_t item : block) matches_[static_cast<std::size_t>(item)] = 0;
  }
  return distance;
}

int Levenshtein::distance(Ids hyp, Ids ref) {
  return run<false>(hyp, ref, [](std::size_t, std::size_t, Step) {});
}

int Levenshtein::damerau(Ids hyp, Ids ref) {
  return run<true>(hyp, ref, [](std::size_t, std::size_t, Step) {});
}

std::vector<Operation> Levenshtein::operations(Ids hyp, Ids ref) {
  const std::size_t n_blocks = (ref.size() + kBlock - 1) / kBlock;
  if (n_blocks != 0 && hyp.size() > kMostSteps / n_blocks) {
    throw data_error("Sequences of " + std::to_string(hyp.size()) + " and " + std::to_string(ref.size()) +
                     " items are too long to be aligned (more than 1 GiB); cut them into segments.");
  }
  steps_.resize(hyp.size() * n_blocks);
  run<false>(hyp, ref, [&](std::size_t block, std::size_t i, Step step) { steps_[i * n_blocks + block] = step; });
  std::vector<Operation> operations;
  operations.reserve(std::max(hyp.size(), ref.size()));
  std::size_t i = hyp.size(), j = ref.size();
  while (i > 0 || j > 0) {
    Operation operation;
    if (i == 0) {
      operation = Operation::kInsert;
    } else if (j == 0) {
      operation = Operation::kDelete;
    } else if (hyp[i - 1] == ref[j - 1]) {
      operation = Operation::kMatch;
    } else {
      const Step& step = steps_[(i - 1) * n_blocks + (j - 1) / kBlock];
      const std::size_t bit = (j - 1) % kBlock;
      operation = !(step.diagonal >> bit & 1) ? Operation::kSubstitute
                  : step.down >> bit & 1      ? Operation::kDelete
                                              : Operation::kInsert;
    }
    if (operation != Operation::kInsert) --i;
    if (operation != Operation::kDelete) --j;
    operations.push_back(operation);
  }
  std::ranges::reverse(operations);
  return operations;
}

}  // namespace dragoman::edit
