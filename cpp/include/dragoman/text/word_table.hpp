#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "dragoman/core/bytes.hpp"

namespace dragoman::text {

/// The number of a word. Kernels see these, never strings.
using TokenId = std::int32_t;
inline constexpr TokenId kNoToken = -1;

/// Words ↔ ids 0, 1, 2 … in the order of their arrival. Constant time each way, one run of bytes for all words.
///
/// The three arrays lie in memory as in a file (see vocabulary.hpp), so a table can stand on a mapped file as it is.
class WordTable {
 public:
  /// Open addressing, linear probing; never more than half full.
  struct Slot {
    std::uint32_t tag;  // upper half of the word's hash, so that most mismatches are seen without the word
    TokenId id;         // kNoToken if free
  };

  WordTable();
  /// A table on memory of others, which must outlive it. It cannot grow; a copy of it can.
  /// Throws data_error if the arrays do not fit each other.
  WordTable(std::span<const std::uint64_t> offsets, std::string_view bytes, std::span<const Slot> slots);

  WordTable(const WordTable& other);
  WordTable(WordTable&&) noexcept = default;
  WordTable& operator=(WordTable other) noexcept;

  std::size_t size() const noexcept { return offsets_.size() - 1; }
  std::string_view word(TokenId id) const noexcept {
    const std::uint64_t* const offset = offsets_.data() + id;
    return {bytes_.data() + offset[0], offset[1] - offset[0]};
  }
  /// The word's id, or kNoToken.
  TokenId find(std::string_view word) const noexcept;
  /// The word's id, a new one if it is not there yet. `hash` is hash_bytes(word).
  TokenId add(std::string_view word, std::uint64_t hash);
  TokenId add(std::string_view word);
  /// Fetch what `add` will look at first, which in a large table is rarely in the cache.
  void expect(std::uint64_t hash) const noexcept { __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]); }

  std::span<const std::uint64_t> offsets() const noexcept { return offsets_; }  // word i: [offsets[i], offsets[i + 1])
  std::string_view bytes() const noexcept { return bytes_; }
  std::span<const Slot> slots() const noexcept { return slots_; }

 private:
  /// The slot that holds the word, or the free one where it belongs.
  std::size_t place(std::string_view word, std::uint64_t hash) const noexcept;
  void widen();

  std::vector<std::uint64_t> own_offsets_;
  Bytes own_bytes_;
  std::vector<Slot> own_slots_;
  // What is read: the own arrays, or those of others.
  std::span<const std::uint64_t> offsets_;
  std::string_view bytes_;
  std::span<const Slot> slots_;
};

}  // namespace dragoman::text
