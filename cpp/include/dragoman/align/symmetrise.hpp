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

/// `forward`: for each target word the place of its source word, or kNull; `backward`: for each source word the place
/// of its target word. Offsets are those of the two sides. Anchors are among the links, and no link contradicts them.
Links symmetrise(std::span<const std::int32_t> forward, std::span<const std::int32_t> backward,
                 std::span<const std::int64_t> source_offsets, std::span<const std::int64_t> target_offsets,
                 Symmetrisation method, const Anchors& anchors, unsigned n_threads);

/// Links whose posteriors, multiplied over the two directions, reach `threshold` squared: their geometric mean is at
/// least `threshold`. `forward` is by source, then target word, `backward` by target, then source word. With `joint`,
/// the geometric means are written there, by source, then target word.
Links join_posteriors(std::span<const float> forward, std::span<const float> backward,
                      std::span<const std::int64_t> source_offsets, std::span<const std::int64_t> target_offsets,
                      float threshold, const Anchors& anchors, unsigned n_threads, std::vector<float>* joint);

}  // namespace dragoman::align
