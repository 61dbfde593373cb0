#include "dragoman/metrics/word_reader.hpp"

#include "dragoman/text/unicode.hpp"

namespace dragoman::metrics {
namespace {

/// The line without white space at its end, as Python's str.rstrip() leaves it.
std::string_view rstrip(std::string_view line) noexcept {
  while (!line.empty()) {
    std::size_t start = line.size() - 1;
    while (start > 0 && (static_cast<unsigned char>(line[start]) & 0xC0) == 0x80) --start;
    if (text::space_length(line.data() + start) == 0) break;
    line = line.substr(0, start);
  }
  return line;
}

}  // namespace

Tokens WordReader::ref(const Line& line) {
  if (n_refs_ == refs_.size()) refs_.emplace_back();
  auto& tokens = refs_[n_refs_++];
  tokens.clear();
  text::split(tokenise(line), [&](std::string_view word) { tokens.push_back(static_cast<TokenId>(ids_.add(word))); });
  return tokens;
}

Tokens WordReader::hyp(const Line& line) {
  hyp_.clear();
  text::split(tokenise(line), [&](std::string_view word) { hyp_.push_back(static_cast<TokenId>(ids_.find(word))); });
  return hyp_;
}

std::string_view WordReader::tokenise(const Line& line) {
  tokenised_.clear();
  tokeniser_->tokenise(rstrip(line.read(scratch_)), tokenised_);
  return tokenised_.view();
}

}  // namespace dragoman::metrics
