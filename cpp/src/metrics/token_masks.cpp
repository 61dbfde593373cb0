#include "dragoman/metrics/token_masks.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "dragoman/core/errors.hpp"

namespace dragoman::metrics {

void TokenIndex::clear(std::size_t length) {
  if (length >= std::size_t{1} << 30)
    throw data_error("A segment of " + std::to_string(length) + " tokens is too long.");
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

void TokenMasks::digest(Tokens text, bool backwards) {
  index_.clear(text.size());
  numbers_.resize(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) numbers_[i] = index_.add(text[backwards ? text.size() - 1 - i : i]);
  n_blocks_ = (text.size() + 63) / 64;
  shown_ = TokenIndex::kNone;

  starts_.assign(index_.size() + 1, 0);
  for (const std::uint32_t number : numbers_) ++starts_[number + 1];
  // To set and clear the bits of a word that stands more often than there are blocks would cost more than to step over
  // the blocks. There are at most 64 such words.
  rows_.resize(index_.size());
  std::uint32_t n_rows = kSharedRow + 1;
  for (std::size_t w = 0; w < rows_.size(); ++w) {
    rows_[w] = n_blocks_ <= kShort || starts_[w + 1] > n_blocks_ ? n_rows++ : kSharedRow;
  }
  masks_.assign(std::max<std::size_t>(1, n_rows * n_blocks_), 0);
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    const std::uint32_t row = rows_[numbers_[i]];
    if (row != kSharedRow) masks_[row * n_blocks_ + i / 64] |= std::uint64_t{1} << i % 64;
  }
  if (n_blocks_ <= kShort) return;
  for (std::size_t w = 1; w < starts_.size(); ++w) starts_[w] += starts_[w - 1];
  places_.resize(text.size());
  for (std::size_t i = text.size(); i-- > 0;) places_[--starts_[numbers_[i] + 1]] = i;
  // Filling from the end has moved every end to where its list begins.
  starts_.erase(starts_.begin());
  starts_.push_back(text.size());
}

const std::uint64_t* TokenMasks::shared_row(std::uint32_t number) noexcept {
  std::uint64_t* const row = &masks_[kSharedRow * n_blocks_];
  const auto places = [&](std::uint32_t word) {
    return std::span(places_).subspan(starts_[word], starts_[word + 1] - starts_[word]);
  };
  if (number == shown_) return row;
  if (shown_ != TokenIndex::kNone) {
    for (const std::size_t place : places(shown_)) row[place / 64] = 0;
  }
  for (const std::size_t place : places(number)) row[place / 64] |= std::uint64_t{1} << place % 64;
  shown_ = number;
  return row;
}

}  // namespace dragoman::metrics
