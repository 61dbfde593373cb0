#include "dragoman/phrase/options.hpp"

#include <algorithm>
#include <limits>

namespace dragoman::phrase {

namespace {

constexpr float kImpossible = -1e30F;
constexpr float kLn10 = 2.302585093F;  // language models speak in log10, engines in natural logarithms

}  // namespace

void OptionSet::collect(const Engine& engine, std::span<const float> weights, std::span<const TokenId> source,
                        const DecodeOptions& limits) {
  arena_.clear();
  options_.clear();
  length_ = source.size();
  longest_ = 1;
  for (const TableUse& use : engine.tables()) longest_ = std::max<std::size_t>(longest_, use.table->longest());
  longest_ = std::max<std::size_t>(1, std::min(longest_, length_));
  cells_.assign(length_ * longest_, {});
  for (std::size_t begin = 0; begin < length_; ++begin) {
    for (std::size_t end = begin + 1; end <= std::min(length_, begin + longest_); ++end) {
      Cell& cell = cells_[begin * longest_ + (end - begin - 1)];
      cell.first = static_cast<std::uint32_t>(options_.size());
      candidates_.clear();
      const Span span{static_cast<std::uint16_t>(begin), static_cast<std::uint16_t>(end)};
      add_translations(engine, weights, span, source.subspan(begin, end - begin), limits);
      if (candidates_.empty() && end == begin + 1) add_unknown(engine, weights, begin, limits);
      const auto better = [](const Option* a, const Option* b) { return a->estimate() > b->estimate(); };
      std::stable_sort(candidates_.begin(), candidates_.end(), better);
      if (candidates_.size() > limits.options_per_phrase) candidates_.resize(limits.options_per_phrase);
      options_.insert(options_.end(), candidates_.begin(), candidates_.end());
      cell.count = static_cast<std::uint32_t>(candidates_.size());
    }
  }
  estimate_future();
}

void OptionSet::add_translations(const Engine& engine, std::span<const float> weights, Span span,
                                 std::span<const TokenId> source, const DecodeOptions& limits) {
  for (std::size_t t = 0; t < engine.tables().size(); ++t) {
    const TableUse& use = engine.tables()[t];
    const auto run = use.table->find(source);
    // Tables hold the translations of a phrase best first by their own scores; far more than are wanted are not looked at.
    const std::uint32_t count = std::min<std::uint32_t>(run.count, 5 * limits.options_per_phrase);
    for (std::uint32_t i = 0; i < count; ++i) {
      Option& option = *arena_.make<Option>();
      option.span = span;
      option.table = static_cast<std::uint32_t>(t);
      option.translation = use.table->translation(run.first + i);
      option.fixed = 0;
      for (unsigned f = 0; f < use.n_features; ++f) {
        option.fixed += weights[engine.table_at(t) + f] * option.translation.scores[f];
      }
      option.orientation = {};
      if (engine.orientation() != Orientation::none) {
        for (unsigned f = 0; f < 6; ++f) {
          option.orientation[f] = weights[engine.orientation_at() + f] * option.translation.scores[use.n_features + f];
        }
      }
      finish(engine, weights, option);
      candidates_.push_back(&option);
    }
  }
}

void OptionSet::add_unknown(const Engine& engine, std::span<const float> weights, std::size_t at,
                            const DecodeOptions& limits) {
  Option& option = *arena_.make<Option>();
  option.span = {static_cast<std::uint16_t>(at), static_cast<std::uint16_t>(at + 1)};
  option.table = static_cast<std::uint32_t>(engine.tables().size());
  option.translation = {};
  option.orientation = {};
  option.fixed = -weights[engine.unknown_at()];
  if (!limits.drop_unknown) {
    const auto words = arena_.make<TokenId>(1);
    words[0] = copied(at);
    const auto links = arena_.make<Link>(1);
    links[0] = {0, 0};
    option.translation.words = words;
    option.translation.links = links;
  }
  finish(engine, weights, option);
  candidates_.push_back(&option);
}

void OptionSet::finish(const Engine& engine, std::span<const float> weights, Option& option) {
  const auto words = option.translation.words;
  option.fixed -= weights[engine.word_penalty_at()] * static_cast<float>(words.size());
  option.fixed -= weights[engine.phrase_penalty_at()];
  const auto& models = engine.language_models();
  const std::size_t n = words.size();
  const auto rest = arena_.make<float>(models.size() * (n + 1));
  const auto states = arena_.make<lm::State>(models.size());
  const auto ids = arena_.make<lm::WordId>(models.size() * n);
  option.lm_inside = 0;
  for (std::size_t m = 0; m < models.size(); ++m) {
    const float weight = weights[engine.language_model_at(m)] * kLn10;
    lm::State state = lm::Model::empty(), next;
    float* const mine = rest.data() + m * (n + 1);
    for (std::size_t i = 0; i < n; ++i) {
      const auto id = models[m].id(words[i]);
      ids[m * n + i] = id;
      mine[i] = weight * models[m].model->score(state, id, next).log_p;
      state = next;
    }
    mine[n] = 0;
    for (std::size_t i = n; i > 0; --i) mine[i - 1] += mine[i];
    option.lm_inside += mine[0];
    states[m] = state;
  }
  option.lm_rest = rest;
  option.lm_states = states;
  option.lm_ids = ids;
}

void OptionSet::estimate_future() {
  future_.assign((length_ + 1) * (length_ + 1), kImpossible);
  for (std::size_t begin = 0; begin <= length_; ++begin) future_[begin * (length_ + 1) + begin] = 0;
  for (std::size_t size = 1; size <= length_; ++size) {
    for (std::size_t begin = 0; begin + size <= length_; ++begin) {
      float best = kImpossible;
      if (size <= longest_) {
        const auto options = at(begin, begin + size);
        if (!options.empty()) best = options.front()->estimate();
      }
      for (std::size_t middle = begin + 1; middle < begin + size; ++middle) {
        best = std::max(best, future(begin, middle) + future(middle, begin + size));
      }
      future_[begin * (length_ + 1) + begin + size] = best;
    }
  }
}

}  // namespace dragoman::phrase
