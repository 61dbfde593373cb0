#include "dragoman/morph/parts.hpp"

#include <algorithm>

namespace dragoman::morph {
namespace {

// Rabin & Karp's fingerprints modulo the Mersenne prime 2^61 − 1: any stretch's hash in constant time.
constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61) - 1;
constexpr std::uint64_t kBase = 0x13198A2E03707345ULL % kPrime;

std::uint64_t product(std::uint64_t a, std::uint64_t b) noexcept {
  const auto whole = static_cast<unsigned __int128>(a) * b;
  const std::uint64_t sum = static_cast<std::uint64_t>(whole & kPrime) + static_cast<std::uint64_t>(whole >> 61);
  return sum >= kPrime ? sum - kPrime : sum;
}

std::uint64_t reduced(std::uint64_t x) noexcept { return x >= kPrime ? x - kPrime : x; }

}  // namespace

PartTable::PartTable(std::span<const Letter> text, std::uint32_t longest)
    : text_(text), prefixes_(text.size() + 1), powers_(longest + 1), slots_(1024, Slot{0, kNoPart}) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    prefixes_[i + 1] = reduced(product(prefixes_[i], kBase) + static_cast<std::uint64_t>(text[i]) + 1);
  }
  powers_[0] = 1;
  for (std::uint32_t i = 0; i < longest; ++i) powers_[i + 1] = product(powers_[i], kBase);
}

PartId PartTable::find(Place place) const noexcept { return slots_[slot(place, hash(place))].id; }

PartId PartTable::add(Place place) {
  const std::uint64_t key = hash(place);
  std::size_t at = slot(place, key);
  if (slots_[at].id != kNoPart) return slots_[at].id;
  if ((parts_.size() + 1) * 2 > slots_.size()) {
    widen();
    at = slot(place, key);
  }
  const auto id = static_cast<PartId>(parts_.size());
  parts_.push_back({place, 0, kNoPart, kNoPart});
  slots_[at] = {static_cast<std::uint32_t>(key >> 32), id};
  return id;
}

std::uint64_t PartTable::hash(Place place) const noexcept {
  const std::uint64_t left = product(prefixes_[place.begin], powers_[place.length]);
  const std::uint64_t value = reduced(prefixes_[place.begin + place.length] + kPrime - left);
  return (value ^ value >> 29) * 0x9E3779B97F4A7C15ULL;  // the remainder's low bits alone would not spread
}

std::size_t PartTable::slot(Place place, std::uint64_t hash) const noexcept {
  const std::size_t mask = slots_.size() - 1;
  const auto tag = static_cast<std::uint32_t>(hash >> 32);
  std::size_t at = (hash >> 16) & mask;
  for (; slots_[at].id != kNoPart; at = (at + 1) & mask) {
    if (slots_[at].tag != tag) continue;
    const Place& other = parts_[slots_[at].id].place;
    if (other.length == place.length && std::ranges::equal(spelling(other), spelling(place))) break;
  }
  return at;
}

void PartTable::widen() {
  slots_.assign(slots_.size() * 2, Slot{0, kNoPart});
  for (PartId id = 0; id < parts_.size(); ++id) {
    const std::uint64_t key = hash(parts_[id].place);
    slots_[slot(parts_[id].place, key)] = {static_cast<std::uint32_t>(key >> 32), id};
  }
}

}  // namespace dragoman::morph
