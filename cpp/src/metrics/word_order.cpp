#include "dragoman/metrics/word_order.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "dragoman/core/errors.hpp"
#include "dragoman/metrics/rank_order.hpp"

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

void RibesScorer::score(Segment hyp, std::span<double> row) {
  row[0] = row[1] = row[2] = 0.0;
  const std::size_t n_hyp = hyp.size(), n_ref = ref_.size();
  if (n_hyp == 0) return;
  row[2] = std::min(1.0, std::exp(1.0 - static_cast<double>(n_ref) / static_cast<double>(n_hyp)));
  contexts_.find(hyp, ref_);
  order_.clear();  // the reference positions of the hypothesis' words
  for (std::size_t i = 0; i < n_hyp; ++i) {
    constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();
    const bool paper = context_ == RibesContext::kPaper;
    const auto length = [&](const UniqueContexts::Context& context) {
      return context.length == 0 || (paper && context.length > 2) ? kNever : context.length;
    };
    const std::size_t right = length(contexts_.right(i)), left = length(contexts_.left(i));
    if (right != kNever && (paper || right < left)) {
      order_.push_back(contexts_.right(i).ref);
    } else if (left != kNever) {
      order_.push_back(contexts_.left(i).ref);
    }
  }
  const std::size_t n = order_.size();
  if (n == 1 && n_ref == 1) {
    row[0] = 1.0;
  } else if (n >= 2) {
    const std::size_t ascending = count_ascending_pairs(order_, merged_);
    row[0] = static_cast<double>(ascending) / (0.5 * static_cast<double>(n) * static_cast<double>(n - 1));
  } else {
    return;
  }
  row[1] = static_cast<double>(n) / static_cast<double>(n_hyp);
}

}  // namespace dragoman::metrics
