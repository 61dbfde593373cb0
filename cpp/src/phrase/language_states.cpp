#include "language_states.hpp"

#include <algorithm>
#include <cstring>

#include "dragoman/core/hash.hpp"
#include "own_features.hpp"
#include "words.hpp"

namespace dragoman::phrase {

namespace {}  // namespace

void LanguageStates::start(const Weights& weights) {
  all_weights_.assign(weights.dense.begin(), weights.dense.end());
  sparse_ = weights.sparse;
  weights_.clear();
  for (std::size_t m = 0; m < n_models_; ++m) weights_.push_back(all_weights_[engine_->language_model_at(m)] * kLn10);
  scratch_.resize(n_models_);
  states_.clear();
  more_.clear();
  more_scratch_.resize(n_bytes_);
  slots_.assign(1024, 0);
  steps_.assign(2048, {});
  n_states_ = n_steps_ = 0;
  for (std::size_t m = 0; m < n_models_; ++m) scratch_[m] = engine_->language_models()[m].model->begin();
  for (const FeatureUse& use : engine_->features()) use.feature->begin(more_scratch_.data() + use.state_at);
  number_of_scratch();
}

LanguageStates::Step LanguageStates::compute(std::uint32_t before, const Option& option) {
  float score = 0;
  for (std::size_t m = 0; m < n_models_; ++m) {
    const lm::Model& model = *engine_->language_models()[m].model;
    const ModelReading& reading = option.readings[m];
    const std::size_t n = reading.tokens.size();
    lm::State both[2];
    const lm::State* now = &states_[before * n_models_ + m];
    std::size_t i = 0;
    // While the past reaches beyond the phrase it matters; afterwards what was found without a past holds.
    for (; i < n && now->length > i; ++i) {
      lm::State& next = both[i % 2];
      score += weights_[m] * floored(model.score(*now, reading.tokens[i], next).log_p);
      now = &next;
    }
    n_queries_ += i;
    if (i < n) {
      score += reading.rest[i];
      scratch_[m] = reading.state;
    } else {
      scratch_[m] = *now;
    }
  }
  if (n_bytes_ > 0) {
    Weigher sink({all_weights_, sparse_});
    tell_stateful(*engine_, more(before), engine_->extension(option), more_scratch_.data(), sink);
    score += sink.sum();
  }
  return {score, number_of_scratch()};
}

std::uint64_t LanguageStates::hash_of(const lm::State* states, const std::byte* more) const noexcept {
  std::uint64_t hash = 0;
  for (std::size_t m = 0; m < n_models_; ++m) {
    hash = lm::longer_key(hash, states[m].length);
    for (std::uint32_t i = 0; i < states[m].length; ++i) hash = lm::longer_key(hash, states[m].words[i]);
  }
  if (n_bytes_ > 0) hash = hash_bytes({reinterpret_cast<const char*>(more), n_bytes_}, hash);
  return hash;
}

std::uint32_t LanguageStates::number_of_scratch() {
  if (2 * n_states_ >= slots_.size()) {
    slots_.assign(slots_.size() * 4, 0);
    for (std::size_t number = 0; number < n_states_; ++number) {
      std::size_t slot = hash_of(states_.data() + number * n_models_, more(static_cast<std::uint32_t>(number))) >> 32 &
                         (slots_.size() - 1);
      while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = static_cast<std::uint32_t>(number + 1);
    }
  }
  std::size_t slot = hash_of(scratch_.data(), more_scratch_.data()) >> 32 & (slots_.size() - 1);
  for (; slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1)) {
    const std::uint32_t number = slots_[slot] - 1;
    if (std::ranges::equal(states(number), scratch_) &&
        (n_bytes_ == 0 || std::memcmp(more(number), more_scratch_.data(), n_bytes_) == 0)) {
      return number;
    }
  }
  states_.insert(states_.end(), scratch_.begin(), scratch_.end());
  more_.insert(more_.end(), more_scratch_.begin(), more_scratch_.end());
  slots_[slot] = static_cast<std::uint32_t>(++n_states_);
  return static_cast<std::uint32_t>(n_states_ - 1);
}

float LanguageStates::end(std::uint32_t state) {
  float score = 0;
  for (std::size_t m = 0; m < n_models_; ++m) {
    lm::State after;
    score += weights_[m] * floored(engine_->language_models()[m].model->score(states(state)[m], lm::kEos, after).log_p);
  }
  n_queries_ += n_models_;
  if (!engine_->features().empty()) {
    Weigher sink({all_weights_, sparse_});
    tell_end(*engine_, more(state), sink);
    score += sink.sum();
  }
  return score;
}

void LanguageStates::widen() {
  std::vector<Known> old(steps_.size() * 4);
  std::swap(old, steps_);
  for (const Known& known : old) {
    if (known.key != 0) steps_[place(known.key)] = known;
  }
}

}  // namespace dragoman::phrase
