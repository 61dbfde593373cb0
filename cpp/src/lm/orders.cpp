#include "orders.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <tuple>
#include <utility>

#include "discounts.hpp"
#include "dragoman/core/parallel.hpp"
#include "dragoman/core/sorter.hpp"

namespace dragoman::lm {

namespace {

constexpr std::uint64_t kPruned = std::uint64_t{1} << 63;  // a bit of the adjusted count: counted, but left out

template <unsigned K>
struct ByContext {
  static bool less(const auto& a, const auto& b) noexcept { return context_less<K>(a.gram, b.gram); }
  static bool join(const auto&, const auto&) noexcept { return false; }
};

template <unsigned K>
struct Weighted {
  Gram<K> gram;
  float p;       // of the discounted count alone; after interpolation the whole probability
  float weight;  // of the next lower order in this context
};

template <unsigned K>
struct Backoff {
  Gram<K> gram;
  float weight;
};

/// What one order needs on its way.
template <unsigned K>
struct Level {
  Sorter<Counted<K>, ByContext<K>> adjusted;
  Spool<Weighted<K>> weighted;  // in suffix order
  Spool<Backoff<K>> backoffs;   // of the n-grams of this order as contexts, in suffix order
  std::uint64_t threshold = 0;
  OrderStatistics statistics;

  explicit Level(const Workspace& space) : adjusted(space), weighted(space), backoffs(space) {}
};

/// The collections of all orders live side by side and share the memory.
Workspace share(const EstimateOptions& options, std::size_t parts) {
  return {options.space.memory / parts, options.space.folder, 1};
}

/// Discounted probabilities of order K in context order, and what each context leaves to the next lower order.
template <unsigned K>
void normalise(Level<K>& mine, Level<K - 1>& lower, const Workspace& space) {
  Sorter<Weighted<K>, BySuffix<K>> sorted(space);
  std::vector<Counted<K>> group;
  const auto close = [&] {
    if (group.empty()) return;
    std::uint64_t total = 0;
    double held_back = 0;
    bool kept = false;
    for (const auto& record : group) {
      const auto count = record.count() & ~kPruned;
      const bool pruned = (record.count() & kPruned) != 0;
      total += count;
      held_back += pruned ? static_cast<double>(count) : discount(mine.statistics, count);
      kept |= !pruned;
    }
    if (kept) {
      const double denominator = static_cast<double>(total);
      const auto gamma = static_cast<float>(held_back / denominator);
      lower.backoffs.push({context_of<K>(group.front().gram), gamma});
      for (const auto& record : group) {
        if (record.count() & kPruned) continue;
        const double left = static_cast<double>(record.count()) - discount(mine.statistics, record.count());
        sorted.push({record.gram, static_cast<float>(left / denominator), gamma});
      }
    }
    group.clear();
  };
  mine.adjusted.drain([&](const Counted<K>& record) {
    if (!group.empty() && context_of<K>(group.front().gram) != context_of<K>(record.gram)) close();
    group.push_back(record);
  });
  close();
  sorted.drain([&](const Weighted<K>& record) { mine.weighted.push(record); });
}

/// Hands over n-grams of order K, whose probabilities are whole, in suffix order.
template <unsigned K>
class HandOver {
 public:
  HandOver(const Level<K>& level, const std::vector<WordId>& new_numbers, NGramSink& sink)
      : backoff_(level.backoffs.read()), more_(backoff_.next()), new_numbers_(new_numbers), sink_(sink) {}

  void operator()(const Weighted<K>& record, bool extends_left) {
    while (more_ && suffix_less<K>(backoff_->gram, record.gram)) more_ = backoff_.next();
    const bool extends_right = more_ && backoff_->gram == record.gram;
    const float log_backoff = extends_right ? std::log10(backoff_->weight) : 0.0F;
    Gram<K> renumbered;  // in the order of the old numbers, so that suffix order stays
    for (unsigned i = 0; i < K; ++i) renumbered.words[i] = new_numbers_[record.gram.words[i]];
    sink_.ngram(renumbered.words, std::log10(record.p), log_backoff, extends_left, extends_right);
  }

 private:
  typename Spool<Backoff<K>>::Reader backoff_;
  bool more_;
  const std::vector<WordId>& new_numbers_;
  NGramSink& sink_;
};

/// Hand over order K, and make the probabilities of K + 1, which are returned, whole on the way.
template <unsigned K>
Spool<Weighted<K + 1>> interpolate(const Spool<Weighted<K>>& whole, Level<K + 1>& next, HandOver<K> hand_over,
                                   const Workspace& space) {
  Spool<Weighted<K + 1>> longer(space);
  auto higher = next.weighted.read();
  bool more = higher.next();
  for (auto lower = whole.read(); lower.next();) {
    bool extends_left = false;
    for (; more && shorter_suffix<K + 1>(higher->gram) == lower->gram; more = higher.next()) {
      longer.push({higher->gram, higher->p + higher->weight * lower->p, higher->weight});
      extends_left = true;
    }
    hand_over(*lower, extends_left);
  }
  next.weighted = Spool<Weighted<K + 1>>();
  return longer;
}

}  // namespace

class Orders::Levels {
 public:
  explicit Levels(const EstimateOptions& options)
      : options_(options), space_(share(options, 4 * options.order)), levels_(make_levels(Indices())) {
    each([&]<unsigned K>(Level<K>& level) {
      if (!options.prune.empty()) level.threshold = options.prune[std::min<std::size_t>(K, options.prune.size()) - 1];
    });
  }

  void keep(std::vector<char>&& kept) {
    kept_ = std::move(kept);
    new_numbers_.resize(kept_.size());
    n_kept_ = 0;
    for (WordId word = 0; word < kept_.size(); ++word) new_numbers_[word] = kept_[word] != 0 ? n_kept_++ : kUnk;
  }

  void take(const WordId* words, unsigned from, unsigned to, const std::uint64_t* adjusted, const std::uint64_t* seen) {
    each([&]<unsigned K>(Level<K>& level) {
      if (K <= from || K > to) return;
      Counted<K> record;
      for (unsigned i = 0; i < K; ++i) record.gram.words[i] = words[i];
      bool pruned = seen[K] <= level.threshold;
      for (const WordId word : record.gram.words) pruned |= kept_[word] == 0;
      OrderStatistics& statistics = level.statistics;
      ++statistics.n_seen;
      statistics.n_kept += pruned ? 0 : 1;
      if (adjusted[K] <= 4) ++statistics.counts_of_counts[adjusted[K]];
      record.set(adjusted[K] | (pruned ? kPruned : 0));
      level.adjusted.push(record);
    });
  }

  std::vector<OrderStatistics> finish(NGramSink& sink) {
    each([&]<unsigned K>(Level<K>& level) { set_discounts(level.statistics, options_.fallback); });
    normalise_unigrams();
    // The largest orders first: threads take the next one when they are done.
    std::atomic<unsigned> next{options_.order};
    for_each_chunk(options_.n_threads, options_.n_threads, [&](const Chunk&) {
      for (unsigned k = next--; k >= 2 && k <= options_.order; k = next--) {
        each([&]<unsigned K>(Level<K>& mine) {
          if constexpr (K >= 2) {
            if (K == k) normalise<K>(mine, level<K - 1>(), space_);
          }
        });
      }
    });
    std::vector<std::uint64_t> n_ngrams;
    each([&]<unsigned K>(Level<K>& level) { n_ngrams.push_back(level.weighted.size()); });
    sink.begin(n_ngrams);
    hand_over_from<1>(std::move(level<1>().weighted), sink);
    std::vector<OrderStatistics> statistics;
    each([&]<unsigned K>(Level<K>& level) { statistics.push_back(level.statistics); });
    return statistics;
  }

 private:
  using Indices = std::make_integer_sequence<unsigned, kMaxOrder>;
  template <unsigned... I>
  std::tuple<Level<I + 1>...> make_levels(std::integer_sequence<unsigned, I...>) const {
    return {Level<I + 1>(space_)...};
  }

  template <unsigned K>
  Level<K>& level() {
    return std::get<K - 1>(levels_);
  }

  template <class Use>
  void each(const Use& use) {
    const auto visit = [&]<unsigned K>() {
      if (K <= options_.order) use.template operator()<K>(level<K>());
    };
    [&]<unsigned... I>(std::integer_sequence<unsigned, I...>) { (visit.template operator()<I + 1>(), ...); }(Indices());
  }

  void normalise_unigrams() {
    Level<1>& unigrams = level<1>();
    std::vector<std::uint64_t> counts(kept_.size(), 0);
    std::uint64_t total = 0;
    double held_back = 0;
    unigrams.adjusted.drain([&](const Counted<1>& record) {
      const auto count = record.count() & ~kPruned;
      counts[record.gram.words[0]] = count;
      total += count;
      const bool kept = kept_[record.gram.words[0]] != 0;
      held_back += kept ? discount(unigrams.statistics, count) : static_cast<double>(count);
    });
    const double gamma = held_back / static_cast<double>(total);
    const double uniform = 1.0 / (n_kept_ - 1);  // <s> is never predicted
    for (WordId word = 0; word < kept_.size(); ++word) {
      if (kept_[word] == 0) continue;
      const auto count = static_cast<double>(counts[word]);
      const double p = (count - discount(unigrams.statistics, counts[word])) / static_cast<double>(total);
      unigrams.weighted.push({{{word}}, static_cast<float>(word == kBos ? 1.0 : p + gamma * uniform), 0.0F});
    }
    unigrams.statistics.n_kept = n_kept_;
  }

  /// Hand over the orders from K on; the probabilities of K are whole.
  template <unsigned K>
  void hand_over_from(Spool<Weighted<K>>&& whole, NGramSink& sink) {
    HandOver<K> hand_over(level<K>(), new_numbers_, sink);
    if constexpr (K < kMaxOrder) {
      if (K < options_.order) {
        hand_over_from<K + 1>(interpolate<K>(whole, level<K + 1>(), std::move(hand_over), space_), sink);
        return;
      }
    }
    for (auto lower = whole.read(); lower.next();) hand_over(*lower, false);
  }

  const EstimateOptions& options_;
  Workspace space_;
  std::tuple<Level<1>, Level<2>, Level<3>, Level<4>, Level<5>, Level<6>, Level<7>, Level<8>, Level<9>> levels_;
  std::vector<char> kept_;           // by word
  std::vector<WordId> new_numbers_;  // of the words that stay
  WordId n_kept_ = 0;
};

Orders::Orders(const EstimateOptions& options) : levels_(std::make_unique<Levels>(options)) {}
Orders::~Orders() = default;

void Orders::keep(std::vector<char>&& kept) { levels_->keep(std::move(kept)); }

void Orders::take(const WordId* words, unsigned from, unsigned to, const std::uint64_t* adjusted,
                  const std::uint64_t* seen) {
  levels_->take(words, from, to, adjusted, seen);
}

std::vector<OrderStatistics> Orders::finish(NGramSink& sink) { return levels_->finish(sink); }

}  // namespace dragoman::lm
