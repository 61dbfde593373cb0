#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/combine/aligners.hpp"

namespace dragoman::combine {

enum class Method {
  kShifts,      // incremental, edits and shifts of blocks
  kHmm,         // incremental, a hidden Markov model
  kInversions,  // incremental, edits and nested inversions
  kLinks,       // pairwise, by links that the caller has
};

struct BuildOptions {
  Method method = Method::kShifts;
  LikenessOptions likeness = {};
  ShiftOptions shifts = {};
  HmmOptions hmm = {};
  ItgOptions itg = {};
};

/// Word a of the first and word b of the second translation say the same.
struct WordLink {
  std::int32_t a, b;
};

/// The translations of a batch: system s of segment i is list i · n_systems + s.
struct Translations {
  Rows<Word> hyps;
  std::size_t n_systems = 0;
  Rows<std::int32_t> sources;  // empty: not known
  /// For each segment and each two systems a < b, in the order (0, 1), (0, 2), … (1, 2), …
  Rows<WordLink> links;

  std::size_t n_segments() const noexcept { return n_systems == 0 ? 0 : hyps.size() / n_systems; }
};

/// The networks of all segments: that of segment i with the skeleton s is number i · n_systems + s.
struct Networks {
  std::vector<Word> words;            // (links, systems)
  std::vector<std::int64_t> offsets;  // in links, one more than there are networks
  std::size_t n_given_up = 0;         // alignments for which inversions took too long and shifts were taken
};

/// Every system in turn is the skeleton that the others are aligned to. Incremental ways align to the network so far:
/// the translation next to it in edits comes next; with a hidden Markov model they come in their order.
Networks build_networks(const Translations& text, const WordFacts& facts, const BuildOptions& options,
                        unsigned n_threads);

}  // namespace dragoman::combine
