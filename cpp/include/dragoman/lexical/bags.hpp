#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dragoman::lexical {

/// Tokens of sentences as word ids; those of sentence s are ids[offsets[s]] … ids[offsets[s + 1] − 1]. Negative ids are
/// words that nothing is known of.
struct Tokens {
  std::span<const std::int64_t> offsets;
  std::span<const std::int32_t> ids;

  std::size_t size() const { return offsets.empty() ? 0 : offsets.size() - 1; }
};

/// Sentences as sets of known words: each once, in the order of their ids.
class Bags {
 public:
  Bags(const Tokens& tokens, std::int32_t n_words);

  std::size_t size() const { return offsets_.size() - 1; }
  std::int32_t n_words() const { return n_words_; }
  std::span<const std::int32_t> operator[](std::size_t sentence) const {
    return {ids_.data() + offsets_[sentence], ids_.data() + offsets_[sentence + 1]};
  }

 private:
  std::int32_t n_words_;
  std::vector<std::size_t> offsets_;
  std::vector<std::int32_t> ids_;
};

/// The sentences that each word stands in, in their order.
class Postings {
 public:
  explicit Postings(const Bags& bags);

  std::span<const std::uint32_t> operator[](std::size_t word) const {
    return {sentences_.data() + offsets_[word], sentences_.data() + offsets_[word + 1]};
  }

 private:
  std::vector<std::size_t> offsets_;
  std::vector<std::uint32_t> sentences_;
};

/// Rows of sparse numbers: columns and values of row r are [offsets[r], offsets[r + 1]), columns ascending.
struct SparseRows {
  std::vector<std::int64_t> offsets;
  std::vector<std::int32_t> columns;
  std::vector<float> values;
};

/// The same as it lies in arrays.
struct SparseView {
  std::span<const std::int64_t> offsets;
  std::span<const std::int32_t> columns;
  std::span<const float> values;

  std::size_t size() const { return offsets.empty() ? 0 : offsets.size() - 1; }

  /// The value at a place, 0 if there is none.
  double at(std::size_t row, std::int32_t column) const;
};

/// Raise if a view's parts do not belong together, or a token is no row of it.
void check_rows(const SparseView& rows);
void check_tokens(const Tokens& tokens, std::size_t n_words);

}  // namespace dragoman::lexical
