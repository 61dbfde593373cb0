#include "dragoman/phrase/significance.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "dragoman/core/hash.hpp"
#include "dragoman/core/parallel.hpp"

namespace dragoman::phrase {

namespace {

/// In which sentences the phrases of one side of a table occur.
class Occurrences {
 public:
  /// Take in a phrase; its number.
  std::uint32_t add(std::span<const TokenId> phrase) {
    if (2 * (n_ + 1) > slots_.size()) grow();
    Slot& slot = slots_[place(hash_of(phrase))];
    if (slot.number == 0) {
      slot = {hash_of(phrase), ++n_};
      longest_ = std::max(longest_, phrase.size());
    }
    return slot.number - 1;
  }

  /// Look for all phrases in all sentences.
  void find(std::span<const TokenId> words, std::span<const std::int64_t> offsets) {
    begins_.assign(n_ + 1, 0);
    std::vector<std::uint32_t> last(n_, 0);  // sentence + 1 that a phrase was last met in
    const auto for_each = [&](const auto& use) {
      std::fill(last.begin(), last.end(), 0);
      for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
        const auto begin = static_cast<std::size_t>(offsets[i]), end = static_cast<std::size_t>(offsets[i + 1]);
        for (std::size_t from = begin; from < end; ++from) {
          for (std::size_t size = 1; size <= std::min(longest_, end - from); ++size) {
            const auto number = slots_[place(hash_of(words.subspan(from, size)))].number;
            if (number == 0 || last[number - 1] == i + 1) continue;
            last[number - 1] = static_cast<std::uint32_t>(i + 1);
            use(number - 1, static_cast<std::uint32_t>(i));
          }
        }
      }
    };
    if (n_ == 0) return;
    for_each([&](std::uint32_t phrase, std::uint32_t) { ++begins_[phrase + 1]; });
    for (std::size_t i = 0; i < n_; ++i) begins_[i + 1] += begins_[i];
    sentences_.resize(begins_[n_]);
    auto next = begins_;
    for_each([&](std::uint32_t phrase, std::uint32_t sentence) { sentences_[next[phrase]++] = sentence; });
  }

  std::span<const std::uint32_t> of(std::uint32_t phrase) const noexcept {
    return {sentences_.data() + begins_[phrase], begins_[phrase + 1] - begins_[phrase]};
  }

 private:
  struct Slot {
    std::uint64_t hash = 0;
    std::uint32_t number = 0;  // from 1; 0: free
  };

  static std::uint64_t hash_of(std::span<const TokenId> words) {
    return hash_bytes({reinterpret_cast<const char*>(words.data()), words.size_bytes()});
  }
  std::size_t place(std::uint64_t hash) const noexcept {
    std::size_t slot = hash & (slots_.size() - 1);
    while (slots_[slot].number != 0 && slots_[slot].hash != hash) slot = (slot + 1) & (slots_.size() - 1);
    return slot;
  }
  void grow() {
    std::vector<Slot> old(std::max<std::size_t>(1024, slots_.size() * 2));
    std::swap(old, slots_);
    for (const Slot& slot : old) {
      if (slot.number != 0) slots_[place(slot.hash)] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::uint32_t n_ = 0;
  std::size_t longest_ = 0;
  std::vector<std::uint64_t> begins_;  // by phrase, one more
  std::vector<std::uint32_t> sentences_;
};

/// How many numbers two rising lists share: each of the shorter is looked for in the longer, from where the last was.
std::uint64_t n_shared(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  if (a.size() > b.size()) std::swap(a, b);
  std::uint64_t n = 0;
  std::size_t from = 0;
  for (const auto each : a) {
    std::size_t step = 1;
    while (from + step < b.size() && b[from + step] < each) step *= 2;
    const auto end = b.begin() + static_cast<std::ptrdiff_t>(std::min(b.size(), from + step + 1));
    const auto found = std::lower_bound(b.begin() + static_cast<std::ptrdiff_t>(from), end, each);
    from = static_cast<std::size_t>(found - b.begin());
    if (from == b.size()) break;
    n += b[from] == each ? 1 : 0;
  }
  return n;
}

double log_choose(double n, double k) { return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1); }

}  // namespace

double negative_log_p(std::uint64_t n_both, std::uint64_t n_source, std::uint64_t n_target, std::uint64_t n) {
  const auto s = static_cast<double>(n_source), t = static_cast<double>(n_target), all = static_cast<double>(n);
  auto k = static_cast<double>(n_both);
  if (k + all <= s + t) return 0;  // so many must meet
  // Terms fall from the first on; each is the one before times a ratio.
  const double log_first = log_choose(s, k) + log_choose(all - s, t - k) - log_choose(all, t);
  double sum = 1, term = 1;
  for (const double last = std::min(s, t); k < last && term > 1e-17 * sum; ++k) {
    term *= (s - k) * (t - k) / ((k + 1) * (all - s - t + k + 1));
    sum += term;
  }
  return std::max(0.0, -(log_first + std::log(sum)));
}

std::unique_ptr<PhraseTable> prune_by_significance(const PhraseTable& table, const AlignedBitext& bitext, double least,
                                                   unsigned n_threads) {
  struct Source {
    std::span<const TokenId> words;
    PhraseTable::Run run;
    std::uint32_t number;
  };
  std::vector<Source> sources;
  std::vector<std::uint32_t> targets(table.size());
  Occurrences in_source, in_target;
  table.for_each_source([&](std::span<const TokenId> words, PhraseTable::Run run) {
    sources.push_back({words, run, in_source.add(words)});
    for (std::uint32_t i = run.first; i < run.first + run.count; ++i)
      targets[i] = in_target.add(table.translation(i).words);
  });
  for_each_chunk(2, n_threads, [&](const Chunk& chunk) {
    for (std::size_t side = chunk.begin; side < chunk.end; ++side) {
      side == 0 ? in_source.find(bitext.source, bitext.source_offsets)
                : in_target.find(bitext.target, bitext.target_offsets);
    }
  });
  std::vector<std::uint8_t> keep(table.size());
  for_each_chunk(sources.size(), n_threads, [&](const Chunk& chunk) {
    for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
      const auto with_source = in_source.of(sources[i].number);
      const auto run = sources[i].run;
      for (std::uint32_t k = run.first; k < run.first + run.count; ++k) {
        const auto with_target = in_target.of(targets[k]);
        const auto p =
            negative_log_p(n_shared(with_source, with_target), with_source.size(), with_target.size(), bitext.size());
        keep[k] = p > least ? 1 : 0;
      }
    }
  });
  PhraseTableBuilder builder(table.n_scores());
  for (const Source& source : sources) {
    bool opened = false;
    for (std::uint32_t k = source.run.first; k < source.run.first + source.run.count; ++k) {
      if (!keep[k]) continue;
      if (!opened) builder.source(source.words);
      opened = true;
      const auto translation = table.translation(k);
      builder.add(translation.words, translation.links, translation.scores);
    }
  }
  return builder.finish();
}

}  // namespace dragoman::phrase
