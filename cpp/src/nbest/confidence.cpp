#include "dragoman/nbest/confidence.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"
#include "dragoman/edit/levenshtein.hpp"
#include "occurrences.hpp"

namespace dragoman::nbest {

namespace {

constexpr std::int32_t kNone = -1;
constexpr double kWindow = 1;  // words between an occurrence and the mean place

/// Works on one output at a time and keeps its memory.
class ConfidenceWorker {
 public:
  ConfidenceWorker(const Lists& lists, std::span<const double> weights, std::size_t n_weightings, Confidences& found)
      : lists_(lists), weights_(weights), n_weightings_(n_weightings), found_(found) {}

  void run(std::size_t s) {
    output_ = lists_.output(s);
    if (output_.empty() || n_weightings_ == 0) return;
    const auto first_token = static_cast<std::size_t>(lists_.output_offsets[s]);
    values_ = std::span(found_.values).subspan(first_token * per_token(), output_.size() * per_token());
    network_ = std::span(found_.network).subspan(first_token * 4, output_.size() * 4);
    occurrences_.start(output_);
    const std::size_t first = lists_.first(s), last = lists_.last(s);
    nearest_.assign((last - first) * output_.size() * kSizes, kNone);
    alternatives_.assign(output_.size(), {});
    totals_.assign(n_weightings_, 0.0);
    for (std::size_t c = first; c < last; ++c) {
      for (std::size_t w = 0; w < n_weightings_; ++w) totals_[w] += weight(c, w);
      const Ids entry = lists_.entry(c);
      by_position(entry, c);
      by_edits(entry, c);
      by_occurrence(entry, c,
                    std::span(nearest_).subspan((c - first) * output_.size() * kSizes, output_.size() * kSizes));
    }
    by_mean_place(first, last);
    finish();
  }

 private:
  std::size_t per_token() const { return kCriteria * n_weightings_ * kSizes; }
  double weight(std::size_t entry, std::size_t w) const { return weights_[entry * n_weightings_ + w]; }
  double& value(std::size_t i, std::size_t criterion, std::size_t w, std::size_t size) {
    return values_[((i * kCriteria + criterion) * n_weightings_ + w) * kSizes + size];
  }

  /// An entry agrees with the n-grams at `i` of up to `run` words: noted at the longest, shorter ones follow at the
  /// end.
  void agree(std::size_t i, std::size_t criterion, std::size_t run, std::size_t entry) {
    double* const longest = &value(i, criterion, 0, std::min(run, kSizes) - 1);
    const double* const own = &weights_[entry * n_weightings_];
    for (std::size_t w = 0; w < n_weightings_; ++w) longest[w * kSizes] += own[w];
  }

  void by_position(Ids entry, std::size_t c) {
    std::size_t run = 0;
    for (std::size_t i = std::min(entry.size(), output_.size()); i-- > 0;) {
      run = entry[i] == output_[i] ? run + 1 : 0;
      if (run > 0) agree(i, 0, run, c);
    }
  }

  void by_edits(Ids entry, std::size_t c) {
    partner_.assign(output_.size(), kNone);
    const double share = n_weightings_ > 0 ? weight(c, 0) : 0;
    std::size_t i = 0, j = 0;
    for (const auto step : edits_.operations(output_, entry)) {
      if (step == edit::Operation::kMatch) partner_[i] = static_cast<std::int32_t>(j);
      if (step != edit::Operation::kInsert) {
        note(alternatives_[i], step == edit::Operation::kDelete ? kNone : entry[j], share);
        ++i;
      }
      if (step != edit::Operation::kDelete) ++j;
    }
    std::size_t run = 0;
    for (std::size_t k = output_.size(); k-- > 0;) {
      if (partner_[k] == kNone) {
        run = 0;
        continue;
      }
      run = run > 0 && partner_[k + 1] == partner_[k] + 1 ? run + 1 : 1;
      agree(k, 1, run, c);
    }
  }

  using Alternatives = std::vector<std::pair<std::int32_t, double>>;

  static void note(Alternatives& all, std::int32_t word, double share) {
    for (auto& [known, sum] : all) {
      if (known == word) {
        sum += share;
        return;
      }
    }
    all.emplace_back(word, share);
  }

  void by_occurrence(Ids entry, std::size_t c, std::span<std::int32_t> nearest) {
    occurrences_.find(entry);
    for (std::size_t i = 0; i < output_.size(); ++i) {
      std::size_t longest = 0;
      for (std::int32_t j = occurrences_.first(i); j >= 0; j = occurrences_.next(j)) {
        std::size_t run = 1;
        while (run < kSizes && i + run < output_.size() && static_cast<std::size_t>(j) + run < entry.size() &&
               output_[i + run] == entry[static_cast<std::size_t>(j) + run]) {
          ++run;
        }
        longest = std::max(longest, run);
        for (std::size_t size = 0; size < run; ++size) {
          std::int32_t& place = nearest[i * kSizes + size];
          const auto far = [&](std::int32_t at) { return std::abs(at - static_cast<std::int32_t>(i)); };
          if (place == kNone || far(j) < far(place)) place = j;  // occurrences come from left to right
        }
      }
      if (longest > 0) agree(i, 2, longest, c);
    }
  }

  void by_mean_place(std::size_t first, std::size_t last) {
    const std::size_t n = output_.size() * kSizes;
    for (std::size_t w = 0; w < n_weightings_; ++w) {
      sums_.assign(n, 0.0);
      places_.assign(n, 0.0);
      for (std::size_t c = first; c < last; ++c) {
        const std::int32_t* const nearest = nearest_.data() + (c - first) * n;
        const double own = weight(c, w);
        for (std::size_t g = 0; g < n; ++g) {
          if (nearest[g] == kNone) continue;
          sums_[g] += own;
          places_[g] += own * nearest[g];
        }
      }
      for (std::size_t c = first; c < last; ++c) {
        const std::int32_t* const nearest = nearest_.data() + (c - first) * n;
        for (std::size_t g = 0; g < n; ++g) {
          // Sums of weights are rounded: a place that is exactly one word away must not depend on that.
          if (nearest[g] == kNone || !(sums_[g] > 0)) continue;
          if (std::abs(nearest[g] - places_[g] / sums_[g]) <= kWindow + 1e-9) {
            value(g / kSizes, 3, w, g % kSizes) += weight(c, w);
          }
        }
      }
    }
  }

  void finish() {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t i = 0; i < output_.size(); ++i) {
      for (std::size_t criterion = 0; criterion < kCriteria; ++criterion) {
        for (std::size_t w = 0; w < n_weightings_; ++w) {
          for (std::size_t size = kSizes - 1; criterion != 3 && size > 0; --size) {
            value(i, criterion, w, size - 1) += value(i, criterion, w, size);
          }
          for (std::size_t size = 0; size < kSizes; ++size) {
            double& each = value(i, criterion, w, size);
            // Rounding must not carry an agreement of all beyond 1.
            each = i + size >= output_.size() ? nan : totals_[w] > 0 ? std::min(1.0, each / totals_[w]) : 0.0;
          }
        }
      }
      double most = 0, least = 0, entropy = 0, n = 0;
      for (const auto& [word, sum] : alternatives_[i]) {
        if (n_weightings_ == 0 || !(totals_[0] > 0) || !(sum > 0)) continue;
        const double p = std::min(1.0, sum / totals_[0]);
        most = std::max(most, p);
        least = n == 0 ? p : std::min(least, p);
        entropy -= p * std::log(p);
        ++n;
      }
      network_[i * 4] = most;
      network_[i * 4 + 1] = least;
      network_[i * 4 + 2] = n;
      network_[i * 4 + 3] = std::max(0.0, entropy);
    }
  }

  const Lists& lists_;
  std::span<const double> weights_;
  std::size_t n_weightings_;
  Confidences& found_;
  Ids output_;
  std::span<double> values_, network_;
  Occurrences occurrences_;
  edit::Levenshtein edits_;
  std::vector<std::int32_t> partner_, nearest_;
  std::vector<Alternatives> alternatives_;
  std::vector<double> totals_, sums_, places_;
};

}  // namespace

Confidences confidences(const Lists& lists, std::span<const double> weights, std::size_t n_weightings,
                        unsigned n_threads) {
  lists.check();
  if (weights.size() != (lists.entry_offsets.size() - 1) * n_weightings) {
    throw data_error("There must be " + std::to_string(n_weightings) + " weights for each of " +
                     std::to_string(lists.entry_offsets.size() - 1) + " entries, got " +
                     std::to_string(weights.size()) + " in all.");
  }
  if (std::ranges::any_of(weights, [](double each) { return !(each >= 0) || std::isinf(each); })) {
    throw data_error("Weights of entries must be finite and not negative.");
  }
  Confidences found;
  found.values.assign(lists.outputs.size() * kCriteria * n_weightings * kSizes, 0.0);
  found.network.assign(lists.outputs.size() * 4, 0.0);
  for_each_chunk(lists.size(), n_threads, [&](const Chunk& chunk) {
    ConfidenceWorker worker(lists, weights, n_weightings, found);
    for (std::size_t s = chunk.begin; s < chunk.end; ++s) worker.run(s);
  });
  return found;
}

}  // namespace dragoman::nbest
