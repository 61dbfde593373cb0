#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "dragoman/core/bytes.hpp"
#include "dragoman/lm/estimate.hpp"
#include "dragoman/lm/model.hpp"

namespace dragoman::lm {

/// The model that an ARPA file describes. Throws data_error "line N: …" at the first thing that is wrong.
std::unique_ptr<Model> read_arpa(std::string_view file);

/// Writes n-grams as an ARPA file, handing its text over in pieces.
class ArpaWriter final : public NGramSink {
 public:
  using Write = std::function<void(std::string_view)>;

  ArpaWriter(const text::WordTable& words, Write write) : words_(&words), write_(std::move(write)) {}
  void begin(std::span<const std::uint64_t> n_ngrams) override;
  void ngram(std::span<const WordId> words, float log_p, float log_backoff, bool extends_left,
             bool extends_right) override;
  void end();

 private:
  const text::WordTable* words_;
  Write write_;
  Bytes text_;
  unsigned order_ = 0;
  unsigned highest_ = 0;
};

}  // namespace dragoman::lm
