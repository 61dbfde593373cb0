#include <cstdlib>

#include "coverage.hpp"
#include "dragoman/phrase/search.hpp"

namespace dragoman::phrase {

namespace {

constexpr double kLn10 = 2.302585092994046;

}  // namespace

void Search::replay(std::span<const Option* const> steps, std::span<double> into) const {
  const Engine& engine = *engine_;
  const auto& models = engine.language_models();
  const Orientation kind = engine.orientation();
  const std::size_t n = options_.length();
  std::vector<std::uint64_t> blocks(n / 64 + 1, 0);
  const Coverage covered{blocks, 0, 0, 0, 0};
  std::vector<lm::State> states(models.size());
  for (std::size_t m = 0; m < models.size(); ++m) states[m] = models[m].model->begin();
  const auto say = [&](std::size_t m, lm::WordId word) {
    lm::State after;
    into[engine.language_model_at(m)] += kLn10 * models[m].model->score(states[m], word, after).log_p;
    states[m] = after;
  };
  const auto orient = [&](const Option* option, unsigned score) {
    if (option == nullptr || option->table >= engine.tables().size()) return;  // an unknown word has no model
    into[engine.orientation_at() + score] += option->translation.scores[engine.tables()[option->table].n_features + score];
  };

  const Option* previous = nullptr;
  Span last{0, 0};
  for (const Option* option : steps) {
    const bool known = option->table < engine.tables().size();
    const unsigned n_features = known ? engine.tables()[option->table].n_features : 0;
    for (unsigned f = 0; f < n_features; ++f) into[engine.table_at(option->table) + f] += option->translation.scores[f];
    into[engine.word_penalty_at()] -= static_cast<double>(option->translation.words.size());
    into[engine.phrase_penalty_at()] -= 1;
    into[engine.distortion_at()] -= std::abs(static_cast<int>(option->span.begin) - static_cast<int>(last.end));
    if (!known) into[engine.unknown_at()] -= 1;
    if (kind != Orientation::none) {
      orient(option, orientation_before(kind, covered, last, option->span));
      orient(previous, 3 + orientation_behind(kind, covered, last, option->span));
    }
    for (std::size_t m = 0; m < models.size(); ++m) {
      for (const TokenId word : option->translation.words) say(m, models[m].id(word));
    }
    for (std::size_t word = option->span.begin; word < option->span.end; ++word) {
      blocks[word / 64] |= std::uint64_t{1} << (word % 64);
    }
    previous = option;
    last = option->span;
  }
  for (std::size_t m = 0; m < models.size(); ++m) say(m, lm::kEos);
  if (kind != Orientation::none) {
    const auto end = static_cast<std::uint16_t>(n);
    orient(previous, 3 + orientation_behind(kind, covered, last, {end, end}));
  }
}

}  // namespace dragoman::phrase
