#pragma once

#include <cstddef>
#include <string_view>

#include "dragoman/text/unicode.hpp"

namespace dragoman::text {

/// How many bytes the grapheme cluster has that begins `text`, which is not empty: a letter with its marks, a syllable
/// of jamo, a flag, joined pictographs. UAX #29's extended clusters, but for GB9c (a virama stays with its consonant,
/// the next consonant begins a cluster), and a line break is two characters.
std::size_t cluster_length(std::string_view text) noexcept;

/// Call `use(cluster)` for each grapheme cluster of a text.
template <class Use>
void for_each_cluster(std::string_view text, const Use& use) {
  while (!text.empty()) {
    const std::size_t length = cluster_length(text);
    use(text.substr(0, length));
    text.remove_prefix(length);
  }
}

}  // namespace dragoman::text
