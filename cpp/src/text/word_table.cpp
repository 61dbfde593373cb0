#include "dragoman/text/word_table.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>
#include <utility>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/hash.hpp"
#include "dragoman/text/unicode.hpp"

namespace dragoman::text {
namespace {

constexpr std::size_t kFirstSlots = 64;
constexpr WordTable::Slot kFree{0, kNoToken};

std::uint32_t tag_of(std::uint64_t hash) noexcept { return static_cast<std::uint32_t>(hash >> 32); }

}  // namespace

WordTable::WordTable() : own_offsets_{0}, own_slots_(kFirstSlots, kFree), offsets_(own_offsets_), slots_(own_slots_) {}

WordTable::WordTable(std::span<const std::uint64_t> offsets, std::string_view bytes, std::span<const Slot> slots)
    : offsets_(offsets), bytes_(bytes), slots_(slots) {
  const auto begins_character = [&](std::uint64_t at) {
    return at == bytes.size() || (static_cast<unsigned char>(bytes[at]) & 0xC0) != 0x80;
  };
  const bool words_fit = !offsets.empty() && offsets.front() == 0 && offsets.back() == bytes.size() &&
                         std::ranges::is_sorted(offsets) && std::ranges::all_of(offsets, begins_character) &&
                         is_utf8(bytes);
  const auto n_words = static_cast<std::int64_t>(offsets.size()) - 1;
  const auto taken = std::ranges::count_if(slots, [](Slot slot) { return slot.id != kNoToken; });
  // A free slot must exist, or the search for an unknown word would not end.
  const auto holds_word = [&](Slot slot) { return slot.id >= kNoToken && slot.id < n_words; };
  const bool slots_fit = std::has_single_bit(slots.size()) && taken == n_words &&
                         taken < static_cast<std::int64_t>(slots.size()) && std::ranges::all_of(slots, holds_word);
  if (!words_fit || !slots_fit) throw data_error("the table of words contradicts itself. Build the vocabulary again.");
}

WordTable::WordTable(const WordTable& other)
    : own_offsets_(other.offsets_.begin(), other.offsets_.end()),
      own_slots_(other.slots_.begin(), other.slots_.end()),
      offsets_(own_offsets_),
      slots_(own_slots_) {
  own_bytes_.append(other.bytes_);
  bytes_ = own_bytes_.view();
}

WordTable& WordTable::operator=(WordTable other) noexcept {
  own_offsets_ = std::move(other.own_offsets_);
  own_bytes_ = std::move(other.own_bytes_);
  own_slots_ = std::move(other.own_slots_);
  offsets_ = other.offsets_;
  bytes_ = other.bytes_;
  slots_ = other.slots_;
  return *this;
}

std::size_t WordTable::place(std::string_view text, std::uint64_t hash) const noexcept {
  const std::size_t mask = slots_.size() - 1;
  const std::uint32_t tag = tag_of(hash);
  std::size_t i = hash & mask;
  while (slots_[i].id != kNoToken && (slots_[i].tag != tag || !same_bytes(word(slots_[i].id), text)))
    i = (i + 1) & mask;
  return i;
}

TokenId WordTable::find(std::string_view word) const noexcept { return slots_[place(word, hash_bytes(word))].id; }

TokenId WordTable::add(std::string_view word) { return add(word, hash_bytes(word)); }

TokenId WordTable::add(std::string_view word, std::uint64_t hash) {
  const std::size_t found = place(word, hash);
  if (slots_[found].id != kNoToken) return slots_[found].id;
  if (own_offsets_.empty()) throw std::logic_error("a word table on memory of others cannot grow");
  if (size() == static_cast<std::size_t>(std::numeric_limits<TokenId>::max())) {
    throw std::length_error("a word table holds at most 2147483647 words");
  }
  const auto id = static_cast<TokenId>(size());
  own_bytes_.append(word);
  own_offsets_.push_back(own_bytes_.size());
  own_slots_[found] = {tag_of(hash), id};
  bytes_ = own_bytes_.view();
  offsets_ = own_offsets_;
  if (2 * size() > own_slots_.size()) widen();
  return id;
}

void WordTable::widen() {
  own_slots_.assign(2 * own_slots_.size(), kFree);
  slots_ = own_slots_;
  for (std::size_t i = 0; i < size(); ++i) {
    const auto id = static_cast<TokenId>(i);
    const std::uint64_t hash = hash_bytes(word(id));
    // Words are distinct: the first free slot is the place, no word needs to be compared.
    std::size_t slot = hash & (own_slots_.size() - 1);
    while (own_slots_[slot].id != kNoToken) slot = (slot + 1) & (own_slots_.size() - 1);
    own_slots_[slot] = {tag_of(hash), id};
  }
}

}  // namespace dragoman::text
