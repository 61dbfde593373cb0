#include "dragoman/syntax/looks.hpp"

#include <algorithm>
#include <string>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/hash.hpp"
#include "dragoman/core/parallel.hpp"
#include "dragoman/text/casing.hpp"
#include "dragoman/text/unicode.hpp"

namespace dragoman::syntax {

namespace {

enum Shape : std::uint64_t {
  kCapitalFirst = 1,
  kNoSmallLetter = 2,
  kDigit = 4,
  kOnlyDigits = 8,  // and marks between them
  kHyphen = 16,
  kOnlyMarks = 32,
  kNoLetter = 64,
  kScript = 128,  // times the script of the first letter
};

std::uint64_t shape_of(std::string_view token) noexcept {
  std::uint64_t shape = kNoSmallLetter | kOnlyDigits | kOnlyMarks | kNoLetter;
  const char* p = token.data();
  const char* const end = p + token.size();
  bool first = true;
  while (p < end) {
    const char32_t code = text::decode(p);
    const std::uint32_t kinds = text::properties(code);
    if ((kinds & text::kLower) != 0) shape &= ~std::uint64_t{kNoSmallLetter};
    if (first && (kinds & (text::kUpper | text::kTitle)) != 0) shape |= kCapitalFirst;
    if ((kinds & text::kNumber) != 0) shape |= kDigit;
    if ((kinds & (text::kNumber | text::kPunctuation)) == 0) shape &= ~std::uint64_t{kOnlyDigits};
    if ((kinds & (text::kPunctuation | text::kSymbol)) == 0) shape &= ~std::uint64_t{kOnlyMarks};
    if (code == U'-') shape |= kHyphen;
    if ((kinds & text::kLetter) != 0 && (shape & kNoLetter) != 0) {
      shape &= ~std::uint64_t{kNoLetter};
      shape += kScript * static_cast<std::uint64_t>(text::script(code));
    }
    first = false;
  }
  if ((shape & kDigit) == 0) shape &= ~std::uint64_t{kOnlyDigits};
  return shape;
}

bool is_trail(char byte) noexcept { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

void look_at_ends(std::string_view word, Look& look) noexcept {
  std::size_t at = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    if (at < word.size()) at += text::utf8_length(word[at]);
    look.prefix[k] = hash_bytes(word.substr(0, at), 1);
  }
  at = word.size();
  for (std::size_t k = 0; k < 4; ++k) {
    if (at > 0) --at;
    while (at > 0 && is_trail(word[at])) --at;
    look.suffix[k] = hash_bytes(word.substr(at), 2);
  }
}

}  // namespace

Look look_at(std::string_view token) {
  Look look;
  look.form = hash_bytes(token);
  look.shape = shape_of(token);
  const bool ascii = std::ranges::all_of(token, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (ascii && token.size() <= 64) {
    char buffer[64];
    std::ranges::transform(token, buffer, [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    const std::string_view word(buffer, token.size());
    look.lower = hash_bytes(word);
    look_at_ends(word, look);
  } else {
    const std::string word = text::lower(token, text::CaseRules::kStandard);
    look.lower = hash_bytes(word);
    look_at_ends(word, look);
  }
  return look;
}

TokenLooks::TokenLooks(std::span<const std::string_view> tokens, std::span<const std::int64_t> offsets,
                       unsigned n_threads)
    : looks_(tokens.size()), offsets_(offsets.begin(), offsets.end()) {
  if (offsets_.empty() || offsets_.front() != 0 || offsets_.back() != std::ssize(tokens) ||
      !std::ranges::is_sorted(offsets_)) {
    throw data_error("The offsets of the lines do not fit their tokens.");
  }
  for_each_chunk(tokens.size(), n_threads, [&](Chunk chunk) {
    for (std::size_t i = chunk.begin; i < chunk.end; ++i) looks_[i] = look_at(tokens[i]);
  });
}

}  // namespace dragoman::syntax
