#include "dragoman/phrase/lexical_counts.hpp"

#include <algorithm>
#include <utility>

namespace dragoman::phrase {

namespace {

void count_up(std::vector<std::uint64_t>& totals, TokenId word, std::uint64_t count) {
  const auto at = static_cast<std::size_t>(word + 1);
  if (at >= totals.size()) totals.resize(at + 1);
  totals[at] += count;
}

}  // namespace

void LexicalCounts::add(TokenId source, TokenId target, std::uint64_t count) {
  if (2 * (n_used_ + 1) > slots_.size()) {
    std::vector<Slot> old(std::max<std::size_t>(64, slots_.size() * 2));
    std::swap(old, slots_);
    for (const Slot& slot : old) {
      if (slot.key != 0) slots_[place(slots_, slot.key)] = slot;
    }
  }
  Slot& slot = slots_[place(slots_, key(source, target))];
  if (slot.key == 0) {
    slot.key = key(source, target);
    ++n_used_;
  }
  slot.count += count;
  count_up(source_totals_, source, count);
  count_up(target_totals_, target, count);
}

void LexicalCounts::gather() {
  const Arrays file = std::exchange(file_, Arrays{});
  for (const Slot& slot : file.slots) {
    if (slot.key == 0) continue;
    add(static_cast<TokenId>(slot.key >> 32) - 2, static_cast<TokenId>(slot.key & 0xFFFFFFFF) - 2, slot.count);
  }
}

}  // namespace dragoman::phrase
