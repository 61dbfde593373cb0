#pragma once

#include "dragoman/lexical/bags.hpp"

namespace dragoman::lexical {

/// I(v, w) = P(v, w) ln(P(v, w) / (P(v) P(w))) of words that stand together in at least `least` sentences, P being
/// shares of the sentences. Rows: words of the first side; columns: of the second. Of one side with itself (`same`), a
/// word does not stand together with itself.
SparseRows mutual_information(const Bags& first, const Bags& second, bool same, std::int32_t least, unsigned n_threads);

/// The mean information of each token of the first sentences with the tokens of the second; 0 where there is none. Of
/// one side with itself, with the tokens that are another word. Unknown words have no information.
std::vector<double> mean_information(const SparseView& information, const Tokens& first, const Tokens& second,
                                     bool same, unsigned n_threads);

}  // namespace dragoman::lexical
