#include "dragoman/memory/side.hpp"

namespace dragoman::memory {

namespace {

std::uint64_t begin_of(const std::vector<std::uint64_t>& ends, Slot unit) noexcept {
  return unit == 0 ? 0 : ends[unit - 1];
}

}  // namespace

void Side::add(std::string_view text) {
  const auto unit = static_cast<Slot>(size());
  for_each_word(text, [&](const Word& word) {
    fold(text, word, folded_);
    const TokenId token = table_.add(folded_);
    if (static_cast<std::size_t>(token) == units_.size()) {
      units_.emplace_back();
      kinds_.push_back(word.kind);
    }
    auto& units = units_[static_cast<std::size_t>(token)];
    if (units.empty() || units.back() != unit) units.push_back(unit);
    tokens_.push_back(token);
  });
  text_.append(text);
  text_ends_.push_back(text_.size());
  token_ends_.push_back(tokens_.size());
}

std::string_view Side::text(Slot unit) const noexcept {
  const std::uint64_t begin = begin_of(text_ends_, unit);
  return text_.view().substr(begin, text_ends_[unit] - begin);
}

std::span<const TokenId> Side::tokens(Slot unit) const noexcept {
  const std::uint64_t begin = begin_of(token_ends_, unit);
  return {tokens_.data() + begin, token_ends_[unit] - begin};
}

Tokens Side::tokens_of(std::string_view text) const {
  Tokens tokens;
  std::string folded;
  for_each_word(text, [&](const Word& word) {
    fold(text, word, folded);
    tokens.all.push_back(find(folded));
    if (word.kind == WordKind::kWord) tokens.words.push_back(tokens.all.back());
  });
  return tokens;
}

std::size_t Side::bytes() const noexcept {
  std::size_t sum = text_.size() + 4 * tokens_.capacity() + 8 * (text_ends_.capacity() + token_ends_.capacity());
  sum += table_.bytes().size() + 8 * (table_.offsets().size() + table_.slots().size());
  for (const auto& units : units_) sum += sizeof(units) + 4 * units.capacity();
  return sum;
}

}  // namespace dragoman::memory
