#include "dragoman/lm/clusters.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "dragoman/core/errors.hpp"

namespace dragoman::lm {

namespace {

/// n · ln n, which the likelihood is made of; small numbers, the usual ones, from a table.
class Entropy {
 public:
  Entropy() {
    for (std::int64_t n = 0; n < kTable; ++n) table_.push_back(computed(n));
  }
  double operator()(std::int64_t n) const { return n < kTable ? table_[static_cast<std::size_t>(n)] : computed(n); }

 private:
  static constexpr std::int64_t kTable = 1 << 16;
  static double computed(std::int64_t n) {
    return n <= 1 ? 0.0 : static_cast<double>(n) * std::log(static_cast<double>(n));
  }
  std::vector<double> table_;
};

/// How often each word stands beside each other one, in compressed rows.
struct Neighbours {
  std::vector<std::uint64_t> begins;
  std::vector<std::pair<std::uint32_t, std::int64_t>> counts;  // word, how often

  std::span<const std::pair<std::uint32_t, std::int64_t>> of(std::uint32_t word) const {
    return std::span(counts).subspan(begins[word], begins[word + 1] - begins[word]);
  }
};

/// Rows by the first of each pair. `pairs` come sorted.
Neighbours rows_of(const std::vector<std::uint64_t>& pairs, std::uint32_t n_words) {
  Neighbours rows;
  rows.begins.assign(n_words + 1, 0);
  for (std::size_t i = 0; i < pairs.size();) {
    std::size_t end = i;
    while (end < pairs.size() && pairs[end] == pairs[i]) ++end;
    rows.counts.emplace_back(static_cast<std::uint32_t>(pairs[i]), static_cast<std::int64_t>(end - i));
    ++rows.begins[(pairs[i] >> 32) + 1];
    i = end;
  }
  std::partial_sum(rows.begins.begin(), rows.begins.end(), rows.begins.begin());
  return rows;
}

class Exchange {
 public:
  /// The last word is the edge of sentences, in a class of its own that nothing enters or leaves.
  Exchange(Neighbours after, Neighbours before, std::uint32_t n_words, std::uint32_t n_classes)
      : after_(std::move(after)),
        before_(std::move(before)),
        edge_(n_words),
        n_classes_(n_classes),
        width_(n_classes + 1),
        classes_(n_words + 1, n_classes),
        counts_(static_cast<std::size_t>(width_) * width_, 0),
        left_(width_, 0),
        right_(width_, 0),
        out_(width_, 0),
        in_(width_, 0) {
    frequency_.resize(n_words);
    for (std::uint32_t word = 0; word < n_words; ++word) {
      for (const auto& [next, n] : after_.of(word)) frequency_[word] += n;
    }
    by_frequency_.resize(n_words);
    std::iota(by_frequency_.begin(), by_frequency_.end(), 0);
    std::stable_sort(by_frequency_.begin(), by_frequency_.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return frequency_[a] > frequency_[b]; });
    for (std::uint32_t rank = 0; rank < n_words; ++rank) classes_[by_frequency_[rank]] = rank % n_classes;
    for (std::uint32_t word = 0; word <= edge_; ++word) {
      for (const auto& [next, n] : after_.of(word)) add(classes_[word], classes_[next], n);
    }
  }

  /// Each word once; how many moved.
  std::size_t round() {
    std::size_t n_moved = 0;
    for (const std::uint32_t word : by_frequency_) {
      if (frequency_[word] > 0 && move(word)) ++n_moved;
    }
    return n_moved;
  }

  double log_likelihood() const {
    double sum = 0;
    for (const auto n : counts_) sum += xlx_(n);
    for (const auto n : left_) sum -= xlx_(n);
    for (const auto n : right_) sum -= xlx_(n);
    for (const auto n : frequency_) sum += xlx_(n);
    // Of the edge as a word of its class: n ln n on both sides, whose shares are one.
    return sum + xlx_(right_[n_classes_]);
  }

  std::vector<std::uint32_t> classes() const { return {classes_.begin(), classes_.end() - 1}; }

 private:
  std::int64_t& count(std::uint32_t a, std::uint32_t b) { return counts_[static_cast<std::size_t>(a) * width_ + b]; }
  void add(std::uint32_t a, std::uint32_t b, std::int64_t n) {
    count(a, b) += n;
    left_[a] += n;
    right_[b] += n;
  }

  /// Put the word, whose neighbours by class are in out_ and in_, into a class or (sign −1) take it out.
  void place(std::uint32_t to, std::int64_t self, std::int64_t sign) {
    for (const std::uint32_t other : touched_) {
      if (out_[other] != 0) add(to, other, sign * out_[other]);
      if (in_[other] != 0) add(other, to, sign * in_[other]);
    }
    if (self != 0) add(to, to, sign * self);
  }

  /// What the likelihood gains if the word, which is in no class, comes into this one.
  double gain(std::uint32_t to, std::int64_t n_left, std::int64_t n_right, std::int64_t self) {
    double sum = 0;
    for (const std::uint32_t other : touched_) {
      if (other == to) continue;
      if (out_[other] != 0) sum += xlx_(count(to, other) + out_[other]) - xlx_(count(to, other));
      if (in_[other] != 0) sum += xlx_(count(other, to) + in_[other]) - xlx_(count(other, to));
    }
    sum += xlx_(count(to, to) + out_[to] + in_[to] + self) - xlx_(count(to, to));
    // The totals miss the pairs of the class's own words with the word in hand, which count wherever it goes.
    const std::int64_t left = left_[to] + in_[to], right = right_[to] + out_[to];
    sum -= xlx_(left + n_left) - xlx_(left);
    sum -= xlx_(right + n_right) - xlx_(right);
    return sum;
  }

  bool move(std::uint32_t word) {
    std::int64_t self = 0, n_left = 0, n_right = 0;
    touched_.clear();
    const auto touch = [&](std::uint32_t other) {
      if (out_[other] == 0 && in_[other] == 0) touched_.push_back(other);
    };
    for (const auto& [next, n] : after_.of(word)) {
      n_left += n;
      if (next == word) {
        self = n;
        continue;
      }
      touch(classes_[next]);
      out_[classes_[next]] += n;
    }
    for (const auto& [previous, n] : before_.of(word)) {
      n_right += n;
      if (previous == word) continue;
      touch(classes_[previous]);
      in_[classes_[previous]] += n;
    }
    const std::uint32_t from = classes_[word];
    place(from, self, -1);
    // To stay is the choice unless another is better by more than rounding, or words would move for ever.
    std::uint32_t best = from;
    double most = gain(from, n_left, n_right, self) + 1e-9 * static_cast<double>(n_left + n_right);
    for (std::uint32_t to = 0; to < n_classes_; ++to) {
      if (to == from) continue;
      const double here = gain(to, n_left, n_right, self);
      if (here > most) {
        most = here;
        best = to;
      }
    }
    place(best, self, +1);
    for (const std::uint32_t other : touched_) out_[other] = in_[other] = 0;
    classes_[word] = best;
    return best != from;
  }

  Neighbours after_, before_;
  std::uint32_t edge_, n_classes_, width_;
  std::vector<std::uint32_t> classes_;
  std::vector<std::int64_t> counts_, left_, right_;  // of pairs of classes; by their first, by their second
  std::vector<std::int64_t> out_, in_;               // of the word in hand, by class of its neighbours
  std::vector<std::uint32_t> touched_, by_frequency_;
  std::vector<std::int64_t> frequency_;
  Entropy xlx_;
};

}  // namespace

Clusters exchange(std::span<const text::TokenId> ids, std::span<const std::int64_t> offsets, std::uint32_t n_words,
                  std::uint32_t n_classes, unsigned max_rounds) {
  if (n_classes < 1) throw data_error("There must be at least one word class.");
  std::vector<std::uint64_t> pairs, reversed;
  pairs.reserve(ids.size() + offsets.size());
  for (std::size_t line = 0; line + 1 < offsets.size(); ++line) {
    std::uint64_t last = n_words;
    const auto step = [&](std::uint64_t next) {
      pairs.push_back(last << 32 | next);
      reversed.push_back(next << 32 | last);
      last = next;
    };
    for (auto at = offsets[line]; at < offsets[line + 1]; ++at) {
      const auto id = ids[static_cast<std::size_t>(at)];
      if (id < 0 || static_cast<std::uint32_t>(id) >= n_words) {
        throw data_error("Sentence " + std::to_string(line + 1) + " holds a word without a number.");
      }
      step(static_cast<std::uint64_t>(id));
    }
    step(n_words);
  }
  std::sort(pairs.begin(), pairs.end());
  std::sort(reversed.begin(), reversed.end());
  Exchange exchange(rows_of(pairs, n_words + 1), rows_of(reversed, n_words + 1), n_words, n_classes);
  Clusters clusters;
  while (clusters.n_rounds < max_rounds) {
    ++clusters.n_rounds;
    if (exchange.round() == 0) break;
  }
  clusters.classes = exchange.classes();
  clusters.log_likelihood = exchange.log_likelihood();
  return clusters;
}

}  // namespace dragoman::lm
