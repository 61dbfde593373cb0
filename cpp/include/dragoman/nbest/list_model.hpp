#pragma once

#include <vector>

#include "dragoman/nbest/lists.hpp"

namespace dragoman::nbest {

constexpr std::size_t kOrders = 5;  // language models of one to five words

/// Log-probability (base 10) of each output, its end counted, under language models of order 1 to 5 trained on its own
/// list (González-Rubio et al., WMT 2012): [output][order - 1]. Counts are interpolated with those of shorter contexts
/// by Witten & Bell's rule (IEEE Trans. Information Theory 37(4), 1991), below one word with 1 / (words of the list +
/// 2): the end, and one for all words that the list has not. Only n-grams of the output are counted, so a list costs
/// about as much as reading it.
std::vector<double> list_log_p(const Lists& lists, unsigned n_threads);

}  // namespace dragoman::nbest
