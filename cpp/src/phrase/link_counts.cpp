#include "dragoman/phrase/link_counts.hpp"

#include "dragoman/phrase/sorted_points.hpp"

namespace dragoman::phrase {

namespace {

LinkCounts arrays_of(const LexicalCounts& counts) {
  const auto arrays = counts.arrays();
  LinkCounts all;
  all.slots.reserve(2 * arrays.slots.size());
  for (const auto& slot : arrays.slots) {
    all.slots.push_back(slot.key);
    all.slots.push_back(slot.count);
  }
  all.source_totals.assign(arrays.source_totals.begin(), arrays.source_totals.end());
  all.target_totals.assign(arrays.target_totals.begin(), arrays.target_totals.end());
  return all;
}

}  // namespace

LinkCounts count_links(const AlignedBitext& bitext, const SortedPoints& points) {
  LexicalCounts counts;
  std::vector<std::uint8_t> linked(bitext.target.size(), 0);
  for (std::size_t i = 0; i < bitext.size(); ++i) {
    const auto target_at = static_cast<std::size_t>(bitext.target_offsets[i]);
    for (auto s = static_cast<std::size_t>(bitext.source_offsets[i]);
         s < static_cast<std::size_t>(bitext.source_offsets[i + 1]); ++s) {
      for (auto p = points.at(s); p < points.at(s + 1); ++p) {
        counts.add(bitext.source[s], bitext.target[target_at + points.target(p)]);
        linked[target_at + points.target(p)] = 1;
      }
      if (points.at(s) == points.at(s + 1)) counts.add(bitext.source[s], LexicalCounts::kNull);
    }
  }
  for (std::size_t t = 0; t < linked.size(); ++t) {
    if (!linked[t]) counts.add(LexicalCounts::kNull, bitext.target[t]);
  }
  return arrays_of(counts);
}

LinkCounts add_up_links(std::span<const LinkCountsView> parts) {
  LexicalCounts counts;
  for (const auto& part : parts) {
    for (const auto& slot : slots_of(part).slots) {
      if (slot.key == 0) continue;
      counts.add(static_cast<TokenId>(slot.key >> 32) - 2, static_cast<TokenId>(slot.key & 0xFFFFFFFF) - 2, slot.count);
    }
  }
  return arrays_of(counts);
}

}  // namespace dragoman::phrase
