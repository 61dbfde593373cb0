#include "span_states.hpp"

#include <algorithm>
#include <cstring>

#include "dragoman/core/hash.hpp"
#include "rule_book.hpp"

namespace dragoman::chart {

SpanStates::SpanStates(const Engine& engine)
    : engine_(&engine), n_models_(engine.language_models().size()), n_bytes_(engine.part_size()) {}

void SpanStates::start(const Weights& weights) {
  weights_.assign(weights.dense.begin(), weights.dense.end());
  sparse_ = weights.sparse;
  model_weights_.clear();
  for (std::size_t m = 0; m < n_models_; ++m) {
    model_weights_.push_back(weights_[engine_->language_model_at(m)] * static_cast<float>(kLn10));
  }
  readings_.clear();
  parts_.clear();
  scratch_.assign(n_models_, {});
  part_scratch_.assign(n_bytes_, std::byte{0});
  slots_.assign(1024, {0, 0});
  n_states_ = 0;
  for (std::size_t m = 0; m < n_models_; ++m) {
    scratch_[m].words.is_open = false;
    scratch_[m].words.right = engine_->language_models()[m].model->begin();
  }
  phrase::Weigher nobody({weights_, sparse_});
  combine(RuleUse{}, {}, nobody);
  number_of_scratch();
}

/// What a model says of a rule's words and of its parts' words where they meet others; the reading of the whole.
float SpanStates::read(std::size_t model, const RuleUse& rule, std::span<const std::uint32_t> parts, Reading& into) {
  const LanguageModelUse& use = engine_->language_models()[model];
  float log_p = 0;
  std::size_t i = 0;
  if (rule.n_first > 0) {
    into = rule.beginnings[model].reading;
    log_p = rule.beginnings[model].log_p;
    i = rule.n_first;
  } else {
    into = {};
  }
  for (; i < rule.target.size(); ++i) {
    const TokenId word = rule.target[i];
    ++n_queries_;
    log_p += graph::is_gap(word) ? append(*use.model, into, reading(parts[graph::tail_of(word)], model))
                                 : append(*use.model, into, use.id(word));
  }
  return log_p;
}

/// Ask the features; what they know of the whole is left in the scratch.
template <class Sink>
void SpanStates::combine(const RuleUse& rule, std::span<const std::uint32_t> parts, Sink& sink) {
  // The source side is the way through the rules and not asked by any feature so far.
  const phrase::Rule asked{{}, rule.target, rule.links, engine_->n_target_words()};
  for (const FeatureUse& use : engine_->features()) {
    const std::size_t size = use.feature->part_size();
    joined_parts_.resize(size * parts.size() + 1);
    for (std::size_t k = 0; size > 0 && k < parts.size(); ++k) {
      std::memcpy(joined_parts_.data() + k * size, part(parts[k]) + use.state_at, size);
    }
    sink.turn_to(use.at, use.family);
    use.feature->combine(asked, joined_parts_.data(), parts.size(), part_scratch_.data() + use.state_at, sink);
  }
}

SpanStates::Joined SpanStates::join(const RuleUse& rule, std::span<const std::uint32_t> parts) {
  float score = 0;
  for (std::size_t m = 0; m < n_models_; ++m) score += model_weights_[m] * read(m, rule, parts, scratch_[m]);
  if (!engine_->features().empty()) {
    phrase::Weigher sink({weights_, sparse_});
    combine(rule, parts, sink);
    score += sink.sum();
  }
  return {score, number_of_scratch()};
}

float SpanStates::end(std::uint32_t state) {
  float score = 0;
  for (std::size_t m = 0; m < n_models_; ++m) {
    lm::State after;
    const lm::Model& model = *engine_->language_models()[m].model;
    score += model_weights_[m] * phrase::floored(model.score(reading(state, m).words.right, lm::kEos, after).log_p);
  }
  n_queries_ += n_models_;
  if (!engine_->features().empty()) {
    phrase::Weigher sink({weights_, sparse_});
    for (const FeatureUse& use : engine_->features()) {
      sink.turn_to(use.at, use.family);
      use.feature->finish(part(state) + use.state_at, sink);
    }
    score += sink.sum();
  }
  return score;
}

void SpanStates::explain(const RuleUse& rule, std::span<const std::uint32_t> parts, std::span<double> into,
                         std::vector<phrase::SparseValue>* sparse) {
  for (std::size_t m = 0; m < n_models_; ++m) {
    into[engine_->language_model_at(m)] += kLn10 * static_cast<double>(read(m, rule, parts, scratch_[m]));
  }
  phrase::Recorder sink(into, sparse);
  combine(rule, parts, sink);
}

void SpanStates::explain_end(std::uint32_t state, std::span<double> into, std::vector<phrase::SparseValue>* sparse) {
  for (std::size_t m = 0; m < n_models_; ++m) {
    lm::State after;
    const lm::Model& model = *engine_->language_models()[m].model;
    const float log_p = phrase::floored(model.score(reading(state, m).words.right, lm::kEos, after).log_p);
    into[engine_->language_model_at(m)] += kLn10 * static_cast<double>(log_p);
  }
  phrase::Recorder sink(into, sparse);
  for (const FeatureUse& use : engine_->features()) {
    sink.turn_to(use.at, use.family);
    use.feature->finish(part(state) + use.state_at, sink);
  }
}

std::uint64_t SpanStates::hash_of(const Reading* readings, const std::byte* part) const noexcept {
  std::uint64_t hash = 0;
  for (std::size_t m = 0; m < n_models_; ++m) {
    const lm::SpanState& words = readings[m].words;
    hash = lm::longer_key(hash, words.n_left << 16 | words.right.length << 1 | (words.is_open ? 1U : 0U));
    for (std::uint32_t i = 0; i < words.n_left; ++i) hash = lm::longer_key(hash, words.left[i]);
    for (std::uint32_t i = 0; i < words.right.length; ++i) hash = lm::longer_key(hash, words.right.words[i]);
  }
  if (n_bytes_ > 0) hash = hash_bytes({reinterpret_cast<const char*>(part), n_bytes_}, hash);
  return hash;
}

bool SpanStates::is_scratch(std::uint32_t number) const noexcept {
  for (std::size_t m = 0; m < n_models_; ++m) {
    if (!(reading(number, m).words == scratch_[m].words)) return false;
  }
  return n_bytes_ == 0 || std::memcmp(part(number), part_scratch_.data(), n_bytes_) == 0;
}

std::uint32_t SpanStates::number_of_scratch() {
  if (2 * n_states_ >= slots_.size()) widen();
  const std::uint64_t hash = hash_of(scratch_.data(), part_scratch_.data());
  const auto tag = static_cast<std::uint32_t>(hash);
  std::size_t slot = hash >> 20 & (slots_.size() - 1);
  for (; slots_[slot].number != 0; slot = (slot + 1) & (slots_.size() - 1)) {
    if (slots_[slot].tag == tag && is_scratch(slots_[slot].number - 1)) return slots_[slot].number - 1;
  }
  readings_.insert(readings_.end(), scratch_.begin(), scratch_.end());
  parts_.insert(parts_.end(), part_scratch_.begin(), part_scratch_.end());
  slots_[slot] = {static_cast<std::uint32_t>(++n_states_), tag};
  return static_cast<std::uint32_t>(n_states_ - 1);
}

void SpanStates::widen() {
  slots_.assign(slots_.size() * 4, {0, 0});
  for (std::uint32_t number = 0; number < n_states_; ++number) {
    const std::uint64_t hash = hash_of(readings_.data() + number * n_models_, part(number));
    std::size_t slot = hash >> 20 & (slots_.size() - 1);
    while (slots_[slot].number != 0) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = {number + 1, static_cast<std::uint32_t>(hash)};
  }
}

}  // namespace dragoman::chart
