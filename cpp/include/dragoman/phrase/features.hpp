#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "dragoman/phrase/sparse.hpp"

namespace dragoman::phrase {

struct Option;

/// One step of a translation as a feature sees it: an option that is put behind what is said so far.
struct Extension {
  const Option& option;
  std::span<const TokenId> source_words;
  std::span<const TokenId> target_words;
  std::span<const Link> links;
  TokenId n_known;                           // target words with smaller numbers are the vocabulary's
  std::span<const std::int32_t> layer = {};  // what the source words are annotated with; empty: with nothing

  /// A target word as a sparse feature names it: copied words and words given from outside are unknown.
  TokenId target(std::size_t i) const noexcept {
    const TokenId word = target_words[i];
    return word >= 0 && word < n_known ? word : static_cast<TokenId>(kSparseUnknown);
  }
};

/// What features speak to while translations are searched: a weighted sum.
class Weigher {
 public:
  explicit Weigher(const Weights& weights) : weights_(weights) {}

  /// A value of the feature's number `which`.
  void add(std::size_t which, float value) noexcept { sum_ += weights_.dense[at_ + which] * value; }
  /// A value of the sparse feature that two words or numbers name.
  void add(TokenId a, TokenId b, float value) noexcept { sum_ += weights_.of(sparse_key(family_, a, b)) * value; }

  void turn_to(std::size_t at, unsigned family = 0) noexcept { at_ = at, family_ = family; }
  float sum() const noexcept { return sum_; }

 private:
  Weights weights_;
  std::size_t at_ = 0;
  unsigned family_ = 0;
  float sum_ = 0;
};

/// What features speak to when a translation is explained (n-best lists, hypergraphs): every value by itself.
class Recorder {
 public:
  explicit Recorder(std::span<double> dense, std::vector<SparseValue>* sparse = nullptr)
      : dense_(dense), sparse_(sparse) {}

  void add(std::size_t which, float value) noexcept { dense_[at_ + which] += static_cast<double>(value); }
  void add(TokenId a, TokenId b, float value) {
    if (sparse_) sparse_->push_back({sparse_key(family_, a, b), value});
  }

  void turn_to(std::size_t at, unsigned family = 0) noexcept { at_ = at, family_ = family; }

 private:
  std::span<double> dense_;
  std::vector<SparseValue>* sparse_;
  std::size_t at_ = 0;
  unsigned family_ = 0;
};

/// The state of a feature that needs none: what it says depends on the option alone and is asked once for each.
struct NoState {};

/// What stands in the name of a sparse feature.
enum class SparseParts : std::uint8_t { none, source_target, source_source, target_source, target_target, numbers };

template <class F, class Sink>
concept SpeaksTo = requires(const F feature, const typename F::State& before, typename F::State& after,
                            const Extension& step, Sink& sink) {
  { feature.extend(before, step, after, sink) } -> std::same_as<void>;
  { feature.end(before, sink) } -> std::same_as<void>;
};

/// A feature of translations. It declares the names of its dense values and what its sparse ones are named by; `extend`
/// tells the sink what a step adds behind `before` and leaves the state behind the step in `after`; `end` tells what
/// the end of the sentence adds. The sink sums weighted values or records them by name: the feature cannot tell.
///
/// States are compared and hashed as bytes: partial translations with different states are not joined. `State{}` is a
/// past that is not known; what a feature says behind it is its estimate, for pruning alone. A feature sees its state
/// and the option, never the rest of the hypothesis; so one answer serves all that share the state.
template <class F>
concept DecoderFeature =
    std::is_trivially_copyable_v<typename F::State> &&
    (std::is_empty_v<typename F::State> || std::has_unique_object_representations_v<typename F::State>) &&
    requires(const F feature) {
      { feature.names() } -> std::convertible_to<std::vector<std::string>>;
      { F::parts } -> std::convertible_to<SparseParts>;
      { F::begin() } -> std::same_as<typename F::State>;
    } && SpeaksTo<F, Weigher> && SpeaksTo<F, Recorder>;

/// A rule of a grammar as a feature sees it: it joins parts that are derived already.
struct Rule {
  std::span<const TokenId> source_words;
  std::span<const TokenId> target_words;  // graph::gap(k): here stand the words of part k
  std::span<const Link> links;
  TokenId n_known;  // as in Extension

  TokenId target(std::size_t i) const noexcept {
    const TokenId word = target_words[i];
    return word >= 0 && word < n_known ? word : static_cast<TokenId>(kSparseUnknown);
  }
};

template <class F, class Sink>
concept CombinesFor = requires(const F feature, const Rule& rule, std::span<const typename F::Part> parts,
                               typename F::Part& whole, Sink& sink) {
  { feature.combine(rule, parts, whole, sink) } -> std::same_as<void>;
  { feature.finish(std::as_const(whole), sink) } -> std::same_as<void>;
};

/// A feature that grammars can ask, too: the second moment. `Part` is what it must know of words that have neighbours
/// on both sides; `combine` tells the sink what a rule adds to its parts and leaves what is known of the whole in
/// `whole`; `finish` tells what being the whole sentence adds. Whoever puts phrases one behind the other never asks.
template <class F>
concept CombiningFeature =
    DecoderFeature<F> && std::is_trivially_copyable_v<typename F::Part> &&
    (std::is_empty_v<typename F::Part> || std::has_unique_object_representations_v<typename F::Part>) &&
    CombinesFor<F, Weigher> && CombinesFor<F, Recorder>;

/// Whether a feature looks at the annotation of the sentence: then what it says of a phrase in one sentence does not
/// hold in another.
template <class F>
constexpr bool kReadsLayer = requires { requires F::reads_layer; };

/// A feature chosen at run time: the other door to the concept.
class AnyFeature {
 public:
  virtual ~AnyFeature() = default;
  virtual bool reads_layer() const = 0;
  virtual std::vector<std::string> names() const = 0;
  virtual SparseParts parts() const = 0;
  virtual std::size_t state_size() const = 0;  // 0: it has none
  virtual void begin(std::byte* state) const = 0;
  virtual void unknown_past(std::byte* state) const = 0;
  virtual void extend(const std::byte* before, const Extension& step, std::byte* after, Weigher& sink) const = 0;
  virtual void extend(const std::byte* before, const Extension& step, std::byte* after, Recorder& sink) const = 0;
  virtual void end(const std::byte* before, Weigher& sink) const = 0;
  virtual void end(const std::byte* before, Recorder& sink) const = 0;
  /// The second moment; asked only if `combines`. The states of `n_parts` parts stand one behind the other.
  virtual bool combines() const = 0;
  virtual std::size_t part_size() const = 0;
  virtual void combine(const Rule& rule, const std::byte* parts, std::size_t n_parts, std::byte* whole,
                       Weigher& sink) const = 0;
  virtual void combine(const Rule& rule, const std::byte* parts, std::size_t n_parts, std::byte* whole,
                       Recorder& sink) const = 0;
  virtual void finish(const std::byte* whole, Weigher& sink) const = 0;
  virtual void finish(const std::byte* whole, Recorder& sink) const = 0;
};

template <DecoderFeature F>
class ChosenFeature final : public AnyFeature {
 public:
  explicit ChosenFeature(F feature = {}) : feature_(std::move(feature)) {}
  bool reads_layer() const override { return kReadsLayer<F>; }
  std::vector<std::string> names() const override { return feature_.names(); }
  SparseParts parts() const override { return F::parts; }
  std::size_t state_size() const override { return std::is_empty_v<State> ? 0 : sizeof(State); }
  void begin(std::byte* state) const override { write(F::begin(), state); }
  void unknown_past(std::byte* state) const override { write(State{}, state); }
  void extend(const std::byte* before, const Extension& step, std::byte* after, Weigher& sink) const override {
    extend_into(before, step, after, sink);
  }
  void extend(const std::byte* before, const Extension& step, std::byte* after, Recorder& sink) const override {
    extend_into(before, step, after, sink);
  }
  void end(const std::byte* before, Weigher& sink) const override { feature_.end(read(before), sink); }
  void end(const std::byte* before, Recorder& sink) const override { feature_.end(read(before), sink); }
  bool combines() const override { return CombiningFeature<F>; }
  std::size_t part_size() const override {
    if constexpr (CombiningFeature<F>) return std::is_empty_v<typename F::Part> ? 0 : sizeof(typename F::Part);
    return 0;
  }
  void combine(const Rule& rule, const std::byte* parts, std::size_t n_parts, std::byte* whole,
               Weigher& sink) const override {
    combine_into(rule, parts, n_parts, whole, sink);
  }
  void combine(const Rule& rule, const std::byte* parts, std::size_t n_parts, std::byte* whole,
               Recorder& sink) const override {
    combine_into(rule, parts, n_parts, whole, sink);
  }
  void finish(const std::byte* whole, Weigher& sink) const override { finish_into(whole, sink); }
  void finish(const std::byte* whole, Recorder& sink) const override { finish_into(whole, sink); }

 private:
  using State = typename F::State;

  template <class T = State>
  static T read(const std::byte* bytes) {
    T state{};
    if constexpr (!std::is_empty_v<T>) std::memcpy(&state, bytes, sizeof state);
    return state;
  }
  template <class T>
  static void write(const T& state, std::byte* bytes) {
    if constexpr (!std::is_empty_v<T>) std::memcpy(bytes, &state, sizeof state);
  }
  template <class Sink>
  void combine_into(const Rule& rule, const std::byte* parts, std::size_t n_parts, std::byte* whole, Sink& sink) const {
    if constexpr (CombiningFeature<F>) {
      std::vector<typename F::Part> all;
      for (std::size_t k = 0; k < n_parts; ++k) all.push_back(read<typename F::Part>(parts + k * part_size()));
      typename F::Part made{};
      feature_.combine(rule, std::span<const typename F::Part>(all), made, sink);
      write(made, whole);
    }
  }
  template <class Sink>
  void finish_into(const std::byte* whole, Sink& sink) const {
    if constexpr (CombiningFeature<F>) feature_.finish(read<typename F::Part>(whole), sink);
  }
  template <class Sink>
  void extend_into(const std::byte* before, const Extension& step, std::byte* after, Sink& sink) const {
    State then{};
    feature_.extend(read(before), step, then, sink);
    write(then, after);
  }

  F feature_;
};

/// A chosen feature and where it stands.
struct FeatureUse {
  std::string name;
  std::shared_ptr<const AnyFeature> feature;
  std::size_t at = 0;        // of its first weight
  unsigned family = 0;       // of its sparse features; families count from 1
  std::size_t state_at = 0;  // bytes before its state

  bool is_local() const { return feature->state_size() == 0; }
};

/// What a feature is made from besides its name: tables of numbers, such as one for each target word.
using Resources = std::map<std::string, std::vector<std::int32_t>, std::less<>>;

/// The features that an engine can be given by name, and one of them. Throws data_error that lists them, or says which
/// table a feature lacks or does not take.
std::span<const std::string_view> known_features();
std::span<const std::string_view> resources_of(std::string_view name);
SparseParts parts_of(std::string_view name);
std::shared_ptr<const AnyFeature> make_feature(std::string_view name, const Resources& resources = {});

}  // namespace dragoman::phrase
