#pragma once

#include <cstdint>
#include <vector>

#include "dragoman/phrase/options.hpp"

namespace dragoman::phrase {

/// The states of all language models of an engine and of its features that have one, each combination met in a sentence
/// with a number of its own, and what options add behind each: the same option follows the same words in many
/// hypotheses, and is asked about once.
class LanguageStates {
 public:
  struct Step {
    float score;  // weighted
    std::uint32_t after;
  };

  explicit LanguageStates(const Engine& engine)
      : engine_(&engine), n_models_(engine.language_models().size()), n_bytes_(engine.state_size()) {}

  /// Forget the last sentence.
  void start(const Weights& weights);
  std::uint32_t begin() const noexcept { return 0; }
  Step apply(std::uint32_t before, const Option& option) {
    if (n_models_ == 0 && n_bytes_ == 0) return {0, 0};
    if (2 * n_steps_ >= steps_.size()) widen();
    const std::uint64_t key = (std::uint64_t{before} << 32 | option.number) + 1;
    Known& known = steps_[place(key)];
    if (known.key == key) return known.step;
    ++n_steps_;
    known = {key, compute(before, option)};
    return known.step;
  }
  /// What the end of the sentence adds, weighted.
  float end(std::uint32_t state);
  std::span<const lm::State> states(std::uint32_t number) const {
    return {states_.data() + std::size_t{number} * n_models_, n_models_};
  }
  /// The states of the features.
  const std::byte* more(std::uint32_t number) const { return more_.data() + std::size_t{number} * n_bytes_; }
  std::uint64_t n_queries() const noexcept { return n_queries_; }

 private:
  struct Known {
    std::uint64_t key = 0;  // 0: free
    Step step{};
  };

  std::size_t place(std::uint64_t key) const noexcept {
    const std::size_t mask = steps_.size() - 1;
    std::size_t slot = (key * 0x9E3779B97F4A7C15ULL) >> 32 & mask;
    while (steps_[slot].key != 0 && steps_[slot].key != key) slot = (slot + 1) & mask;
    return slot;
  }
  Step compute(std::uint32_t before, const Option& option);
  std::uint32_t number_of_scratch();
  std::uint64_t hash_of(const lm::State* states, const std::byte* more) const noexcept;
  void widen();

  const Engine* engine_;
  std::size_t n_models_, n_bytes_;
  std::vector<float> weights_, all_weights_;
  const SparseWeights* sparse_ = nullptr;
  std::vector<std::byte> more_, more_scratch_;
  std::vector<lm::State> states_, scratch_;
  std::vector<std::uint32_t> slots_;  // number + 1, by content
  std::vector<Known> steps_;
  std::size_t n_states_ = 0, n_steps_ = 0;
  std::uint64_t n_queries_ = 0;
};

}  // namespace dragoman::phrase
