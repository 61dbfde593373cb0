#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dragoman::morph {

/// The number of a letter, that is of a grapheme cluster.
using Letter = std::int32_t;
inline constexpr Letter kNoLetter = -1;  // one that the lexicon does not know

/// The number of a part.
using PartId = std::uint32_t;
inline constexpr PartId kNoPart = 0xFFFFFFFF;

/// Where a part stands in the text of all words.
struct Place {
  std::uint32_t begin;
  std::uint32_t length;
};

/// A word or a piece of one. It is used `count` times, as a word and as a half of others. One that is used is a morph,
/// or has two halves, which share all its uses.
struct Part {
  Place place;
  std::int64_t count;
  PartId left, right;  // kNoPart: it is a morph

  bool is_morph() const noexcept { return left == kNoPart; }
};

/// Parts by what they spell. A part once met is kept; with a count of 0 it waits to be used again.
class PartTable {
 public:
  /// `text` holds the letters of all words and must outlive the table; no part is longer than `longest`.
  PartTable(std::span<const Letter> text, std::uint32_t longest);

  PartId find(Place place) const noexcept;
  /// The part that is spelt as the text is here, a new one without uses if it is not there yet.
  PartId add(Place place);

  Part& operator[](PartId id) noexcept { return parts_[id]; }
  const Part& operator[](PartId id) const noexcept { return parts_[id]; }
  std::size_t size() const noexcept { return parts_.size(); }

  std::span<const Letter> spelling(Place place) const noexcept { return text_.subspan(place.begin, place.length); }

 private:
  struct Slot {
    std::uint32_t tag;  // upper half of the hash
    PartId id;          // kNoPart if free
  };

  std::uint64_t hash(Place place) const noexcept;
  /// The slot of the part, or the free one where it belongs.
  std::size_t slot(Place place, std::uint64_t hash) const noexcept;
  void widen();

  std::span<const Letter> text_;
  std::vector<std::uint64_t> prefixes_;  // polynomial hash of the text up to each letter
  std::vector<std::uint64_t> powers_;    // of the polynomial's base
  std::vector<Part> parts_;
  std::vector<Slot> slots_;  // open addressing, never more than half full
};

}  // namespace dragoman::morph
