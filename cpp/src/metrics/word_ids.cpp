#include "dragoman/metrics/word_ids.hpp"

#include <algorithm>

#include "dragoman/core/hash.hpp"

namespace dragoman::metrics {
namespace {

constexpr std::size_t kFirstSize = 256;

}  // namespace

WordIds::WordIds() : places_(kFirstSize) {}

void WordIds::clear() {
  words_.clear();
  text_.clear();
  if (++generation_ == 0) {
    std::ranges::fill(places_, Place{});
    generation_ = 1;
  }
}

std::uint32_t WordIds::add(std::string_view word) {
  if (2 * words_.size() >= places_.size()) grow();
  const std::uint64_t hash = hash_bytes(word);
  std::size_t at = home(hash);
  for (; places_[at].generation == generation_; at = home(at + 1)) {
    if (places_[at].hash == hash && is(places_[at].id, word)) return places_[at].id;
  }
  words_.push_back({text_.size(), word.size()});
  const auto id = static_cast<std::uint32_t>(words_.size());
  places_[at] = {hash, id, generation_};
  text_.append(word);
  return id;
}

std::uint32_t WordIds::find(std::string_view word) const noexcept {
  const std::uint64_t hash = hash_bytes(word);
  for (std::size_t at = home(hash); places_[at].generation == generation_; at = home(at + 1)) {
    if (places_[at].hash == hash && is(places_[at].id, word)) return places_[at].id;
  }
  return kNone;
}

bool WordIds::is(std::uint32_t id, std::string_view word) const noexcept {
  return same_bytes(std::string_view(text_).substr(words_[id - 1].begin, words_[id - 1].length), word);
}

void WordIds::grow() {
  std::vector<Place> old(2 * places_.size());
  old.swap(places_);
  for (const Place& place : old) {
    if (place.generation != generation_) continue;
    std::size_t at = home(place.hash);
    while (places_[at].generation == generation_) at = home(at + 1);
    places_[at] = place;
  }
}

}  // namespace dragoman::metrics
