#include "dragoman/metrics/token_masks.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "dragoman/core/errors.hpp"

namespace dragoman::metrics {

void TokenIndex::clear(std::size_t length) {
  if (length >= std::size_t{1} << 30) throw data_error("A segment of " + std::to_string(length) + " tokens is too long.");
  bits_ = std::bit_width(2 * length + 1);
  if (places_.size() < std::size_t{1} << bits_) places_.resize(std::size_t{1} << bits_);
  size_ = 0;
  if (++generation_ == 0) {  // after 2^32 texts an old place could seem new
    std::ranges::fill(places_, Place{});
    generation_ = 1;
  }
}

std::uint32_t TokenIndex::add(TokenId token) noexcept {
  std::size_t at = home(token);
  for (; places_[at].generation == generation_; at = behind(at)) {
    if (places_[at].token == token) return places_[at].number;
  }
  places_[at] = {token, size_, generation_};
  return size_++;
}

std::uint32_t TokenIndex::find(TokenId token) const noexcept {
  for (std::size_t at = home(token); places_[at].generation == generation_; at = behind(at)) {
    if (places_[at].token == token) return places_[at].number;
  }
  return kNone;
}

void TokenMasks::digest(Tokens text) {
  index_.clear(text.size());
  length_ = text.size();
  n_blocks_ = (text.size() + 63) / 64;
  masks_.assign(std::max<std::size_t>(1, n_blocks_), 0);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t row = index_.add(text[i]) + 1;
    if (row * n_blocks_ == masks_.size()) masks_.resize((row + 1) * n_blocks_, 0);
    masks_[row * n_blocks_ + i / 64] |= std::uint64_t{1} << i % 64;
  }
}

}  // namespace dragoman::metrics
