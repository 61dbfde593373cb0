#include "dragoman/phrase/blocks.hpp"

#include <algorithm>
#include <limits>

#include "dragoman/core/hash.hpp"

namespace dragoman::phrase {

void BlockStacks::start(std::size_t n_words, Hierarchy hierarchy, bool itg) {
  arena_.clear();
  slots_.assign(256, nullptr);
  n_blocks_ = 0;
  itg_ = itg;
  most_ = hierarchy == Hierarchy::star_reducing && !itg ? std::numeric_limits<std::size_t>::max() : 2;
  empty_ = unique({0, 0}, {0, static_cast<std::uint16_t>(n_words)}, nullptr);
}

const Block* BlockStacks::unique(Span span, Span room, const Block* below) {
  const auto hash_of = [](const Block& each) {
    const std::uint64_t values[3] = {
        std::uint64_t{each.span.begin} << 32 | std::uint64_t{each.span.end} << 16 | each.room.begin, each.room.end,
        each.below == nullptr ? 0 : each.below->number + 1U};
    return hash_bytes({reinterpret_cast<const char*>(values), sizeof(values)});
  };
  if (2 * n_blocks_ >= slots_.size()) {
    std::vector<const Block*> old(slots_.size() * 4, nullptr);
    std::swap(old, slots_);
    for (const Block* each : old) {
      if (each == nullptr) continue;
      std::size_t slot = hash_of(*each) & (slots_.size() - 1);
      while (slots_[slot] != nullptr) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = each;
    }
  }
  const Block block{span, room, below, static_cast<std::uint32_t>(n_blocks_)};
  std::size_t slot = hash_of(block) & (slots_.size() - 1);
  for (; slots_[slot] != nullptr; slot = (slot + 1) & (slots_.size() - 1)) {
    const Block& known = *slots_[slot];
    if (known.span == block.span && known.room == block.room && known.below == block.below) return &known;
  }
  Block* const made = arena_.make<Block>();
  *made = block;
  slots_[slot] = made;
  ++n_blocks_;
  return made;
}

const Block* BlockStacks::reduced(const Block* top) {
  std::uint16_t begin = top->span.begin, end = top->span.end;
  std::size_t size = end - begin, joined = 1;
  for (const Block* each = top->below; each != nullptr && joined < most_; each = each->below) {
    begin = std::min(begin, each->span.begin);
    end = std::max(end, each->span.end);
    size += each->span.end - each->span.begin;
    ++joined;
    // Blocks do not overlap: together they are one exactly if nothing is missing between their ends.
    if (size == static_cast<std::size_t>(end - begin)) return unique({begin, end}, each->room, each->below);
  }
  return nullptr;
}

const Block* BlockStacks::shift(const Block* top, Span block) {
  Span room{};
  if (itg_) {
    room = block.end <= top->span.begin ? Span{top->room.begin, top->span.begin} : Span{top->span.end, top->room.end};
  }
  const Block* now = unique(block, room, top);
  while (const Block* const joined = reduced(now)) now = joined;
  return now;
}

std::size_t permutation_complexity(std::span<const Span> blocks) {
  std::vector<Span> stack;
  std::size_t largest = 1;
  for (const Span block : blocks) {
    stack.push_back(block);
    for (bool again = true; again;) {
      again = false;
      Span all = stack.back();
      std::size_t size = all.end - all.begin;
      for (std::size_t joined = 2; joined <= stack.size(); ++joined) {
        const Span each = stack[stack.size() - joined];
        all = {std::min(all.begin, each.begin), std::max(all.end, each.end)};
        size += each.end - each.begin;
        if (size != static_cast<std::size_t>(all.end - all.begin)) continue;
        stack.resize(stack.size() - joined);
        stack.push_back(all);
        largest = std::max(largest, joined);
        again = true;
        break;
      }
    }
  }
  return largest;
}

}  // namespace dragoman::phrase
