#include "dragoman/lm/span_state.hpp"

#include <cmath>
#include <random>

#include "check.hpp"
#include "toy_engine.hpp"

using namespace dragoman;

namespace {

bool close(double a, double b) { return std::fabs(a - b) <= 1e-4 * (1 + std::fabs(a)); }

struct Scored {
  lm::SpanState state;
  double log_p = 0;
};

/// Words put together in any order: spans of words and of spans.
Scored derived(const lm::Model& model, std::mt19937& chance, std::span<const lm::WordId> words) {
  Scored whole;
  std::size_t at = 0;
  while (at < words.size()) {
    if (words.size() > 1 && chance() % 2) {
      const std::size_t n = 1 + chance() % std::min(words.size() - at, words.size() - 1);
      const Scored part = derived(model, chance, words.subspan(at, n));
      whole.log_p += part.log_p + static_cast<double>(lm::append(model, whole.state, part.state));
      at += n;
    } else {
      whole.log_p += static_cast<double>(lm::append(model, whole.state, words[at++]));
    }
  }
  return whole;
}

}  // namespace

TEST(a_sentence_is_as_likely_however_its_spans_are_put_together) {
  std::mt19937 chance(71);
  for (int round = 0; round < 300; ++round) {
    const auto model = toy::random_model(chance, 1 + static_cast<unsigned>(chance() % 5), 5);
    std::vector<lm::WordId> words(chance() % 9);
    for (auto& word : words) word = chance() % 8 == 0 ? lm::kUnk : 3 + static_cast<lm::WordId>(chance() % 5);
    lm::State state = model->begin(), after;
    double log_p = 0;
    for (const auto word : words) {
      log_p += static_cast<double>(model->score(state, word, after).log_p);
      state = after;
    }
    log_p += static_cast<double>(model->score(state, lm::kEos, after).log_p);
    for (int way = 0; way < 5; ++way) {
      const Scored whole = derived(*model, chance, words);
      CHECK(close(whole.log_p + static_cast<double>(lm::finish(*model, whole.state)), log_p));
    }
  }
}

TEST(spans_that_nothing_tells_apart_have_one_state) {
  std::mt19937 chance(72);
  const auto model = toy::random_model(chance, 3, 5);
  for (int round = 0; round < 100; ++round) {
    std::vector<lm::WordId> words(1 + chance() % 7);
    for (auto& word : words) word = 3 + static_cast<lm::WordId>(chance() % 5);
    const Scored first = derived(*model, chance, words);
    CHECK(first.state.n_left <= 2 && first.state.right.length <= 2);
    CHECK(derived(*model, chance, words).state == first.state);
  }
}
