#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "dragoman/metrics/coverage.hpp"

namespace dragoman::metrics {

/// Phrases of a few tokens with the classes of synonyms that each is in.
class SynonymClasses {
 public:
  using Tokens = std::span<const std::int32_t>;

  void add(Tokens phrase, Tokens classes);  // rising

  /// The classes of a phrase; none where it is unknown.
  Tokens find(Tokens phrase) const;

 private:
  struct Entry {
    std::vector<std::int32_t> phrase, classes;
  };
  std::unordered_map<std::uint64_t, std::vector<Entry>> entries_;  // by hash
};

constexpr std::size_t kCelabOrder = 4;          // tokens of the longest span
constexpr double kCelabPrecisionWeight = 0.25;  // of a candidate's span against one of the reference

/// TESLA-CELAB (Liu & Ng, ACL 2012): the share of the spans of up to four tokens that the best links between spans of
/// reference and candidate cover. Two spans are linked if they can be cut into the same number of pieces of which each
/// is equal or synonymous to its counterpart. Throws a segment_error where there are too many links.
double celab(SynonymClasses::Tokens ref, SynonymClasses::Tokens candidate, const SynonymClasses& synonyms);

}  // namespace dragoman::metrics
