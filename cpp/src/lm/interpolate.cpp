#include "dragoman/lm/interpolate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

#include "dragoman/core/errors.hpp"

namespace dragoman::lm {

namespace {

/// The n-grams of one order that some model holds, in suffix order, and what is found out about each.
struct Grams {
  unsigned order = 0;
  std::vector<WordId> words;           // `order` for each, last word first
  std::vector<std::uint64_t> parents;  // the n-gram without its first word, in the order below
  std::vector<double> p;               // not normalised
  std::vector<double> normaliser;      // of the context before its last word
  std::vector<double> z;               // the normaliser of this as a context
  std::vector<double> log_backoff;
  std::vector<char> extends_left, extends_right;

  std::size_t size() const noexcept { return words.size() / order; }
  const WordId* gram(std::uint64_t i) const noexcept { return words.data() + i * order; }
};

/// Takes the n-grams of one model into the joint ones.
class Collector final : public NGramSink {
 public:
  Collector(std::span<Grams> grams, std::span<const WordId> joint) : grams_(grams), joint_(joint) {}
  void begin(std::span<const std::uint64_t>) override {}
  void ngram(std::span<const WordId> words, float, float, bool, bool) override {
    if (words.size() == 1) return;
    // <s> can only begin; other tools may have written more.
    if (std::find(words.begin(), words.end() - 1, kBos) != words.end() - 1) return;
    for (const WordId word : words) grams_[words.size()].words.push_back(joint_[word]);
  }

 private:
  std::span<Grams> grams_;
  std::span<const WordId> joint_;
};

void sort_unique(Grams& grams) {
  const unsigned k = grams.order;
  std::vector<std::uint64_t> places(grams.size());
  std::iota(places.begin(), places.end(), 0);
  std::sort(places.begin(), places.end(), [&](std::uint64_t a, std::uint64_t b) {
    return std::lexicographical_compare(grams.gram(a), grams.gram(a) + k, grams.gram(b), grams.gram(b) + k);
  });
  std::vector<WordId> sorted;
  sorted.reserve(grams.words.size());
  for (const std::uint64_t place : places) {
    const WordId* const gram = grams.gram(place);
    if (sorted.empty() || !std::equal(gram, gram + k, sorted.end() - k)) sorted.insert(sorted.end(), gram, gram + k);
  }
  grams.words = std::move(sorted);
}

/// Both lists are in suffix order, so parents come in order, too.
void link(Grams& lower, Grams& higher) {
  std::uint64_t parent = 0;
  higher.parents.resize(higher.size());
  for (std::uint64_t i = 0; i < higher.size(); ++i) {
    while (parent < lower.size() && !std::equal(lower.gram(parent), lower.gram(parent) + lower.order, higher.gram(i))) {
      ++parent;
    }
    if (parent == lower.size()) throw std::logic_error("a model holds an n-gram without its ending");
    higher.parents[i] = parent;
    lower.extends_left[parent] = 1;
  }
}

class Interpolation {
 public:
  Interpolation(std::span<const Model* const> models, std::span<const double> weights, Combination combination,
                const text::WordTable& words)
      : models_(models), weights_(weights), linear_(combination == Combination::kLinear) {
    for (const Model* const model : models) order_ = std::max(order_, model->order());
    const auto n_words = static_cast<WordId>(words.size());
    grams_.resize(order_ + 1);
    for (unsigned k = 1; k <= order_; ++k) grams_[k].order = k;
    for (const Model* const model : models) {
      std::vector<WordId> from(n_words), joint;
      for (WordId word = 0; word < n_words; ++word)
        from[word] = model->find(words.word(static_cast<text::TokenId>(word)));
      for (std::size_t i = 0; i < model->words().size(); ++i) {
        joint.push_back(static_cast<WordId>(words.find(model->words().word(static_cast<text::TokenId>(i)))));
      }
      log_share_.push_back(linear_ ? std::log10(static_cast<double>(n_words - model->words().size() + 1)) : 0.0);
      from_.push_back(std::move(from));
      Collector collector(grams_, joint);
      model->enumerate(collector);
    }
    grams_[1].words.resize(n_words);
    std::iota(grams_[1].words.begin(), grams_[1].words.end(), 0);
    for (unsigned k = 1; k <= order_; ++k) {
      Grams& grams = grams_[k];
      if (k > 1) sort_unique(grams);
      grams.p.resize(grams.size());
      grams.normaliser.assign(grams.size(), 1.0);
      grams.z.assign(grams.size(), 1.0);
      grams.log_backoff.resize(grams.size());
      grams.extends_left.resize(grams.size());
      grams.extends_right.resize(grams.size());
      if (k > 1) link(grams_[k - 1], grams);
    }
  }

  void run(NGramSink& sink) {
    unigrams();
    for (unsigned k = 2; k <= order_; ++k) extend(k);
    std::vector<std::uint64_t> n_ngrams;
    for (unsigned k = 1; k <= order_; ++k) n_ngrams.push_back(grams_[k].size());
    sink.begin(n_ngrams);
    for (unsigned k = 1; k <= order_; ++k) {
      const Grams& grams = grams_[k];
      for (std::uint64_t i = 0; i < grams.size(); ++i) {
        const auto log_p = static_cast<float>(std::min(0.0, std::log10(grams.p[i] / grams.normaliser[i])));
        sink.ngram({grams.gram(i), k}, log_p, static_cast<float>(grams.log_backoff[i]), grams.extends_left[i] != 0,
                   grams.extends_right[i] != 0);
      }
    }
  }

 private:
  /// The combined probability of a word after the context whose states are given; in a log-linear combination not yet
  /// normalised.
  double combined(std::span<const State> states, WordId word) const {
    double p = 0, log_p = 0;
    State after;
    for (std::size_t m = 0; m < models_.size(); ++m) {
      const WordId own = from_[m][word];
      double log_own = models_[m]->score(states[m], own, after).log_p;
      if (own == kUnk) log_own -= log_share_[m];
      p += weights_[m] * std::pow(10.0, log_own);
      log_p += weights_[m] * log_own;
    }
    return linear_ ? p : std::pow(10.0, log_p);
  }

  void unigrams() {
    const std::vector<State> states(models_.size(), Model::empty());
    Grams& grams = grams_[1];
    for (WordId word = 0; word < grams.size(); ++word) {
      grams.p[word] = word == kBos ? 1.0 : combined(states, word);
      if (word != kBos) z_ += grams.p[word];
    }
    for (WordId word = 0; word < grams.size(); ++word) {
      if (word != kBos) grams.normaliser[word] = z_;
    }
  }

  void extend(unsigned k) {
    Grams& grams = grams_[k];
    Grams& contexts = grams_[k - 1];
    std::vector<std::uint64_t> places(grams.size());
    std::iota(places.begin(), places.end(), 0);
    std::sort(places.begin(), places.end(), [&](std::uint64_t a, std::uint64_t b) {
      const WordId *x = grams.gram(a), *y = grams.gram(b);
      const bool less = std::lexicographical_compare(x + 1, x + k, y + 1, y + k);
      return less || (std::equal(x + 1, x + k, y + 1) && x[0] < y[0]);
    });
    std::uint64_t context = 0;
    for (std::size_t begin = 0, end; begin < places.size(); begin = end) {
      const WordId* const history = grams.gram(places[begin]) + 1;
      for (end = begin; end < places.size() && std::equal(history, history + k - 1, grams.gram(places[end]) + 1);)
        ++end;
      while (context < contexts.size() && !std::equal(history, history + k - 1, contexts.gram(context))) ++context;
      if (context == contexts.size()) throw std::logic_error("a model holds an n-gram without its context");
      close(grams, contexts, context, std::span(places).subspan(begin, end - begin));
    }
  }

  /// All that follows one context: probabilities, then the weight of backing off from it.
  void close(Grams& grams, Grams& contexts, std::uint64_t context, std::span<const std::uint64_t> places) {
    const unsigned k = grams.order;
    std::vector<State> states(models_.size()), next(models_.size());
    double log_b = 0;  // of the combination, not normalised
    for (std::size_t m = 0; m < models_.size(); ++m) {
      for (unsigned i = k - 1; i > 0; --i) {
        models_[m]->score(states[m], from_[m][contexts.gram(context)[i - 1]], next[m]);
        std::swap(states[m], next[m]);
      }
      if (states[m].length == k - 1) log_b += weights_[m] * static_cast<double>(states[m].backoffs[k - 2]);
    }
    const double z_shorter = k == 2 ? z_ : grams_[k - 2].z[contexts.parents[context]];
    const double b = std::pow(10.0, log_b);
    double here = 0, shorter = 0;
    for (const std::uint64_t place : places) {
      grams.p[place] = combined(states, grams.gram(place)[0]);
      here += grams.p[place];
      shorter += grams_[k - 1].p[grams.parents[place]];
    }
    contexts.extends_right[context] = 1;
    if (linear_) {
      // Unigrams add up to one but for rounding, or for what a file says; longer contexts by their back-off weights.
      const double left = 1 - here, left_shorter = 1 - shorter / (k == 2 ? z_ : 1.0);
      const double gain = left_shorter > kNoMass ? left / left_shorter : 1.0;
      contexts.log_backoff[context] = left > kNoMass ? std::log10(gain) : kNothing;
      return;
    }
    const double z = b * (z_shorter - shorter) + here;
    contexts.z[context] = z;
    contexts.log_backoff[context] = log_b + std::log10(z_shorter / z);
    for (const std::uint64_t place : places) grams.normaliser[place] = z;
  }

  static constexpr double kNoMass = 1e-9;
  static constexpr double kNothing = -9.0;  // log10: the context leaves nothing to others

  std::span<const Model* const> models_;
  std::span<const double> weights_;
  bool linear_;
  unsigned order_ = 0;
  double z_ = 0;                           // of the empty context
  std::vector<Grams> grams_;               // by order
  std::vector<std::vector<WordId>> from_;  // joint word → the model's
  std::vector<double> log_share_;          // unknown words of each model among which it divides p(<unk>), log10
};

}  // namespace

text::WordTable joint_words(std::span<const Model* const> models) {
  text::WordTable words;
  for (const Model* const model : models) {
    for (std::size_t i = 0; i < model->words().size(); ++i)
      words.add(model->words().word(static_cast<text::TokenId>(i)));
  }
  return words;
}

void interpolate(std::span<const Model* const> models, std::span<const double> weights, Combination combination,
                 const text::WordTable& words, NGramSink& sink) {
  if (models.empty() || models.size() != weights.size()) {
    throw data_error("Interpolation needs one weight for each model, got " + std::to_string(weights.size()) + " for " +
                     std::to_string(models.size()) + ".");
  }
  Interpolation(models, weights, combination, words).run(sink);
}

}  // namespace dragoman::lm
