#pragma once

#include <string_view>

#include "dragoman/core/bytes.hpp"

namespace dragoman::text {

/// Cuts a line into tokens. What derives from this gets batches, ids, threads and Python strings for nothing:
/// see token_batch.hpp and encode.hpp.
class Tokeniser {
 public:
  virtual ~Tokeniser() = default;

  /// Append to `out` the line (valid UTF-8) with its tokens separated by white space. Any thread may call it.
  virtual void tokenise(std::string_view line, Bytes& out) const = 0;

  /// The same for a line in Latin-1, in which Python keeps most Western text: saves recoding both ways. A tokeniser
  /// that knows only UTF-8, or cannot do this line so, writes nothing and returns false.
  virtual bool tokenise_latin1(std::string_view /*line*/, Bytes& /*out*/) const { return false; }
};

/// Leaves the line as it is: its tokens are what white space separates.
class NoTokeniser final : public Tokeniser {
 public:
  void tokenise(std::string_view line, Bytes& out) const override { out.append(line); }
};

}  // namespace dragoman::text
