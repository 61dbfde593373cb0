#include "dragoman/phrase/engine.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>

#include "dragoman/core/errors.hpp"
#include "dragoman/phrase/options.hpp"

namespace dragoman::phrase {

Engine::Engine(std::vector<TableUse> tables, std::vector<LanguageModelUse> language_models, Orientation orientation,
               std::vector<std::string> given, std::vector<More> more_features, bool labelled)
    : tables_(std::move(tables)),
      language_models_(std::move(language_models)),
      orientation_(orientation),
      labelled_(labelled),
      given_(std::move(given)) {
  if (tables_.empty()) throw data_error("An engine needs at least one phrase table.");
  const unsigned more = n_orientations();
  for (const TableUse& use : tables_) {
    if (use.table->n_scores() < use.n_features + more) {
      throw data_error("A phrase table has " + std::to_string(use.table->n_scores()) + " scores; the engine asks for " +
                       std::to_string(use.n_features + more) + ".");
    }
    if (!use.names.empty() && use.names.size() != use.n_features) {
      throw data_error("A phrase table has " + std::to_string(use.n_features) + " features, got " +
                       std::to_string(use.names.size()) + " names for them.");
    }
    table_at_.push_back(n_features_);
    n_features_ += use.n_features;
  }
  word_penalty_at_ = n_features_;
  n_features_ += 4 + more;
  language_model_at_ = n_features_;
  n_features_ += language_models_.size() + given_.size();
  for (More& each : more_features) {
    FeatureUse use{std::move(each.name), std::move(each.feature), n_features_, 0, state_size_};
    if (std::ranges::any_of(features_, [&](const FeatureUse& other) { return other.name == use.name; })) {
      throw data_error("The feature '" + use.name + "' is asked for twice.");
    }
    n_features_ += use.feature->names().size();
    state_size_ += use.feature->state_size();
    use.family = static_cast<unsigned>(features_.size() + 1);
    is_sparse_ |= use.feature->parts() != SparseParts::none;
    reads_layer_ |= use.feature->reads_layer();
    features_.push_back(std::move(use));
  }
  // The words of the vocabulary are those that language models are told of; without a model all may be.
  if (language_models_.empty()) n_target_words_ = std::numeric_limits<TokenId>::max();
  reads_source_ = !features_.empty();
  for (const auto& use : language_models_) {
    reads_source_ |= use.view != nullptr;
    const auto same = [&](const LanguageModelUse& other) { return other.name == use.name; };
    if (!use.name.empty() && std::ranges::count_if(language_models_, same) > 1) {
      throw data_error("Two language models are called '" + use.name + "'. Each needs a name of its own.");
    }
    n_target_words_ = std::max(n_target_words_, static_cast<TokenId>(use.ids.size()));
  }
}

Extension Engine::extension(const Option& option) const noexcept {
  const Translation& translation = option.translation;
  return {option, option.source, translation.words, translation.links, n_target_words_, option.layer};
}

std::vector<std::string> Engine::names() const {
  std::vector<std::string> names;
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    if (!tables_[t].names.empty()) {
      names.insert(names.end(), tables_[t].names.begin(), tables_[t].names.end());
      continue;
    }
    const std::string table = tables_.size() == 1 ? "table" : "table" + std::to_string(t + 1);
    for (unsigned i = 1; i <= tables_[t].n_features; ++i) names.push_back(table + "." + std::to_string(i));
  }
  for (const char* name : {"word-penalty", "phrase-penalty", "distortion", "unknown"}) names.emplace_back(name);
  constexpr std::array kDirections{"before", "behind", "label-before", "label-behind"};
  for (const char* direction : std::span(kDirections).first(n_orientations() / 3)) {
    for (const char* kind : {"monotone", "swap", "discontinuous"}) {
      names.push_back(std::string(direction) + "." + kind);
    }
  }
  for (std::size_t i = 0; i < language_models_.size(); ++i) {
    const std::string number = language_models_.size() == 1 ? "" : std::to_string(i + 1);
    names.push_back(language_models_[i].name.empty() ? "lm" + number : language_models_[i].name);
  }
  names.insert(names.end(), given_.begin(), given_.end());
  for (const FeatureUse& use : features_) {
    for (const auto& name : use.feature->names()) names.push_back(name);
  }
  return names;
}

}  // namespace dragoman::phrase
