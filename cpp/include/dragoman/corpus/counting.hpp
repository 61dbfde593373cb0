#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dragoman::corpus {

/// How often each key has come so far. Ten bytes a slot, at most two thirds of the slots in use.
class RepeatCounter {
 public:
  RepeatCounter();

  /// One more of `key`; returns how many there are now (1 for the first), 65,535 for all beyond.
  std::uint16_t add(std::uint64_t key);

  std::size_t distinct() const noexcept { return used_; }

 private:
  std::size_t find(std::uint64_t key) const noexcept;
  void grow();

  std::vector<std::uint64_t> keys_;
  std::vector<std::uint16_t> counts_;  // 0: the slot is free
  std::size_t used_ = 0;
};

/// Counts the different tokens of a text. Memory grows with the vocabulary, not with the text.
class TypeCounter {
 public:
  TypeCounter();

  /// Count the tokens of a line (runs between white space); returns how many there are.
  std::size_t add(std::string_view line);

  std::size_t types() const noexcept { return used_; }
  std::uint64_t tokens() const noexcept { return tokens_; }

  /// Types that came exactly once.
  std::size_t hapaxes() const noexcept;

 private:
  struct Slot {
    std::uint64_t hash = 0;
    std::uint64_t begin = 0;  // of the token's bytes in words_
    std::uint32_t size = 0;
    std::uint64_t count = 0;  // 0: the slot is free
  };
  void add_token(std::string_view token);
  Slot& find(std::string_view token, std::uint64_t hash) noexcept;
  void grow();

  std::vector<Slot> slots_;
  std::string words_;
  std::size_t used_ = 0;
  std::uint64_t tokens_ = 0;
};

}  // namespace dragoman::corpus
