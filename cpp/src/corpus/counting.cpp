#include "dragoman/corpus/counting.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "dragoman/core/errors.hpp"
#include "dragoman/corpus/hashing.hpp"
#include "dragoman/text/unicode.hpp"

namespace dragoman::corpus {
namespace {

constexpr std::size_t kFirstSlots = 1024;  // a power of two, as every size must be

bool is_crowded(std::size_t used, std::size_t slots) noexcept { return 3 * used >= 2 * slots; }

}  // namespace

RepeatCounter::RepeatCounter() : keys_(kFirstSlots), counts_(kFirstSlots) {}

std::uint16_t RepeatCounter::add(std::uint64_t key) {
  std::size_t place = find(key);
  if (counts_[place] == 0) {
    if (is_crowded(used_ + 1, keys_.size())) {
      grow();
      place = find(key);
    }
    keys_[place] = key;
    ++used_;
  }
  if (counts_[place] < std::numeric_limits<std::uint16_t>::max()) ++counts_[place];
  return counts_[place];
}

std::size_t RepeatCounter::find(std::uint64_t key) const noexcept {
  const std::size_t mask = keys_.size() - 1;
  std::size_t place = key & mask;
  while (counts_[place] != 0 && keys_[place] != key) place = (place + 1) & mask;
  return place;
}

void RepeatCounter::grow() {
  std::vector<std::uint64_t> old_keys(keys_.size() * 2);
  std::vector<std::uint16_t> old_counts(counts_.size() * 2);
  std::swap(old_keys, keys_);
  std::swap(old_counts, counts_);
  for (std::size_t i = 0; i < old_keys.size(); ++i) {
    if (old_counts[i] == 0) continue;
    const std::size_t place = find(old_keys[i]);
    keys_[place] = old_keys[i];
    counts_[place] = old_counts[i];
  }
}

TypeCounter::TypeCounter() : slots_(kFirstSlots) {}

std::size_t TypeCounter::add(std::string_view line) {
  const std::uint64_t before = tokens_;
  text::split(line, [&](std::string_view token) { add_token(token); });
  return static_cast<std::size_t>(tokens_ - before);
}

std::size_t TypeCounter::hapaxes() const noexcept {
  return static_cast<std::size_t>(std::ranges::count(slots_, 1u, &Slot::count));
}

void TypeCounter::add_token(std::string_view token) {
  if (token.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw data_error("A token is longer than 4 GB.");
  }
  const std::uint64_t hash = hash_bytes(token);
  Slot* slot = &find(token, hash);
  if (slot->count == 0) {
    if (is_crowded(used_ + 1, slots_.size())) {
      grow();
      slot = &find(token, hash);
    }
    slot->hash = hash;
    slot->begin = words_.size();
    slot->size = static_cast<std::uint32_t>(token.size());
    words_.append(token);
    ++used_;
  }
  ++slot->count;
  ++tokens_;
}

TypeCounter::Slot& TypeCounter::find(std::string_view token, std::uint64_t hash) noexcept {
  const std::size_t mask = slots_.size() - 1;
  const auto differs = [&](const Slot& slot) {
    return slot.hash != hash || slot.size != token.size() ||
           std::string_view(words_).substr(slot.begin, slot.size) != token;
  };
  std::size_t place = hash & mask;
  while (slots_[place].count != 0 && differs(slots_[place])) place = (place + 1) & mask;
  return slots_[place];
}

void TypeCounter::grow() {
  std::vector<Slot> old(slots_.size() * 2);
  std::swap(old, slots_);
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.count == 0) continue;
    std::size_t place = slot.hash & mask;
    while (slots_[place].count != 0) place = (place + 1) & mask;
    slots_[place] = slot;
  }
}

}  // namespace dragoman::corpus
