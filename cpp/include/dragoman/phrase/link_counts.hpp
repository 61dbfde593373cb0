#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/phrase/extract.hpp"
#include "dragoman/phrase/lexical_counts.hpp"

namespace dragoman::phrase {

/// How often words were linked, as it lies in a file.
struct LinkCounts {
  std::vector<std::uint64_t> slots;                         // a hash table: key and count, by turns
  std::vector<std::uint64_t> source_totals, target_totals;  // by word + 1; the empty word's first
};
struct LinkCountsView {
  std::span<const std::uint64_t> slots, source_totals, target_totals;
};

inline LexicalCounts::Arrays slots_of(const LinkCountsView& links) {
  static_assert(sizeof(LexicalCounts::Slot) == 2 * sizeof(std::uint64_t));
  return {{reinterpret_cast<const LexicalCounts::Slot*>(links.slots.data()), links.slots.size() / 2},
          links.source_totals,
          links.target_totals};
}

/// Those of a part of a text; weights of sentence pairs are not looked at.
LinkCounts count_links(const AlignedBitext& bitext, const SortedPoints& points);

/// The counts of parts, added.
LinkCounts add_up_links(std::span<const LinkCountsView> parts);

}  // namespace dragoman::phrase
