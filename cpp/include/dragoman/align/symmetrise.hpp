#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/align/bitext.hpp"

namespace dragoman::align {

/// How the two directions become one set of links (Och & Ney 2003; Koehn et al. 2005).
enum class Symmetrisation : std::uint8_t {
  intersection,
  join,  // union
  grow_diag,
  grow_diag_final,
  grow_diag_final_and,
};

/// Links of many sentence pairs: those of pair i are [offsets[i], offsets[i + 1]), by source, then target place.
struct Links {
  std::vector<std::uint16_t> points;  // pairs: source place, target place
  std::vector<std::int64_t> offsets;
};

/// `forward`: for each target word the place of its source word, or kNull; `backward`: for each source word the place of
/// its target word. Offsets are those of the two sides.
Links symmetrise(std::span<const std::int32_t> forward, std::span<const std::int32_t> backward,
                 std::span<const std::int64_t> source_offsets, std::span<const std::int64_t> target_offsets,
                 Symmetrisation method, unsigned n_threads);

}  // namespace dragoman::align
