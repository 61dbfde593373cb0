#include "dragoman/metrics/unique_contexts.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace dragoman::metrics {

void UniqueContexts::find(Tokens hyp, Tokens ref) {
  const std::size_t n_hyp = hyp.size(), n_ref = ref.size();
  // Ids are not negative; the mark between the texts is, so that no context reaches from one into the other.
  text_.assign(n_hyp + n_ref + 1, -1);
  const auto middle = text_.begin() + static_cast<std::ptrdiff_t>(n_hyp + 1);
  std::ranges::copy(hyp, text_.begin());
  std::ranges::copy(ref, middle);
  find_beginnings(n_hyp, right_);
  std::ranges::reverse_copy(hyp, text_.begin());
  std::ranges::reverse_copy(ref, middle);
  find_beginnings(n_hyp, left_);
  std::ranges::reverse(left_);
  for (Context& context : left_) context.ref = n_ref - 1 - context.ref;
}

void UniqueContexts::sort_suffixes() {
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

void UniqueContexts::find_beginnings(std::size_t n_hyp, std::vector<Context>& contexts) {
  const std::size_t n = text_.size();
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

}  // namespace dragoman::metrics
