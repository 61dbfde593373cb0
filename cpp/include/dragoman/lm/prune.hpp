#pragma once

#include "dragoman/lm/model.hpp"

namespace dragoman::lm {

/// Entropy pruning (Stolcke 1998): hands over the model without the n-grams whose loss, each on its own, would raise
/// the perplexity of text that the model itself would write by a share below `threshold`; back-off weights make up for
/// them, so that probabilities add up as before. From the highest order down; an n-gram stays if a longer one that
/// stays begins or, since look-up goes from short to long, ends with it. All words stay.
///
/// p(h) of a context is the product of its words' probabilities, that of <s> p(</s>). Everything happens in memory.
void prune_by_entropy(const Model& model, double threshold, NGramSink& sink);

}  // namespace dragoman::lm
