#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "dragoman/core/bytes.hpp"
#include "dragoman/text/line_source.hpp"
#include "dragoman/text/tokeniser.hpp"

namespace dragoman::text {

/// Where a token stands in the text of its batch, in bytes: [begin, end).
struct TokenSpan {
  std::int64_t begin;
  std::int64_t end;
};

/// Tokenised lines in one run of UTF-8, with the places of all lines and tokens.
class TokenBatch {
 public:
  TokenBatch() = default;

  std::size_t size() const noexcept { return line_offsets_.size() - 1; }
  std::string_view text() const noexcept { return text_.view(); }
  std::string_view line(std::size_t i) const noexcept;
  std::span<const TokenSpan> tokens(std::size_t i) const noexcept;
  std::string_view token(TokenSpan span) const noexcept;

  /// Line i is bytes [line_offsets[i], line_offsets[i + 1]) of the text.
  std::span<const std::int64_t> line_offsets() const noexcept { return line_offsets_; }
  /// Tokens of line i are [token_offsets[i], token_offsets[i + 1]) of the spans.
  std::span<const std::int64_t> token_offsets() const noexcept { return token_offsets_; }
  std::span<const TokenSpan> spans() const noexcept { return spans_; }

  /// Tokenise one more line.
  void add(std::string_view line, const Tokeniser& tokeniser);
  /// Add the lines of another batch behind the own ones.
  void append(const TokenBatch& other);

 private:
  Bytes text_;
  std::vector<std::int64_t> line_offsets_{0};
  std::vector<std::int64_t> token_offsets_{0};
  std::vector<TokenSpan> spans_;
};

/// The lines of a batch, to be read again.
class BatchLines final : public LineSource {
 public:
  explicit BatchLines(const TokenBatch& batch) : batch_(batch) {}
  std::size_t size() const noexcept override { return batch_.size(); }
  std::string_view line(std::size_t i, Bytes&) const override { return batch_.line(i); }

 private:
  const TokenBatch& batch_;
};

/// Tokenise all lines. The answer does not depend on `n_threads`.
TokenBatch tokenise_batch(const LineSource& lines, const Tokeniser& tokeniser, unsigned n_threads);

}  // namespace dragoman::text
