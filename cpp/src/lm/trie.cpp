#include "dragoman/lm/trie.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

#include "bins.hpp"
#include "packing.hpp"

namespace dragoman::lm {

namespace {

unsigned bits_for(std::uint64_t largest) { return std::max(1U, static_cast<unsigned>(std::bit_width(largest))); }

std::uint64_t whole_words(std::uint64_t bytes) { return (bytes + 7) / 8 * 8; }

template <class T>
std::string_view as_bytes(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

}  // namespace

Trie::Level::Level(unsigned order, unsigned highest, std::span<const std::uint64_t> n_ngrams, Quantisation quantisation)
    : n(n_ngrams[order - 1]) {
  word_bits = bits_for(n_ngrams[0]);
  p_at = word_bits;
  p_bits = quantisation.p_bits == 0 ? 31 : quantisation.p_bits;  // a logarithm without its sign
  bits = p_at + p_bits;
  if (order == highest) return;
  backoff_at = bits;
  backoff_bits = quantisation.backoff_bits == 0 ? 32 : quantisation.backoff_bits;
  next_at = backoff_at + backoff_bits;
  next_bits = bits_for(n_ngrams[order]);
  bits = next_at + next_bits;
}

float Trie::log_p(unsigned order, std::uint64_t at) const noexcept {
  const Level& level = levels_[order];
  const std::uint64_t code = level.read(at, level.p_at, level.p_bits);
  return level.p_values.empty() ? -std::bit_cast<float>(static_cast<std::uint32_t>(code)) : level.p_values[code];
}

float Trie::log_backoff(unsigned order, std::uint64_t at) const noexcept {
  const Level& level = levels_[order];
  if (level.backoff_bits == 0) return kNoExtension;
  const std::uint64_t code = level.read(at, level.backoff_at, level.backoff_bits);
  return level.backoff_values.empty() ? std::bit_cast<float>(static_cast<std::uint32_t>(code))
                                      : level.backoff_values[code];
}

std::uint64_t Trie::find(unsigned order, Range range, WordId word) const noexcept {
  const Level& level = levels_[order];
  while (range.begin < range.end) {
    const std::uint64_t middle = range.begin + (range.end - range.begin) / 2;
    const auto there = static_cast<WordId>(level.read(middle, 0, level.word_bits));
    if (there == word) return middle;
    if (there < word) {
      range.begin = middle + 1;
    } else {
      range.end = middle;
    }
  }
  return kNone;
}

Trie::Trie(unsigned order, std::span<const std::uint64_t> n_ngrams, Quantisation quantisation)
    : order_(order), quantisation_(quantisation) {
  for (unsigned k = 2; k <= order; ++k) levels_[k] = Level(k, order, n_ngrams, quantisation);
}

std::vector<std::uint64_t> Trie::array_sizes(unsigned order, std::span<const std::uint64_t> n_ngrams,
                                             Quantisation quantisation) {
  std::vector<std::uint64_t> sizes = {8 * (n_ngrams[0] + 1)};
  for (unsigned k = 2; k <= order; ++k) {
    const auto values = [](unsigned bits) { return bits == 0 ? 0 : whole_words(sizeof(float) << bits); };
    sizes.push_back(values(quantisation.p_bits));
    sizes.push_back(k == order ? 0 : values(quantisation.backoff_bits));
    sizes.push_back(Level(k, order, n_ngrams, quantisation).n_bytes());
  }
  return sizes;
}

std::vector<std::string_view> Trie::arrays() const {
  std::vector<std::string_view> arrays = {as_bytes(first_)};
  for (unsigned k = 2; k <= order_; ++k) {
    arrays.push_back(as_bytes(levels_[k].p_values));
    arrays.push_back(as_bytes(levels_[k].backoff_values));
    arrays.push_back(levels_[k].records);
  }
  return arrays;
}

Trie::Trie(unsigned order, std::span<const std::uint64_t> n_ngrams, Quantisation quantisation,
           std::span<const std::string_view> arrays)
    : Trie(order, n_ngrams, quantisation) {
  const auto floats = [](std::string_view bytes) {
    return std::span(reinterpret_cast<const float*>(bytes.data()), bytes.size() / sizeof(float));
  };
  first_ = {reinterpret_cast<const std::uint64_t*>(arrays[0].data()), arrays[0].size() / 8};
  for (unsigned k = 2; k <= order; ++k) {
    levels_[k].p_values = floats(arrays[3 * k - 5]);
    levels_[k].backoff_values = floats(arrays[3 * k - 4]);
    levels_[k].records = arrays[3 * k - 3];
  }
}

TrieBuilder::TrieBuilder(std::span<const std::uint64_t> n_ngrams, Quantisation quantisation)
    : trie_(static_cast<unsigned>(n_ngrams.size()), n_ngrams, quantisation) {
  trie_.own_first_.assign(n_ngrams[0] + 1, 0);
  for (unsigned k = 2; k <= trie_.order_; ++k) {
    trie_.own_records_[k].assign(trie_.levels_[k].n_bytes(), 0);
    trie_.levels_[k].records = {trie_.own_records_[k].data(), trie_.own_records_[k].size()};
  }
  trie_.first_ = trie_.own_first_;
}

void TrieBuilder::write(unsigned order, std::uint64_t at, unsigned offset, std::uint64_t value) {
  const std::uint64_t bit = at * trie_.levels_[order].bits + offset;
  char* const place = trie_.own_records_[order].data() + bit / 8;
  std::uint64_t there;
  std::memcpy(&there, place, 8);
  there |= value << (bit % 8);
  std::memcpy(place, &there, 8);
}

void TrieBuilder::begin_level(unsigned order) {
  order_ = order;
  n_closed_ = 0;
  last_.clear();
}

std::uint64_t TrieBuilder::parent_of(std::span<const WordId> words) {
  const auto parent = words.first(words.size() - 1);
  if (!last_.empty() && std::equal(parent.begin(), parent.end(), last_.begin())) return last_parent_;
  if (parent.size() == 1) return parent[0];
  Trie::Range range = trie_.children(parent[0]);
  std::uint64_t at = Trie::kNone;
  for (unsigned k = 2; k <= parent.size(); ++k) {
    // The level just above has its children not yet closed, but its own place in its parent is known.
    at = trie_.find(k, range, parent[k - 1]);
    if (at == Trie::kNone) throw std::logic_error("an n-gram of a trie came before the one without its first word");
    if (k < parent.size()) range = trie_.children(k, at);
  }
  return at;
}

void TrieBuilder::ngram(std::span<const WordId> words, float log_p, float log_backoff) {
  if (words.size() != order_) {
    while (order_ < words.size()) {
      if (order_ > 1) end_level();
      begin_level(order_ + 1);
    }
  } else if (!std::lexicographical_compare(last_.begin(), last_.end(), words.begin(), words.end())) {
    throw std::logic_error("n-grams of a trie must come in suffix order");
  }
  const std::uint64_t parent = parent_of(words);
  const std::uint64_t n = words_.size();
  if (order_ == 2) {
    for (; n_closed_ <= parent; ++n_closed_) trie_.own_first_[n_closed_] = n;
  } else {
    for (; n_closed_ <= parent; ++n_closed_) write(order_ - 1, n_closed_, trie_.levels_[order_ - 1].next_at, n);
  }
  last_.assign(words.begin(), words.end());
  last_parent_ = parent;
  // The word must be readable before the level ends only for the next one, so it waits with the numbers.
  words_.push_back(words.back());
  log_p_.push_back(log_p);
  log_backoff_.push_back(log_backoff);
}

void TrieBuilder::end_level() {
  Trie::Level& level = trie_.levels_[order_];
  if (words_.size() != level.n) throw std::logic_error("a trie got another number of n-grams than announced");
  if (order_ == 2) {
    for (; n_closed_ < trie_.own_first_.size(); ++n_closed_) trie_.own_first_[n_closed_] = words_.size();
  } else {
    const Trie::Level& above = trie_.levels_[order_ - 1];
    for (; n_closed_ <= above.n; ++n_closed_) write(order_ - 1, n_closed_, above.next_at, words_.size());
  }
  const bool quantised_p = trie_.quantisation_.p_bits > 0;
  const bool quantised_backoff = trie_.quantisation_.backoff_bits > 0 && level.backoff_bits > 0;
  std::vector<float>& p_values = trie_.own_p_values_[order_];
  std::vector<float>& backoff_values = trie_.own_backoff_values_[order_];
  if (quantised_p) p_values = bin_centres(log_p_, std::size_t{1} << level.p_bits);
  if (quantised_backoff) {
    std::vector<float> weights;
    std::copy_if(log_backoff_.begin(), log_backoff_.end(), std::back_inserter(weights),
                 [](float value) { return !std::isnan(value); });
    backoff_values = bin_centres(weights, (std::size_t{1} << level.backoff_bits) - 1);
    backoff_values.insert(backoff_values.begin(), kNoExtension);
  }
  level.p_values = p_values;
  level.backoff_values = backoff_values;
  for (std::uint64_t i = 0; i < words_.size(); ++i) {
    write(order_, i, 0, words_[i]);
    write(order_, i, level.p_at,
          quantised_p ? nearest(p_values, log_p_[i]) : std::bit_cast<std::uint32_t>(std::fabs(log_p_[i])));
    if (level.backoff_bits == 0) continue;
    const float backoff = log_backoff_[i];
    std::uint64_t code = std::bit_cast<std::uint32_t>(backoff);
    if (quantised_backoff) {
      code = std::isnan(backoff) ? 0 : 1 + nearest(std::span<const float>(backoff_values).subspan(1), backoff);
    }
    write(order_, i, level.backoff_at, code);
  }
  words_.clear();
  log_p_.clear();
  log_backoff_.clear();
}

Trie TrieBuilder::finish() {
  while (order_ < trie_.order_) {  // orders without n-grams
    if (order_ > 1) end_level();
    begin_level(order_ + 1);
  }
  if (order_ > 1) end_level();
  return std::move(trie_);
}

}  // namespace dragoman::lm
