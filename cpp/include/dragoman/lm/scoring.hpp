#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "dragoman/lm/model.hpp"
#include "dragoman/text/line_source.hpp"

namespace dragoman::lm {

/// The tokens of many lines, each with its probability: those of line i are [offsets[i], offsets[i + 1]).
struct ScoredTokens {
  std::vector<float> log_p;             // log10
  std::vector<std::uint8_t> n_matched;  // length of the longest n-gram found
  std::vector<std::uint8_t> unknown;    // 1: not in the model's vocabulary
  std::vector<std::int64_t> offsets;
};

/// Words that a model knows by their classes alone: p(word) = p(class) · p(word | class).
class Members {
 public:
  /// `classes` and `log_p` (log10 of p(word | class)) by the word's number; classes are words of the model.
  Members(text::WordTable words, std::vector<WordId> classes, std::vector<float> log_p)
      : words_(std::move(words)), classes_(std::move(classes)), log_p_(std::move(log_p)) {}

  struct Member {
    WordId word;  // the model's: a class
    float log_p;
  };
  Member find(std::string_view word) const noexcept {
    const auto id = words_.find(word);
    return id == text::kNoToken ? Member{kUnk, 0.0F}
                                : Member{classes_[static_cast<std::size_t>(id)], log_p_[static_cast<std::size_t>(id)]};
  }

 private:
  text::WordTable words_;
  std::vector<WordId> classes_;
  std::vector<float> log_p_;
};

/// Score lines whose tokens white space separates. `bos`: a line begins as a sentence; `eos`: its end is scored too, as
/// its last token. With `members` the model is one of their classes.
ScoredTokens score_lines(const Model& model, const text::LineSource& lines, bool bos, bool eos, unsigned n_threads,
                         const Members* members = nullptr);

/// log10 of whole lines alone, in float64: what most callers want.
std::vector<double> score_totals(const Model& model, const text::LineSource& lines, bool bos, bool eos,
                                 unsigned n_threads);

}  // namespace dragoman::lm
