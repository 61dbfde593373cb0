#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dragoman/lm/model.hpp"
#include "dragoman/phrase/features.hpp"
#include "dragoman/phrase/table.hpp"
#include "dragoman/phrase/token_view.hpp"

namespace dragoman::phrase {

/// Which earlier block a phrase is oriented to: none (no orientation model), the phrase before it (Tillmann 2004;
/// Moses' msd), or the largest block that ends there, seen in the covered words (Cherry et al., WMT 2012, "approx").
enum class Orientation : std::uint8_t { none, word, hierarchical };

/// The place of monotone, swap and discontinuous among three scores.
enum : unsigned { kMonotone = 0, kSwap = 1, kDiscontinuous = 2 };

/// A phrase table as a decoder uses it: its first `n_features` scores are features; with an orientation model six more
/// follow, of monotone, swap and discontinuous first towards the phrase before, then towards the one behind.
struct TableUse {
  std::shared_ptr<const PhraseTable> table;
  unsigned n_features = 4;
  std::vector<std::string> names = {};  // of its features; empty: table.1, table.2, …
};

/// A language model and what it reads of an option: its number for each word of the target vocabulary (of the word, of
/// its class, of its tag), or whatever its view says.
struct LanguageModelUse {
  std::shared_ptr<const lm::Model> model;
  std::vector<lm::WordId> ids;
  std::string name = {};  // of its feature; empty: lm, or lm1, lm2, …
  std::shared_ptr<const TokenView> view = nullptr;

  lm::WordId id(TokenId word) const noexcept {
    return word >= 0 && static_cast<std::size_t>(word) < ids.size() ? ids[static_cast<std::size_t>(word)] : lm::kUnk;
  }
  /// Append the model's numbers of an option's tokens.
  void read(const Extension& step, std::vector<lm::WordId>& into) const {
    if (view) return view->read(step, into);
    for (const TokenId word : step.target_words) into.push_back(id(word));
  }
};

/// A logarithm as decoders count it: what has no probability is very unlikely instead, as sums and differences of
/// infinities mean nothing.
constexpr float floored(float log_p) { return log_p > -100.0F ? log_p : -100.0F; }

/// Everything that does not change while an engine translates. Weighted scores are natural logarithms.
class Engine {
 public:
  /// A feature by name (see make_feature).
  struct More {
    std::string name;
    std::shared_ptr<const AnyFeature> feature;
  };

  /// `given`: names of features that translations given from outside (constraints, lattices) bring with them. `more`:
  /// features beyond those that every engine has. `labelled`: behind the orientations of pairs, tables have six more,
  /// of what target phrases are called.
  Engine(std::vector<TableUse> tables, std::vector<LanguageModelUse> language_models, Orientation orientation,
         std::vector<std::string> given = {}, std::vector<More> more = {}, bool labelled = false);

  const std::vector<TableUse>& tables() const noexcept { return tables_; }
  const std::vector<LanguageModelUse>& language_models() const noexcept { return language_models_; }
  Orientation orientation() const noexcept { return orientation_; }

  // Where the features stand in a vector of weights. All are to be made large: penalties are negative counts.
  std::size_t n_features() const noexcept { return n_features_; }
  std::size_t table_at(std::size_t table) const noexcept { return table_at_[table]; }
  std::size_t word_penalty_at() const noexcept { return word_penalty_at_; }
  std::size_t phrase_penalty_at() const noexcept { return word_penalty_at_ + 1; }
  std::size_t distortion_at() const noexcept { return word_penalty_at_ + 2; }
  std::size_t unknown_at() const noexcept { return word_penalty_at_ + 3; }
  std::size_t orientation_at() const noexcept { return word_penalty_at_ + 4; }
  unsigned n_orientations() const noexcept { return orientation_ == Orientation::none ? 0 : labelled_ ? 12 : 6; }
  std::size_t language_model_at(std::size_t model) const noexcept { return language_model_at_ + model; }
  std::size_t given_at() const noexcept { return language_model_at_ + language_models_.size(); }
  std::size_t n_given() const noexcept { return given_.size(); }
  std::span<const FeatureUse> features() const noexcept { return features_; }
  bool is_sparse() const noexcept { return is_sparse_; }
  /// Whether something asks which source words an option translates.
  bool reads_source() const noexcept { return reads_source_; }
  /// Whether something asks what the source words of a sentence are annotated with.
  bool reads_layer() const noexcept { return reads_layer_; }
  /// Bytes of the states of all features together.
  std::size_t state_size() const noexcept { return state_size_; }
  std::vector<std::string> names() const;
  Extension extension(const Option& option) const noexcept;

 private:
  std::vector<TableUse> tables_;
  std::vector<LanguageModelUse> language_models_;
  Orientation orientation_;
  bool labelled_;
  std::vector<std::string> given_;
  std::vector<FeatureUse> features_;
  std::vector<std::size_t> table_at_;
  std::size_t word_penalty_at_ = 0;
  std::size_t language_model_at_ = 0;
  std::size_t n_features_ = 0;
  std::size_t state_size_ = 0;
  TokenId n_target_words_ = 0;
  bool is_sparse_ = false, reads_source_ = false, reads_layer_ = false;
};

/// A word that is copied from the source instead of translated: its place there, as a target word.
constexpr TokenId copied(std::size_t source_position) { return -2 - static_cast<TokenId>(source_position); }
constexpr std::size_t copied_from(TokenId word) { return static_cast<std::size_t>(-2 - word); }
constexpr bool is_copied(TokenId word) { return word <= -2; }

}  // namespace dragoman::phrase
