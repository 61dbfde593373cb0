#include <cmath>
#include <cstdlib>

#include "own_features.hpp"
#include "search_parts.hpp"

namespace dragoman::phrase {

namespace {

constexpr double kPreciseLn10 = 2.302585092994046;

void add_orientation(const Engine& engine, const Option* option, unsigned score, std::span<double> into) {
  if (option == nullptr || option->table >= engine.tables().size()) return;  // has no model
  const unsigned first = engine.tables()[option->table].n_features;
  for (unsigned f = score; f < engine.n_orientations(); f += 6) {
    into[engine.orientation_at() + f] += floored(option->translation.scores[first + f]);
  }
}

}  // namespace

void Search::replay(std::span<const Option* const> steps, std::span<double> into,
                    std::vector<SparseValue>* sparse) const {
  const Engine& engine = *engine_;
  Recorder sink(into, sparse);
  std::vector<std::byte> more(engine.state_size()), more_after(engine.state_size());
  for (const FeatureUse& use : engine.features()) use.feature->begin(more.data() + use.state_at);
  const auto& models = engine.language_models();
  const Orientation kind = engine.orientation();
  const std::size_t n = options_.length();
  std::vector<std::uint64_t> bits(n / 64 + 1, 0);
  const Coverage covered{bits, 0, 0, 0, 0};
  BlockStacks blocks;
  blocks.start(n, limits_.hierarchy, limits_.itg);
  const Block* stack = blocks.empty();
  std::vector<lm::State> states(models.size());
  for (std::size_t m = 0; m < models.size(); ++m) states[m] = models[m].model->begin();
  const auto say = [&](std::size_t m, lm::WordId word) {
    lm::State after;
    into[engine.language_model_at(m)] += kPreciseLn10 * floored(models[m].model->score(states[m], word, after).log_p);
    states[m] = after;
  };

  std::vector<lm::WordId> tokens;
  const Option* previous = nullptr;
  Span last{0, 0};
  for (const Option* option : steps) {
    const Span span = option->span;
    const Extension step = engine.extension(*option);
    tell_own(engine, step, sink);
    tell_stateful(engine, more.data(), step, more_after.data(), sink);
    std::swap(more, more_after);
    const int jump = std::abs(options_.distance(span.begin) - options_.distance(last.end));
    into[engine.distortion_at()] -= std::pow(jump, limits_.distortion_exponent);
    if (kind != Orientation::none) {
      const unsigned before = kind == Orientation::word ? orientation_to(last, span)
                              : limits_.hierarchy == Hierarchy::approximate
                                  ? orientation_to_covered(covered, last, span)
                                  : orientation_to(stack->span, span);
      add_orientation(engine, option, before, into);
      add_orientation(engine, previous, 3 + orientation_behind(kind, covered, last, span), into);
    }
    for (std::size_t m = 0; m < models.size(); ++m) {
      tokens.clear();
      models[m].read(step, tokens);
      for (const lm::WordId token : tokens) say(m, token);
    }
    for (std::size_t word = span.begin; word < span.end; ++word) bits[word / 64] |= std::uint64_t{1} << (word % 64);
    stack = blocks.shift(stack, span);
    previous = option;
    last = span;
  }
  for (std::size_t m = 0; m < models.size(); ++m) say(m, lm::kEos);
  tell_end(engine, more.data(), sink);
  if (kind != Orientation::none) {
    const auto end = static_cast<std::uint16_t>(n);
    add_orientation(engine, previous, 3 + orientation_behind(kind, covered, last, {end, end}), into);
  }
}

void Search::explain(const Hypothesis& hypothesis, bool last, std::span<double> into,
                     std::vector<SparseValue>* sparse) const {
  const Engine& engine = *engine_;
  Recorder sink(into, sparse);
  const auto& models = engine.language_models();
  const Orientation kind = engine.orientation();
  const Option* const option = hypothesis.option;
  const auto say = [&](std::size_t m, lm::State& state, lm::WordId word) {
    lm::State after;
    into[engine.language_model_at(m)] += kPreciseLn10 * floored(models[m].model->score(state, word, after).log_p);
    state = after;
  };
  if (option) {
    const Hypothesis& before = *hypothesis.before;
    const Span previous = last_span(before);
    const Extension step = engine.extension(*option);
    tell_own(engine, step, sink);
    std::vector<std::byte> after(engine.state_size());
    tell_stateful(engine, lm_->more(before.lm), step, after.data(), sink);
    const int jump = std::abs(options_.distance(option->span.begin) - options_.distance(previous.end));
    into[engine.distortion_at()] -= std::pow(jump, limits_.distortion_exponent);
    if (kind != Orientation::none) {
      add_orientation(engine, option, orientation_before(before, option->span), into);
      add_orientation(engine, before.option, 3 + orientation_behind(kind, *before.coverage, previous, option->span),
                      into);
    }
    std::vector<lm::WordId> tokens;
    for (std::size_t m = 0; m < models.size(); ++m) {
      lm::State state = lm_->states(before.lm)[m];
      tokens.clear();
      models[m].read(step, tokens);
      for (const lm::WordId token : tokens) say(m, state, token);
    }
  }
  if (!last) return;
  tell_end(engine, lm_->more(hypothesis.lm), sink);
  for (std::size_t m = 0; m < models.size(); ++m) {
    lm::State state = lm_->states(hypothesis.lm)[m];
    say(m, state, lm::kEos);
  }
  if (kind != Orientation::none) {
    const auto n = static_cast<std::uint16_t>(options_.length());
    add_orientation(engine, option, 3 + orientation_behind(kind, *hypothesis.coverage, last_span(hypothesis), {n, n}),
                    into);
  }
}

}  // namespace dragoman::phrase
