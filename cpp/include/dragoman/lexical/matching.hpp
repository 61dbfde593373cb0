#pragma once

#include "dragoman/lexical/bags.hpp"

namespace dragoman::lexical {

/// How two sentences fit together word by word.
struct Matching {
  std::int32_t matched = 0;   // equal words in the best local alignment (Smith & Waterman 1981)
  std::int32_t edits = 0;     // insertions, deletions and substitutions in it
  std::int32_t distance = 0;  // of the whole sentences, insertions and deletions cost 1, substitutions 2
};

/// A match scores 2, an edit −1; of equally good local alignments the one with most matches. Negative ids equal
/// nothing.
std::vector<Matching> match_sentences(const Tokens& first, const Tokens& second, unsigned n_threads);

}  // namespace dragoman::lexical
