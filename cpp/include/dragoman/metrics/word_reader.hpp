#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "dragoman/core/bytes.hpp"
#include "dragoman/metrics/batch.hpp"
#include "dragoman/metrics/word_ids.hpp"
#include "dragoman/text/tokeniser.hpp"

namespace dragoman::metrics {

/// Reads lines as words, and words as numbers that are good for one segment: those of its references are counted from
/// 1, and 0 stands for every word of a hypothesis that no reference has. No vocabulary of the whole text is needed, so
/// threads share nothing. White space at the end of a line is dropped before it is tokenised.
class WordReader {
 public:
  explicit WordReader(const text::Tokeniser& tokeniser) : tokeniser_(&tokeniser) {}

  void begin() noexcept {
    ids_.clear();
    n_refs_ = 0;
  }
  Tokens ref(const Line& line);
  Tokens hyp(const Line& line);

 private:
  std::string_view tokenise(const Line& line);

  const text::Tokeniser* tokeniser_;
  WordIds ids_;
  std::vector<std::vector<TokenId>> refs_;
  std::size_t n_refs_ = 0;
  std::vector<TokenId> hyp_;
  Bytes scratch_, tokenised_;
};

}  // namespace dragoman::metrics
