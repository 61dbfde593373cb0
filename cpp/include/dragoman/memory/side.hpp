#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "dragoman/core/bytes.hpp"
#include "dragoman/memory/words.hpp"
#include "dragoman/text/word_table.hpp"

namespace dragoman::memory {

using text::TokenId;

/// The place of a unit in an index, 0, 1, … in the order of arrival.
using Slot = std::uint32_t;

/// A text as numbers: all its tokens, and its words alone. kNoToken where no unit has the token.
struct Tokens {
  std::vector<TokenId> all;
  std::vector<TokenId> words;
};

/// The texts of a memory in one language: as they are, as numbers of folded tokens, and which units have a token.
class Side {
 public:
  std::size_t size() const noexcept { return text_ends_.size(); }
  std::size_t n_words() const noexcept { return units_.size(); }

  /// Take in the text of the next unit.
  void add(std::string_view text);

  std::string_view text(Slot unit) const noexcept;
  std::span<const TokenId> tokens(Slot unit) const noexcept;
  Tokens tokens_of(std::string_view text) const;  // of any text
  TokenId find(std::string_view folded) const noexcept { return table_.find(folded); }

  std::string_view word(TokenId token) const noexcept { return table_.word(token); }
  WordKind kind(TokenId token) const noexcept { return kinds_[static_cast<std::size_t>(token)]; }
  /// The units that have the token, oldest first, each once.
  std::span<const Slot> units_with(TokenId token) const noexcept { return units_[static_cast<std::size_t>(token)]; }

  std::size_t bytes() const noexcept;  // of memory, about

 private:
  Bytes text_;
  std::vector<std::uint64_t> text_ends_;
  std::vector<TokenId> tokens_;
  std::vector<std::uint64_t> token_ends_;
  text::WordTable table_;
  std::vector<WordKind> kinds_;  // by token
  std::vector<std::vector<Slot>> units_;
  std::string folded_;
};

}  // namespace dragoman::memory
