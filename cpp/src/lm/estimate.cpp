#include "dragoman/lm/estimate.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <utility>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/runs.hpp"
#include "dragoman/core/sorter.hpp"
#include "orders.hpp"

namespace dragoman::lm {

namespace {

/// Counts n-grams of order N by sorting them.
template <unsigned N>
class SortingEstimator final : public Estimator {
 public:
  explicit SortingEstimator(const EstimateOptions& options)
      : options_(options),
        counts_({options.space.memory / 4, options.space.folder, options.n_threads}),
        orders_(options_) {}

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

  Bytes sorted_run() override {
    Bytes run;
    counts_.drain(
        [&](const Counted<N>& record) { run.append({reinterpret_cast<const char*>(&record), sizeof record}); });
    n_lines_ = 0;
    return run;
  }

  void take_runs(std::vector<std::string_view> runs) override {
    for (const auto bytes : runs) {
      if (bytes.size() % sizeof(Counted<N>) != 0)
        throw data_error("A run of n-gram counts is cut off or of another order.");
      const std::span<const Counted<N>> run(reinterpret_cast<const Counted<N>*>(bytes.data()),
                                            bytes.size() / sizeof(Counted<N>));
      for (const auto& record : run) {
        const WordId word = record.gram.words[0];
        if (word == kEos) {
          n_lines_ += record.count();
          continue;
        }
        if (limited()) {
          if (word >= word_counts_.size()) word_counts_.resize(word + word / 2 + 1);
          word_counts_[word] += record.count();
        }
        largest_ = std::max(largest_, word);
      }
      runs_.push_back({run.data(), run.data() + run.size()});
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
    orders_.keep(kept_words(n_words));
    adjust();
    return orders_.finish(sink);
  }

 private:
  bool limited() const noexcept { return options_.max_words != 0 || options_.min_count > 1; }

  [[noreturn]] void refuse() const {
    throw data_error("Sentence " + std::to_string(n_lines_ + 1) +
                     " holds <s> or </s> as a word; these mark its ends. Remove or escape them.");
  }

  /// A place in a run of counts.
  struct Cursor {
    const Counted<N>* at;
    const Counted<N>* end;
    explicit operator bool() const noexcept { return at != end; }
    Cursor& operator++() noexcept { return ++at, *this; }
  };

  /// The counts in suffix order, each n-gram once.
  template <class Use>
  void drain(const Use& use) {
    if (runs_.empty()) return counts_.drain(use);
    Counted<N> held{};
    const auto less = [](const Cursor& a, const Cursor& b) { return BySuffix<N>::less(*a.at, *b.at); };
    merge_runs(std::move(runs_), less, [&](const Cursor& cursor) {
      if (held.count() > 0 && !BySuffix<N>::less(held, *cursor.at)) {
        BySuffix<N>::join(held, *cursor.at);
      } else {
        if (held.count() > 0) use(held);
        held = *cursor.at;
      }
    });
    if (held.count() > 0) use(held);
  }

  /// From counts of the highest order, in suffix order, to adjusted counts of every order: the highest and what begins
  /// with <s> keep their count, the others get the number of different words seen before them.
  void adjust() {
    Counted<N> last{};
    std::array<std::uint64_t, N + 1> adjusted{}, seen{};
    unsigned open = 0;  // orders 1..open of `last` have begun and not ended
    const auto close = [&](unsigned down_to) {
      orders_.take(last.gram.words, down_to, open, adjusted.data(), seen.data());
      open = std::min(open, down_to);
    };
    drain([&](const Counted<N>& record) {
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

  EstimateOptions options_;
  Sorter<Counted<N>, BySuffix<N>> counts_;
  std::vector<Cursor> runs_;
  Orders orders_;
  std::vector<std::uint64_t> word_counts_;  // if there are limits
  WordId largest_ = 0;
  std::size_t n_lines_ = 0;
};

}  // namespace

std::unique_ptr<Estimator> Estimator::make(const EstimateOptions& options) {
  if (!std::is_sorted(options.prune.begin(), options.prune.end())) {
    throw data_error("Thresholds of pruning must not fall from one order to the next.");
  }
  switch (options.order) {
    case 1:
      return std::make_unique<SortingEstimator<1>>(options);
    case 2:
      return std::make_unique<SortingEstimator<2>>(options);
    case 3:
      return std::make_unique<SortingEstimator<3>>(options);
    case 4:
      return std::make_unique<SortingEstimator<4>>(options);
    case 5:
      return std::make_unique<SortingEstimator<5>>(options);
    case 6:
      return std::make_unique<SortingEstimator<6>>(options);
    case 7:
      return std::make_unique<SortingEstimator<7>>(options);
    case 8:
      return std::make_unique<SortingEstimator<8>>(options);
    case 9:
      return std::make_unique<SortingEstimator<9>>(options);
    default:
      throw data_error("The order of a language model is 1 to 9, got " + std::to_string(options.order) + ".");
  }
}

}  // namespace dragoman::lm
