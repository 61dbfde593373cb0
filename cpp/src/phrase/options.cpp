#include "dragoman/phrase/options.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "dragoman/core/errors.hpp"
#include "own_features.hpp"
#include "target.hpp"
#include "words.hpp"

namespace dragoman::phrase {

namespace {

constexpr std::size_t kMostKnown = 40000;  // options that are kept from one sentence to the next, some 12 MB
constexpr std::size_t kMostFutures = std::size_t{1} << 28;

}  // namespace

void OptionSet::collect(const Weights& weights, std::span<const TokenId> source, const Constraints* constraints,
                        std::span<const std::int32_t> layer) {
  layer_ = layer;
  arena_.clear();
  options_.clear();
  n_options_ = 0;
  sparse_ = weights.sparse;
  if (!std::ranges::equal(weights_, weights.dense) || sparse_identity_ != weights.sparse_identity() ||
      n_known_ > kMostKnown) {
    weights_.assign(weights.dense.begin(), weights.dense.end());
    sparse_identity_ = weights.sparse_identity();
    known_.clear();
    known_arena_.clear();
    n_known_ = 0;
  }
  distances_.clear();
  has_levels_ = false;
  // Tables hold the translations of a phrase best first by their own scores; far more than are wanted are not looked
  // at, unless the target says which are wanted.
  most_ = constraints && constraints->target ? std::numeric_limits<std::uint64_t>::max()
                                             : 5 * std::uint64_t{limits_->options_per_phrase};
  const Lattice* const lattice = constraints && constraints->lattice ? &*constraints->lattice : nullptr;
  length_ = lattice ? lattice->n_nodes - 1U : source.size();
  longest_ = 1;
  for (const TableUse& use : engine_->tables()) longest_ = std::max<std::size_t>(longest_, use.table->longest());
  if (constraints) {
    for (const Given& given : constraints->given) {
      longest_ = std::max<std::size_t>(longest_, given.span.end - given.span.begin);
    }
  }
  longest_ = lattice ? length_ : std::min(longest_, length_);
  longest_ = std::max<std::size_t>(1, longest_);
  cells_.assign(length_ * longest_, {});
  if (lattice) {
    collect_lattice(*lattice, *constraints);
  } else {
    collect_words(source, constraints);
  }
  estimate_future();
}

/// True if a given translation forbids all others here.
bool OptionSet::is_closed(Span span, const Constraints* constraints) const {
  if (constraints == nullptr) return false;
  return std::ranges::any_of(constraints->given, [&](const Given& given) {
    return given.exclusive && span.begin < given.span.end && given.span.begin < span.end;
  });
}

void OptionSet::collect_words(std::span<const TokenId> source, const Constraints* constraints) {
  const Target* const target = constraints && constraints->target ? &*constraints->target : nullptr;
  for (std::size_t begin = 0; begin < length_; ++begin) {
    for (std::size_t end = begin + 1; end <= std::min(length_, begin + longest_); ++end) {
      candidates_.clear();
      const Span span{static_cast<std::uint16_t>(begin), static_cast<std::uint16_t>(end)};
      if (!is_closed(span, constraints)) {
        const auto words = source.subspan(begin, end - begin);
        const auto key = key_of(words);
        const bool any = key.has_value();
        // What holds in this sentence alone is not kept for others.
        const bool is_shared = target == nullptr && constraints == nullptr && !engine_->reads_layer();
        if (any && is_shared) {
          const auto found = known_.find(*key);
          if (found != known_.end()) {
            Cell& here = cell(begin, end);
            here = {static_cast<std::uint32_t>(options_.size()), static_cast<std::uint32_t>(found->second.size())};
            const auto copies = arena_.make<Option>(found->second.size());
            for (std::size_t i = 0; i < copies.size(); ++i) {
              copies[i] = found->second[i];
              copies[i].span = span;
              copies[i].source = words;
              copies[i].number = static_cast<std::uint32_t>(n_options_++);
              options_.push_back(&copies[i]);
            }
            continue;
          }
        }
        if (any) add_translations(span, words, 0);
        if (!any && end == begin + 1) add_unknown(span, words, begin, 0, limits_->drop_unknown);
        if (target) {
          const bool exact = !target->prefix;
          if (exact) std::erase_if(candidates_, [&](const Option* option) { return !occurs(*target, *option); });
          if (target->artificial && end == begin + 1) add_unknown(span, words, begin, 0, true);
        }
        std::ranges::stable_sort(candidates_, better_option);
        if (target == nullptr) {
          if (candidates_.size() > limits_->options_per_phrase) candidates_.resize(limits_->options_per_phrase);
          if (any && is_shared) remember(*key);
        } else if (target->prefix) {
          std::size_t rank = 0;
          std::erase_if(candidates_, [&](const Option* option) {
            return rank++ >= limits_->options_per_phrase && option->n_unknown == 0 && !occurs(*target, *option);
          });
        }
      }
      if (constraints) {
        for (const Given& given : constraints->given) {
          if (given.span == span) add_given(given, source.subspan(begin, end - begin));
        }
        std::ranges::stable_sort(candidates_, better_option);
      }
      close_cell(begin, end);
    }
  }
}

/// What the translations of words are kept under: where the first table that has any has them; nothing if none does.
std::optional<std::uint64_t> OptionSet::key_of(std::span<const TokenId> words) const {
  for (std::size_t t = 0; t < engine_->tables().size(); ++t) {
    const auto run = engine_->tables()[t].table->locate(words);
    if (run.count > 0) return (static_cast<std::uint64_t>(t) << 32) | run.first;
  }
  return std::nullopt;
}

/// Keep the candidates for other places and sentences; what the sentence adds (its place, its number) is set again
/// there.
std::span<const Option> OptionSet::remember(std::uint64_t key) {
  const auto kept = known_arena_.make<Option>(candidates_.size());
  const auto keep = [&]<class T>(std::span<const T>& values) {
    const auto copy = known_arena_.make<T>(values.size());
    std::ranges::copy(values, copy.begin());
    values = copy;
    return copy;
  };
  for (std::size_t i = 0; i < kept.size(); ++i) {
    kept[i] = *candidates_[i];
    for (ModelReading& reading : keep(kept[i].readings)) {
      keep(reading.tokens);
      keep(reading.rest);
    }
  }
  known_.emplace(key, kept);
  n_known_ += kept.size();
  return kept;
}

void OptionSet::close_cell(std::size_t begin, std::size_t end) {
  cell(begin, end) = {static_cast<std::uint32_t>(options_.size()), static_cast<std::uint32_t>(candidates_.size())};
  for (Option* option : candidates_) {
    option->number = static_cast<std::uint32_t>(n_options_++);
    options_.push_back(option);
  }
}

void OptionSet::add_translations(Span span, std::span<const TokenId> source, float arc_score) {
  const auto said = own(source);
  for (std::size_t t = 0; t < engine_->tables().size(); ++t) {
    const auto run = engine_->tables()[t].table->find(source);
    for (std::uint32_t i = 0; i < std::min<std::uint64_t>(run.count, most_); ++i) {
      Option& option = *arena_.make<Option>();
      option.span = span;
      option.table = static_cast<std::uint32_t>(t);
      option.source = said;
      option.layer = layer_of(span);
      option.translation = engine_->tables()[t].table->translation(run.first + i);
      if (arc_score != 0 && engine_->n_given() > 0) {
        const auto values = arena_.make<float>(1);
        values[0] = arc_score;
        option.given = values;
      }
      finish(option, arena_);
      candidates_.push_back(&option);
    }
  }
}

void OptionSet::add_unknown(Span span, std::span<const TokenId> source, std::size_t copied_word, float arc_score,
                            bool dropped) {
  Option& option = *arena_.make<Option>();
  option.span = span;
  option.source = own(source);
  option.layer = layer_of(span);
  option.table = static_cast<std::uint32_t>(engine_->tables().size());
  option.n_unknown = 1;
  if (!dropped) {
    const auto words = arena_.make<TokenId>(1);
    words[0] = copied(copied_word);
    const auto links = arena_.make<Link>(1);
    links[0] = {0, 0};
    option.translation.words = words;
    option.translation.links = links;
  }
  if (arc_score != 0 && engine_->n_given() > 0) {
    const auto values = arena_.make<float>(1);
    values[0] = arc_score;
    option.given = values;
  }
  finish(option, arena_);
  candidates_.push_back(&option);
}

/// An arc that says nothing, taken by itself.
void OptionSet::add_nothing(Span span, float arc_score) {
  add_unknown(span, {}, 0, arc_score, true);
  candidates_.back()->n_unknown = 0;
  finish(*candidates_.back(), arena_);
}

void OptionSet::add_given(const Given& given, std::span<const TokenId> source) {
  Option& option = *arena_.make<Option>();
  option.span = given.span;
  option.source = source;
  option.layer = layer_of(given.span);
  option.table = static_cast<std::uint32_t>(engine_->tables().size());
  const auto words = arena_.make<TokenId>(given.words.size());
  std::ranges::copy(given.words, words.begin());
  // Which word of the span became which is not known: each of the translation belongs to one, in their order.
  const std::size_t n = std::min<std::size_t>(given.words.size(), 255), n_source = given.span.end - given.span.begin;
  const auto links = arena_.make<Link>(n);
  for (std::size_t i = 0; i < n; ++i) {
    links[i] = {static_cast<std::uint8_t>(std::min<std::size_t>(255, i * n_source / n)), static_cast<std::uint8_t>(i)};
  }
  const auto values = arena_.make<float>(given.values.size());
  std::ranges::copy(given.values, values.begin());
  option.translation = {words, links, {}};
  option.given = values;
  finish(option, arena_);
  candidates_.push_back(&option);
}

/// Words that outlive a walk through a lattice; without features that look at them they need not.
std::span<const TokenId> OptionSet::own(std::span<const TokenId> words) {
  if (!engine_->reads_source()) return {};
  const auto copy = arena_.make<TokenId>(words.size());
  std::ranges::copy(words, copy.begin());
  return copy;
}

/// The annotation of a span; a lattice has none, as its nodes are no words.
std::span<const std::int32_t> OptionSet::layer_of(Span span) const {
  return layer_.empty() || !is_linear() ? std::span<const std::int32_t>()
                                        : layer_.subspan(span.begin, span.end - span.begin);
}

void OptionSet::finish(Option& option, Arena& arena) const {
  const std::span<const float> future = limits_->future_weights;
  const Extension step = engine_->extension(option);
  const auto weigh = [&](std::span<const float> weights) {
    Weigher sink({weights, sparse_});
    tell_own(*engine_, step, sink);
    return sink.sum();
  };
  option.fixed = weigh(weights_);
  option.orientation = {};
  if (engine_->orientation() != Orientation::none && option.table < engine_->tables().size()) {
    const unsigned first = engine_->tables()[option.table].n_features;
    // Models of pairs and of labels are asked of the same places: one sum serves both.
    for (unsigned f = 0; f < engine_->n_orientations(); ++f) {
      option.orientation[f % 6] +=
          weights_[engine_->orientation_at() + f] * floored(option.translation.scores[first + f]);
    }
  }
  const auto& models = engine_->language_models();
  const auto readings = arena.make<ModelReading>(models.size());
  option.lm_inside = 0;
  float lm_future = 0;
  for (std::size_t m = 0; m < models.size(); ++m) {
    const float weight = weights_[engine_->language_model_at(m)] * kLn10;
    lm::State both[2];
    unsigned now = 0;
    tokens_.clear();
    models[m].read(step, tokens_);
    const std::size_t n = tokens_.size();
    const auto tokens = arena.make<lm::WordId>(n);
    std::ranges::copy(tokens_, tokens.begin());
    const auto mine = arena.make<float>(n + 1);
    float inside = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const float log_p = floored(models[m].model->score(both[now], tokens[i], both[1 - now]).log_p);
      mine[i] = weight * log_p;
      inside += log_p;
      now = 1 - now;
    }
    mine[n] = 0;
    for (std::size_t i = n; i > 0; --i) mine[i - 1] += mine[i];
    option.lm_inside += mine[0];
    if (!future.empty()) lm_future += future[engine_->language_model_at(m)] * kLn10 * inside;
    readings[m] = {tokens, mine, both[now]};
  }
  if (engine_->state_size() > 0) {
    const auto estimate = [&](std::span<const float> weights) {
      states_.resize(engine_->state_size());
      for (const FeatureUse& use : engine_->features()) use.feature->unknown_past(states_.data() + use.state_at);
      Weigher sink({weights, sparse_});
      tell_stateful(*engine_, states_.data(), step, states_.data(), sink);
      return sink.sum();
    };
    option.lm_inside += estimate(weights_);
    if (!future.empty()) lm_future += estimate(future);
  }
  option.future = future.empty() ? option.fixed + option.lm_inside : weigh(future) + lm_future;
  option.readings = readings;
}

/// Gaps that reordering can leave open are not wider than it may jump; beyond that only the rest of the sentence is
/// open.
void OptionSet::estimate_future() {
  widest_gap_ = distances_.empty() ? std::min<std::size_t>(length_, limits_->distortion_limit) : length_;
  if ((length_ + 1) * (widest_gap_ + 1) > kMostFutures) {
    throw data_error("A sentence of " + std::to_string(length_) + " words is too long to be reordered over " +
                     std::to_string(widest_gap_) + " words. Set a distortion limit, or split the sentence.");
  }
  const std::size_t width = widest_gap_ + 1;
  future_.assign((length_ + 1) * width, kImpossible);
  rest_.assign(length_ + 1, kImpossible);
  rest_[length_] = 0;
  for (std::size_t begin = length_; begin-- > 0;) {
    future_[begin * width] = 0;
    for (std::size_t end = begin + 1; end <= std::min(length_, begin + longest_); ++end) {
      const auto options = at(begin, end);
      if (options.empty()) continue;
      float best = options.front()->future;
      if (!limits_->future_weights.empty()) {
        for (const Option* option : options) best = std::max(best, option->future);
      }
      rest_[begin] = std::max(rest_[begin], best + rest_[end]);
      if (end - begin > widest_gap_) continue;
      float* const here = future_.data() + begin * width;
      const float* const there = future_.data() + end * width;
      const std::size_t room = std::min(widest_gap_, length_ - begin) - (end - begin);
      for (std::size_t more = 0; more <= room; ++more) {
        here[end - begin + more] = std::max(here[end - begin + more], best + (more == 0 ? 0 : there[more]));
      }
    }
  }
}

}  // namespace dragoman::phrase
