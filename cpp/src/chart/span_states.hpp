#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/chart/engine.hpp"
#include "dragoman/lm/span_state.hpp"

namespace dragoman::chart {

struct RuleUse;

/// What a language model knows of words that stand somewhere, and the log10 p of the words in its left half when
/// nothing comes before them: what is taken back when something does.
struct Reading {
  lm::SpanState words;
  std::array<float, lm::kMaxOrder - 1> alone{};
};

/// As lm::append, floored and with what the left half remembers: the log10 p that a word adds, or how much putting a
/// part behind others changes.
inline float append(const lm::Model& model, Reading& span, lm::WordId word) {
  lm::State after;
  const float log_p = phrase::floored(model.score(span.words.right, word, after).log_p);
  lm::SpanState& words = span.words;
  words.is_open = words.is_open && words.n_left + 1 < model.order() && words.right.length == words.n_left;
  if (words.is_open) {
    span.alone[words.n_left] = log_p;
    words.left[words.n_left++] = word;
  }
  words.right = after;
  return log_p;
}
inline float append(const lm::Model& model, Reading& span, const Reading& part) {
  if (span.words.is_open && span.words.n_left == 0) {
    span = part;
    return 0;
  }
  float change = 0;
  std::uint32_t i = 0;
  for (; i < part.words.n_left && span.words.right.length > i; ++i) {
    change += append(model, span, part.words.left[i]) - part.alone[i];
  }
  if (i == part.words.n_left && part.words.is_open) return change;
  span.words.right = part.words.right;
  span.words.is_open = false;
  return change;
}

/// What language models and features know of parts of a translation, each combination met in a sentence with a number
/// of its own: parts of equal numbers are the same to whatever they become part of.
class SpanStates {
 public:
  explicit SpanStates(const Engine& engine);

  /// Forget the last sentence.
  void start(const Weights& weights);
  /// The number of what is known at the beginning of a sentence, before its first word.
  std::uint32_t begin() const noexcept { return 0; }

  struct Joined {
    float score;  // weighted: what language models and features add to what is known of the parts
    std::uint32_t state;
  };
  /// Join parts by a rule.
  Joined join(const RuleUse& rule, std::span<const std::uint32_t> parts);
  /// What the end of the sentence adds to a part that began with its beginning, weighted.
  float end(std::uint32_t state);

  /// The same by feature, added to `into`.
  void explain(const RuleUse& rule, std::span<const std::uint32_t> parts, std::span<double> into,
               std::vector<phrase::SparseValue>* sparse);
  void explain_end(std::uint32_t state, std::span<double> into, std::vector<phrase::SparseValue>* sparse);

  std::uint64_t n_queries() const noexcept { return n_queries_; }

 private:
  const Reading& reading(std::uint32_t state, std::size_t model) const { return readings_[state * n_models_ + model]; }
  const std::byte* part(std::uint32_t state) const { return parts_.data() + std::size_t{state} * n_bytes_; }
  float read(std::size_t model, const RuleUse& rule, std::span<const std::uint32_t> parts, Reading& into);
  template <class Sink>
  void combine(const RuleUse& rule, std::span<const std::uint32_t> parts, Sink& sink);
  std::uint64_t hash_of(const Reading* readings, const std::byte* part) const noexcept;
  bool is_scratch(std::uint32_t number) const noexcept;
  std::uint32_t number_of_scratch();
  void widen();

  const Engine* engine_;
  std::size_t n_models_, n_bytes_;
  std::vector<float> model_weights_, weights_;
  const phrase::SparseWeights* sparse_ = nullptr;
  std::vector<Reading> readings_, scratch_;
  std::vector<std::byte> parts_, part_scratch_, joined_parts_;
  struct Slot {
    std::uint32_t number;  // + 1; 0: free
    std::uint32_t tag;     // of its hash: most others are told apart without a look at them
  };
  std::vector<Slot> slots_;  // by content
  std::size_t n_states_ = 0;
  std::uint64_t n_queries_ = 0;
};

}  // namespace dragoman::chart
