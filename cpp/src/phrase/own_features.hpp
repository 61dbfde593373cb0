#pragma once

#include <string>
#include <vector>

#include "dragoman/phrase/features.hpp"
#include "dragoman/phrase/options.hpp"

/// The features of options that every engine has. They are put together at compile time: each is asked once for an
/// option, when it is collected (Weigher), and again when a translation is explained (Recorder).
///
/// Not among them, and inlined in the search instead: distance and orientation look at the covered words and are asked
/// for every place in a cube; language models know of a phrase what holds without a past and ask for the rest alone.
namespace dragoman::phrase {

/// What is known of an option wherever it stands.
struct OwnFeature {
  using State = NoState;
  static constexpr SparseParts parts = SparseParts::none;
  static State begin() { return {}; }
  template <class Sink>
  void end(const State&, Sink&) const {}
};

/// The scores of the tables, each at the places of its own.
struct TableScores : OwnFeature {
  const Engine* engine;

  explicit TableScores(const Engine& all) : engine(&all) {}
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    const auto& tables = engine->tables();
    for (std::size_t t = 0; t < tables.size(); ++t) {
      const std::string table = tables.size() == 1 ? "table" : "table" + std::to_string(t + 1);
      for (unsigned i = 1; i <= tables[t].n_features; ++i) names.push_back(table + "." + std::to_string(i));
    }
    return names;
  }
  template <class Sink>
  void extend(const State&, const Extension& step, State&, Sink& sink) const {
    const Option& option = step.option;
    if (option.table >= engine->tables().size()) return;
    const std::size_t at = engine->table_at(option.table);
    const unsigned n = engine->tables()[option.table].n_features;
    for (unsigned f = 0; f < n; ++f) sink.add(at + f, floored(option.translation.scores[f]));
  }
};

/// Values that come with translations from outside.
struct GivenValues : OwnFeature {
  std::vector<std::string> names() const { return {}; }  // whoever gives them names them
  template <class Sink>
  void extend(const State&, const Extension& step, State&, Sink& sink) const {
    for (std::size_t f = 0; f < step.option.given.size(); ++f) sink.add(f, step.option.given[f]);
  }
};

/// Unknown, left out or inserted words.
struct UnknownWords : OwnFeature {
  std::vector<std::string> names() const { return {"unknown"}; }
  template <class Sink>
  void extend(const State&, const Extension& step, State&, Sink& sink) const {
    sink.add(std::size_t{0}, -static_cast<float>(step.option.n_unknown));
  }
};

struct WordPenalty : OwnFeature {
  std::vector<std::string> names() const { return {"word-penalty"}; }
  template <class Sink>
  void extend(const State&, const Extension& step, State&, Sink& sink) const {
    sink.add(std::size_t{0}, -static_cast<float>(step.target_words.size()));
  }
};

struct PhrasePenalty : OwnFeature {
  std::vector<std::string> names() const { return {"phrase-penalty"}; }
  template <class Sink>
  void extend(const State&, const Extension&, State&, Sink& sink) const {
    sink.add(std::size_t{0}, -1.0F);
  }
};

static_assert(DecoderFeature<TableScores> && DecoderFeature<GivenValues> && DecoderFeature<UnknownWords> &&
              DecoderFeature<WordPenalty> && DecoderFeature<PhrasePenalty>);

/// Tell a sink what an option has wherever it stands: the features above, and those without a state that were chosen.
template <class Sink>
void tell_own(const Engine& engine, const Extension& step, Sink& sink) {
  const auto ask = [&](const auto& feature, std::size_t at) {
    NoState state;
    sink.turn_to(at);
    feature.extend(state, step, state, sink);
  };
  ask(TableScores(engine), 0);
  ask(GivenValues(), engine.given_at());
  ask(UnknownWords(), engine.unknown_at());
  ask(WordPenalty(), engine.word_penalty_at());
  ask(PhrasePenalty(), engine.phrase_penalty_at());
  for (const FeatureUse& use : engine.features()) {
    if (!use.is_local()) continue;
    sink.turn_to(use.at, use.family);
    use.feature->extend(nullptr, step, nullptr, sink);
  }
}

/// Tell a sink what chosen features with a state say of a step behind the states `before`.
template <class Sink>
void tell_stateful(const Engine& engine, const std::byte* before, const Extension& step, std::byte* after, Sink& sink) {
  for (const FeatureUse& use : engine.features()) {
    if (use.is_local()) continue;
    sink.turn_to(use.at, use.family);
    use.feature->extend(before + use.state_at, step, after + use.state_at, sink);
  }
}

template <class Sink>
void tell_end(const Engine& engine, const std::byte* before, Sink& sink) {
  for (const FeatureUse& use : engine.features()) {
    sink.turn_to(use.at, use.family);
    use.feature->end(before + use.state_at, sink);
  }
}

}  // namespace dragoman::phrase
