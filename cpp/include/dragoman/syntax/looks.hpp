#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace dragoman::syntax {

/// What the models see of a token: hashes of its form and of its ends, in lower case where not said otherwise.
struct Look {
  std::uint64_t form = 0;  // as written
  std::uint64_t lower = 0;
  std::uint64_t prefix[3] = {};  // of one to three characters
  std::uint64_t suffix[4] = {};  // of one to four characters
  std::uint64_t shape = 0;       // see look_at
};

/// A token's look. The shape is a mask: capital first, no small letter, a digit, all digits and marks, a hyphen,
/// punctuation alone, no letter, and the script of the first letter. Linear in the token.
Look look_at(std::string_view token);

/// Lines of tokens, looked at once for all that is done with them.
class TokenLooks {
 public:
  /// Line i is tokens [offsets[i], offsets[i + 1]); throws data_error if the offsets do not fit.
  TokenLooks(std::span<const std::string_view> tokens, std::span<const std::int64_t> offsets, unsigned n_threads);

  std::size_t size() const noexcept { return offsets_.size() - 1; }
  std::size_t n_tokens() const noexcept { return looks_.size(); }
  std::size_t begin(std::size_t line) const noexcept { return static_cast<std::size_t>(offsets_[line]); }
  std::span<const Look> line(std::size_t i) const noexcept {
    return std::span(looks_).subspan(begin(i), begin(i + 1) - begin(i));
  }

 private:
  std::vector<Look> looks_;
  std::vector<std::int64_t> offsets_;
};

}  // namespace dragoman::syntax
