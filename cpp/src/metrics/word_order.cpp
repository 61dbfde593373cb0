#include "dragoman/metrics/word_order.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "dragoman/core/errors.hpp"

namespace dragoman::metrics {
namespace {

constexpr std::size_t kMostPairs = std::size_t{1} << 24;  // each may begin a run, 24 bytes

}  // namespace

void GtmScorer::digest(std::span<const Segment> refs) {
  ref_ = refs.empty() ? Segment{} : refs[0];
  index_.clear(ref_.size());
  for (auto& places : positions_) places.clear();
  for (std::size_t j = 0; j < ref_.size(); ++j) {
    const std::size_t number = index_.add(ref_[j]);
    if (number == positions_.size()) positions_.emplace_back();
    positions_[number].push_back(j);
  }
}

void GtmScorer::find_runs(Segment hyp) {
  heap_.clear();
  std::size_t n_pairs = 0;
  for (const TokenId token : hyp) {
    const std::uint32_t number = index_.find(token);
    if (number != TokenIndex::kNone) n_pairs += positions_[number].size();
  }
  if (n_pairs > kMostPairs) {
    throw segment_error(std::to_string(n_pairs) + " pairs of equal words are too many for GTM, at most " +
                        std::to_string(kMostPairs) + " can be matched. Cut the segment.");
  }
  for (std::size_t i = 0; i < hyp.size(); ++i) {
    const std::uint32_t number = index_.find(hyp[i]);
    if (number == TokenIndex::kNone) continue;
    for (const std::size_t j : positions_[number]) {
      if (i > 0 && j > 0 && hyp[i - 1] == ref_[j - 1]) continue;  // inside a run that began earlier
      std::size_t length = 1;
      while (i + length < hyp.size() && j + length < ref_.size() && hyp[i + length] == ref_[j + length]) ++length;
      heap_.push_back({i, j, length});
    }
  }
  std::make_heap(heap_.begin(), heap_.end());
}

void GtmScorer::score(Segment hyp, std::span<double> row) {
  find_runs(hyp);
  hyp_used_.assign(hyp.size(), 0);
  ref_used_.assign(ref_.size(), 0);
  double match = 0.0;
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end());
    const Run run = heap_.back();
    heap_.pop_back();
    // What longer runs have taken cuts this one into pieces, which wait for their turn.
    std::size_t begin = 0;
    for (std::size_t k = 0; k <= run.length; ++k) {
      const bool taken = k == run.length || hyp_used_[run.hyp + k] != 0 || ref_used_[run.ref + k] != 0;
      if (!taken) continue;
      const Run piece{run.hyp + begin, run.ref + begin, k - begin};
      begin = k + 1;
      if (piece.length == 0) continue;
      if (piece.length == run.length) {
        match += std::pow(static_cast<double>(run.length), exponent_);
        std::fill_n(hyp_used_.begin() + static_cast<std::ptrdiff_t>(run.hyp), run.length, 1);
        std::fill_n(ref_used_.begin() + static_cast<std::ptrdiff_t>(run.ref), run.length, 1);
      } else {
        heap_.push_back(piece);
        std::push_heap(heap_.begin(), heap_.end());
      }
    }
  }
  row[0] = std::pow(match, 1.0 / exponent_);
  row[1] = static_cast<double>(hyp.size());
  row[2] = static_cast<double>(ref_.size());
}

void RibesScorer::sort_suffixes() {
  // Prefix doubling (Manber & Myers 1993).
  const std::size_t n = text_.size();
  suffixes_.resize(n);
  std::iota(suffixes_.begin(), suffixes_.end(), std::size_t{0});
  std::ranges::sort(suffixes_, {}, [&](std::size_t i) { return text_[i]; });
  rank_.resize(n);
  next_rank_.resize(n);
  rank_[suffixes_[0]] = 0;
  for (std::size_t k = 1; k < n; ++k) {
    rank_[suffixes_[k]] = rank_[suffixes_[k - 1]] + (text_[suffixes_[k]] != text_[suffixes_[k - 1]]);
  }
  for (std::size_t half = 1; rank_[suffixes_[n - 1]] + 1 < n; half *= 2) {
    // A suffix that ends within the first half comes before all that go on.
    const auto key = [&](std::size_t i) { return std::array{rank_[i], i + half < n ? rank_[i + half] + 1 : 0}; };
    std::ranges::sort(suffixes_, {}, key);
    next_rank_[suffixes_[0]] = 0;
    for (std::size_t k = 1; k < n; ++k) {
      next_rank_[suffixes_[k]] = next_rank_[suffixes_[k - 1]] + (key(suffixes_[k]) != key(suffixes_[k - 1]));
    }
    rank_.swap(next_rank_);
  }
  // common_[k]: longest common prefix of the suffixes k − 1 and k (Kasai et al. 2001).
  common_.assign(n + 1, 0);
  for (std::size_t i = 0, length = 0; i < n; ++i) {
    if (rank_[i] == 0) {
      length = 0;
      continue;
    }
    const std::size_t j = suffixes_[rank_[i] - 1];
    while (i + length < n && j + length < n && text_[i + length] == text_[j + length]) ++length;
    common_[rank_[i]] = length;
    if (length > 0) --length;
  }
}

void RibesScorer::find_contexts(Segment hyp, bool backwards, std::vector<Context>& contexts) {
  const std::size_t n_hyp = hyp.size(), n = hyp.size() + ref_.size() + 1;
  // Ids are not negative; the mark between the texts is, so that no context reaches from one into the other.
  text_.assign(n, -1);
  if (backwards) {
    std::ranges::reverse_copy(hyp, text_.begin());
    std::ranges::reverse_copy(ref_, text_.begin() + static_cast<std::ptrdiff_t>(n_hyp + 1));
  } else {
    std::ranges::copy(hyp, text_.begin());
    std::ranges::copy(ref_, text_.begin() + static_cast<std::ptrdiff_t>(n_hyp + 1));
  }
  sort_suffixes();

  shared_.assign(n_hyp, {});
  const auto add_ref = [](Shared& own, std::size_t length, std::size_t place) {
    if (length > own.ref) {
      own.second_ref = own.ref;
      own.ref = length;
      own.ref_place = place;
    } else {
      own.second_ref = std::max(own.second_ref, length);
    }
  };
  // Suffixes with the longest common prefixes stand nearest in the array: one pass each way meets, behind the current
  // suffix, the last one of the hypothesis and the last two of the reference. What they share with it only shrinks.
  constexpr std::size_t kWhole = std::numeric_limits<std::size_t>::max();
  const auto pass = [&](auto suffix_at, auto common_before) {
    std::size_t hyp_length = 0;
    std::array<std::size_t, 2> ref_length{}, ref_place{};
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t common = k == 0 ? 0 : common_before(k);
      hyp_length = std::min(hyp_length, common);
      for (auto& length : ref_length) length = std::min(length, common);
      const std::size_t i = suffix_at(k);
      if (i < n_hyp) {
        shared_[i].hyp = std::max(shared_[i].hyp, hyp_length);
        add_ref(shared_[i], ref_length[0], ref_place[0]);
        add_ref(shared_[i], ref_length[1], ref_place[1]);
        hyp_length = kWhole;
      } else if (i > n_hyp) {
        ref_length = {kWhole, ref_length[0]};
        ref_place = {i - n_hyp - 1, ref_place[0]};
      }
    }
  };
  pass([&](std::size_t k) { return suffixes_[k]; }, [&](std::size_t k) { return common_[k]; });
  pass([&](std::size_t k) { return suffixes_[n - 1 - k]; }, [&](std::size_t k) { return common_[n - k]; });

  // An n-gram stands once in both texts if it is longer than what other places share, but not than what one shares.
  contexts.assign(n_hyp, {});
  for (std::size_t i = 0; i < n_hyp; ++i) {
    const std::size_t length = std::max(shared_[i].hyp, shared_[i].second_ref) + 1;
    if (length <= shared_[i].ref) contexts[i] = {length, shared_[i].ref_place};
  }
}

void RibesScorer::score(Segment hyp, std::span<double> row) {
  row[0] = row[1] = row[2] = 0.0;
  const std::size_t n_hyp = hyp.size(), n_ref = ref_.size();
  if (n_hyp == 0) return;
  row[2] = std::min(1.0, std::exp(1.0 - static_cast<double>(n_ref) / static_cast<double>(n_hyp)));
  find_contexts(hyp, false, right_);
  find_contexts(hyp, true, left_);
  order_.clear();  // the reference positions of the hypothesis' words
  for (std::size_t i = 0; i < n_hyp; ++i) {
    constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();
    const bool paper = context_ == RibesContext::kPaper;
    const auto length = [&](const Context& context) {
      return context.length == 0 || (paper && context.length > 2) ? kNever : context.length;
    };
    const std::size_t right = length(right_[i]), left = length(left_[n_hyp - 1 - i]);
    if (right != kNever && (paper || right < left)) {
      order_.push_back(right_[i].ref);
    } else if (left != kNever) {
      order_.push_back(n_ref - 1 - left_[n_hyp - 1 - i].ref);
    }
  }
  const std::size_t n = order_.size();
  if (n == 1 && n_ref == 1) {
    row[0] = 1.0;
  } else if (n >= 2) {
    // Pairs in ascending order, counted while merging (Knight 1966); equal positions do not ascend.
    std::size_t ascending = 0;
    std::vector<std::size_t>& merged = suffixes_;
    for (std::size_t width = 1; width < n; width *= 2) {
      merged.clear();
      for (std::size_t begin = 0; begin < n; begin += 2 * width) {
        const std::size_t middle = std::min(begin + width, n), end = std::min(begin + 2 * width, n);
        std::size_t a = begin;
        for (std::size_t b = middle; b < end; ++b) {
          while (a < middle && order_[a] < order_[b]) merged.push_back(order_[a++]);
          ascending += a - begin;
          merged.push_back(order_[b]);
        }
        while (a < middle) merged.push_back(order_[a++]);
      }
      order_.swap(merged);
    }
    row[0] = static_cast<double>(ascending) / (0.5 * static_cast<double>(n) * static_cast<double>(n - 1));
  } else {
    return;
  }
  row[1] = static_cast<double>(n) / static_cast<double>(n_hyp);
}

}  // namespace dragoman::metrics
