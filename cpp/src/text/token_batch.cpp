#include "dragoman/text/token_batch.hpp"

#include <algorithm>
#include <utility>

#include "dragoman/core/parallel.hpp"
#include "dragoman/text/unicode.hpp"

namespace dragoman::text {

std::string_view TokenBatch::line(std::size_t i) const noexcept {
  const auto begin = static_cast<std::size_t>(line_offsets_[i]);
  return text().substr(begin, static_cast<std::size_t>(line_offsets_[i + 1]) - begin);
}

std::span<const TokenSpan> TokenBatch::tokens(std::size_t i) const noexcept {
  const auto begin = static_cast<std::size_t>(token_offsets_[i]);
  return spans().subspan(begin, static_cast<std::size_t>(token_offsets_[i + 1]) - begin);
}

std::string_view TokenBatch::token(TokenSpan span) const noexcept {
  return text().substr(static_cast<std::size_t>(span.begin), static_cast<std::size_t>(span.end - span.begin));
}

void TokenBatch::add(std::string_view line, const Tokeniser& tokeniser) {
  const std::size_t before = text_.size();
  tokeniser.tokenise(line, text_);
  split(text().substr(before), [&](std::string_view token) {
    const std::int64_t begin = token.data() - text_.data();
    spans_.push_back({begin, begin + static_cast<std::int64_t>(token.size())});
  });
  line_offsets_.push_back(static_cast<std::int64_t>(text_.size()));
  token_offsets_.push_back(static_cast<std::int64_t>(spans_.size()));
}

void TokenBatch::append(const TokenBatch& other) {
  const std::int64_t text_before = line_offsets_.back();
  const std::int64_t tokens_before = token_offsets_.back();
  text_.append(other.text());
  for (const TokenSpan span : other.spans_) spans_.push_back({text_before + span.begin, text_before + span.end});
  for (std::size_t i = 1; i <= other.size(); ++i) {
    line_offsets_.push_back(text_before + other.line_offsets_[i]);
    token_offsets_.push_back(tokens_before + other.token_offsets_[i]);
  }
}

TokenBatch tokenise_batch(const LineSource& lines, const Tokeniser& tokeniser, unsigned n_threads) {
  std::vector<TokenBatch> parts(std::clamp<std::size_t>(n_threads, 1, std::max<std::size_t>(1, lines.size())));
  for_each_chunk(lines.size(), n_threads, [&](Chunk chunk) {
    Bytes scratch;
    TokenBatch& part = parts[chunk.index];
    for (std::size_t i = chunk.begin; i < chunk.end; ++i) part.add(lines.line(i, scratch), tokeniser);
  });
  TokenBatch whole = std::move(parts[0]);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    whole.append(parts[i]);
    parts[i] = TokenBatch();  // freed at once, so that at most one part is held twice
  }
  return whole;
}

}  // namespace dragoman::text
