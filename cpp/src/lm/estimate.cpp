#include "dragoman/lm/estimate.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>

#include "discounts.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"

namespace dragoman::lm {

namespace {

template <unsigned K>
struct Counted {
  Gram<K> gram;
  std::uint32_t low, high;  // the count, in halves: a record has no padding

  std::uint64_t count() const noexcept { return low | static_cast<std::uint64_t>(high) << 32; }
  void set(std::uint64_t count) noexcept {
    low = static_cast<std::uint32_t>(count);
    high = static_cast<std::uint32_t>(count >> 32);
  }
};

template <unsigned K>
struct BySuffix {
  static bool less(const auto& a, const auto& b) noexcept { return suffix_less<K>(a.gram, b.gram); }
  static bool join(Counted<K>& a, const Counted<K>& b) noexcept {
    a.set(a.count() + b.count());
    return true;
  }
  static bool join(const auto&, const auto&) noexcept { return false; }
};

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
  Spool<Weighted<K>> weighted;            // in suffix order
  Spool<Backoff<K>> backoffs;             // of the n-grams of this order as contexts, in suffix order
  std::uint64_t threshold = 0;
  OrderStatistics statistics;

  explicit Level(const Workspace& space) : adjusted(space), weighted(space), backoffs(space) {}
};

template <unsigned N, class Indices = std::make_integer_sequence<unsigned, N>>
struct Levels;

template <unsigned N, unsigned... I>
struct Levels<N, std::integer_sequence<unsigned, I...>> {
  std::tuple<Level<I + 1>...> levels;
  explicit Levels(const Workspace& space) : levels(Level<I + 1>(space)...) {}
};

template <unsigned N>
class SortingEstimator final : public Estimator {
 public:
  explicit SortingEstimator(const EstimateOptions& options)
      : options_(options),
        counts_({options.space.memory / 4, options.space.folder, options.n_threads}),
        levels_(share(options, 4 * N)) {
    each_level([&]<unsigned K>(Level<K>& level) {
      if (!options.prune.empty()) level.threshold = options.prune[std::min<std::size_t>(K, options.prune.size()) - 1];
    });
  }

  void add(std::span<const std::int32_t> ids, std::span<const std::int64_t> offsets) override {
    Counted<N> record{};
    for (std::size_t line = 0; line + 1 < offsets.size(); ++line) {
      for (WordId& word : record.gram.words) word = kBos;
      record.set(1);
      const auto end = offsets[line + 1];
      for (auto at = offsets[line]; at <= end; ++at) {
        WordId next = kEos;
        if (at < end) {
          const auto id = ids[static_cast<std::size_t>(at)];
          if (id < 0 || id == static_cast<std::int32_t>(kBos) || id == static_cast<std::int32_t>(kEos)) refuse();
          next = static_cast<WordId>(id);
          if (limited()) {
            if (next >= word_counts_.size()) word_counts_.resize(next + next / 2 + 1);
            ++word_counts_[next];
          }
          largest_ = std::max(largest_, next);
        }
        for (unsigned i = N - 1; i > 0; --i) record.gram.words[i] = record.gram.words[i - 1];
        record.gram.words[0] = next;
        counts_.push(record);
      }
      ++n_lines_;
    }
  }

  std::vector<char> kept_words(WordId n_words) const override {
    std::vector<char> kept(n_words, 1);
    if (!limited()) return kept;
    std::vector<WordId> order(n_words - 3);
    std::iota(order.begin(), order.end(), 3);
    const auto count = [&](WordId word) { return word < word_counts_.size() ? word_counts_[word] : 0; };
    // Of words met equally often, those that came first.
    std::stable_sort(order.begin(), order.end(), [&](WordId a, WordId b) { return count(a) > count(b); });
    for (std::size_t i = 0; i < order.size(); ++i) {
      const bool many = options_.max_words != 0 && i >= options_.max_words;
      if (many || count(order[i]) < options_.min_count) kept[order[i]] = 0;
    }
    return kept;
  }

  std::vector<OrderStatistics> finish(WordId n_words, NGramSink& sink) override {
    if (n_lines_ == 0) throw data_error("There is no sentence to learn a language model from.");
    if (largest_ >= n_words) throw data_error("A word has a number beyond the vocabulary's " + std::to_string(n_words));
    kept_ = kept_words(n_words);
    new_numbers_.resize(n_words);
    n_kept_ = 0;
    for (WordId word = 0; word < n_words; ++word) new_numbers_[word] = kept_[word] != 0 ? n_kept_++ : kUnk;
    adjust();
    each_level([&]<unsigned K>(Level<K>& level) { set_discounts(level.statistics, options_.fallback); });
    normalise_unigrams(n_words);
    // The largest orders first: threads take the next one when they are done.
    std::atomic<unsigned> next{N};
    for_each_chunk(options_.n_threads, options_.n_threads, [&](const Chunk&) {
      for (unsigned k = next--; k >= 2 && k <= N; k = next--) {
        each_level([&]<unsigned K>(Level<K>&) {
          if constexpr (K >= 2) {
            if (K == k) normalise<K>();
          }
        });
      }
    });
    std::vector<std::uint64_t> n_ngrams;
    each_level([&]<unsigned K>(Level<K>& level) { n_ngrams.push_back(level.weighted.size()); });
    sink.begin(n_ngrams);
    interpolate<1>(std::move(level<1>().weighted), sink);
    std::vector<OrderStatistics> statistics;
    each_level([&]<unsigned K>(Level<K>& level) { statistics.push_back(level.statistics); });
    return statistics;
  }

 private:
  bool limited() const noexcept { return options_.max_words != 0 || options_.min_count > 1; }

  /// The collections of all orders live side by side and share the memory.
  static Workspace share(const EstimateOptions& options, std::size_t parts) {
    return {options.space.memory / parts, options.space.folder, 1};
  }

  template <unsigned K>
  Level<K>& level() {
    return std::get<K - 1>(levels_.levels);
  }

  template <class Use>
  void each_level(const Use& use) {
    [&]<unsigned... I>(std::integer_sequence<unsigned, I...>) {
      (use.template operator()<I + 1>(level<I + 1>()), ...);
    }(std::make_integer_sequence<unsigned, N>());
  }

  [[noreturn]] void refuse() const {
    throw data_error("Sentence " + std::to_string(n_lines_ + 1) +
                     " holds <s> or </s> as a word; these mark its ends. Remove or escape them.");
  }

  /// From counts of the highest order, in suffix order, to adjusted counts of every order: the highest and what begins
  /// with <s> keep their count, the others get the number of different words seen before them.
  void adjust() {
    Counted<N> last{};
    std::array<std::uint64_t, N + 1> adjusted{}, seen{};
    unsigned open = 0;  // orders 1..open of `last` have begun and not ended
    const auto close = [&](unsigned down_to) {
      each_level([&]<unsigned K>(Level<K>& level) {
        if (K <= down_to || K > open) return;
        Counted<K> record;
        for (unsigned i = 0; i < K; ++i) record.gram.words[i] = last.gram.words[i];
        bool pruned = seen[K] <= level.threshold;
        for (const WordId word : record.gram.words) pruned |= kept_[word] == 0;
        OrderStatistics& statistics = level.statistics;
        ++statistics.n_seen;
        statistics.n_kept += pruned ? 0 : 1;
        if (adjusted[K] <= 4) ++statistics.counts_of_counts[adjusted[K]];
        record.set(adjusted[K] | (pruned ? kPruned : 0));
        level.adjusted.push(record);
      });
      open = std::min(open, down_to);
    };
    counts_.drain([&](const Counted<N>& record) {
      // A sentence's beginning is filled up with <s>: only the last of these belongs to n-grams.
      unsigned valid = 1;
      while (valid < N && record.gram.words[valid - 1] != kBos) ++valid;
      unsigned same = 0;
      while (same < open && record.gram.words[same] == last.gram.words[same]) ++same;
      same = std::min(same, valid);
      close(same);
      for (unsigned k = same + 1; k <= valid; ++k) {
        adjusted[k] = 0;
        seen[k] = 0;
        if (k > 1) ++adjusted[k - 1];
      }
      adjusted[valid] = record.count();
      for (unsigned k = 1; k <= valid; ++k) seen[k] += record.count();
      open = valid;
      last = record;
    });
    close(0);
  }

  void normalise_unigrams(WordId n_words) {
    Level<1>& unigrams = level<1>();
    std::vector<std::uint64_t> counts(n_words, 0);
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
    for (WordId word = 0; word < n_words; ++word) {
      if (kept_[word] == 0) continue;
      const auto count = static_cast<double>(counts[word]);
      const double p = (count - discount(unigrams.statistics, counts[word])) / static_cast<double>(total);
      unigrams.weighted.push({{{word}}, static_cast<float>(word == kBos ? 1.0 : p + gamma * uniform), 0.0F});
    }
    unigrams.statistics.n_kept = n_kept_;
  }

  /// Discounted probabilities of order K in context order, and what each context leaves to the next lower order.
  template <unsigned K>
  void normalise() {
    Level<K>& mine = level<K>();
    Sorter<Weighted<K>, BySuffix<K>> sorted(share(options_, 4 * N));
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
        level<K - 1>().backoffs.push({context_of<K>(group.front().gram), gamma});
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

  /// Hand over order K, whose probabilities are whole, and make those of K + 1 whole on the way.
  template <unsigned K>
  void interpolate(Spool<Weighted<K>>&& whole, NGramSink& sink) {
    auto backoff = level<K>().backoffs.read();
    bool more_backoffs = backoff.next();
    auto lower = whole.read();
    const auto hand_over = [&](const Weighted<K>& record, bool extends_left) {
      while (more_backoffs && suffix_less<K>(backoff->gram, record.gram)) more_backoffs = backoff.next();
      const bool extends_right = more_backoffs && backoff->gram == record.gram;
      const float log_backoff = extends_right ? std::log10(backoff->weight) : 0.0F;
      Gram<K> renumbered;  // in the order of the old numbers, so that suffix order stays
      for (unsigned i = 0; i < K; ++i) renumbered.words[i] = new_numbers_[record.gram.words[i]];
      sink.ngram(renumbered.words, std::log10(record.p), log_backoff, extends_left, extends_right);
    };
    if constexpr (K == N) {
      while (lower.next()) hand_over(*lower, false);
    } else {
      Spool<Weighted<K + 1>> longer(share(options_, 4 * N));
      auto higher = level<K + 1>().weighted.read();
      bool more = higher.next();
      while (lower.next()) {
        bool extends_left = false;
        for (; more && shorter_suffix<K + 1>(higher->gram) == lower->gram; more = higher.next()) {
          longer.push({higher->gram, higher->p + higher->weight * lower->p, higher->weight});
          extends_left = true;
        }
        hand_over(*lower, extends_left);
      }
      level<K + 1>().weighted = Spool<Weighted<K + 1>>();
      interpolate<K + 1>(std::move(longer), sink);
    }
  }

  EstimateOptions options_;
  Sorter<Counted<N>, BySuffix<N>> counts_;
  Levels<N> levels_;
  std::vector<std::uint64_t> word_counts_;  // if there are limits
  std::vector<char> kept_;                  // by word
  std::vector<WordId> new_numbers_;         // of the words that stay
  WordId n_kept_ = 0;
  WordId largest_ = 0;
  std::size_t n_lines_ = 0;
};

}  // namespace

std::unique_ptr<Estimator> Estimator::make(const EstimateOptions& options) {
  if (!std::is_sorted(options.prune.begin(), options.prune.end())) {
    throw data_error("Thresholds of pruning must not fall from one order to the next.");
  }
  switch (options.order) {
    case 1: return std::make_unique<SortingEstimator<1>>(options);
    case 2: return std::make_unique<SortingEstimator<2>>(options);
    case 3: return std::make_unique<SortingEstimator<3>>(options);
    case 4: return std::make_unique<SortingEstimator<4>>(options);
    case 5: return std::make_unique<SortingEstimator<5>>(options);
    case 6: return std::make_unique<SortingEstimator<6>>(options);
    case 7: return std::make_unique<SortingEstimator<7>>(options);
    case 8: return std::make_unique<SortingEstimator<8>>(options);
    case 9: return std::make_unique<SortingEstimator<9>>(options);
    default: throw data_error("The order of a language model is 1 to 9, got " + std::to_string(options.order) + ".");
  }
}

}  // namespace dragoman::lm
