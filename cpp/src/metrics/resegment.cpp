#include "dragoman/metrics/resegment.hpp"

#include <algorithm>
#include <cstdint>

#include "dragoman/metrics/edit_column.hpp"
#include "dragoman/metrics/token_masks.hpp"

namespace dragoman::metrics {
namespace {

using Costs = std::vector<std::int64_t>;
using Segments = std::span<const std::vector<Tokens>>;

class Cutter {
 public:
  Cutter(Tokens stream, Segments refs) : stream_(stream), refs_(refs), begins_(refs.size(), 0) {}

  std::vector<std::size_t> run() {
    if (!refs_.empty()) cut(0, stream_.size(), 0, refs_.size());
    return std::move(begins_);
  }

 private:
  /// Find where the segments after the first of [first, end) begin, in the words [begin, stop) of the stream.
  void cut(std::size_t begin, std::size_t stop, std::size_t first, std::size_t end) {
    begins_[first] = begin;
    if (end - first == 1) return;
    const std::size_t middle = first + (end - first) / 2;
    const Tokens words = stream_.subspan(begin, stop - begin);
    costs_of(words, refs_.subspan(first, middle - first), false, before_);
    costs_of(words, refs_.subspan(middle, end - middle), true, behind_);
    std::size_t best = 0;
    for (std::size_t i = 1; i <= words.size(); ++i) {
      if (before_[i] + behind_[words.size() - i] < before_[best] + behind_[words.size() - best]) best = i;
    }
    cut(begin, begin + best, first, middle);
    cut(begin + best, stop, middle, end);
  }

  /// costs[i]: fewest edits between the segments and the first i words, or, backwards, the last i words.
  void costs_of(Tokens words, Segments segments, bool backwards, Costs& costs) {
    masks_.digest(words, backwards);
    costs.resize(words.size() + 1);
    for (std::size_t i = 0; i < costs.size(); ++i) costs[i] = static_cast<std::int64_t>(i);
    for (std::size_t s = 0; s < segments.size(); ++s) {
      const auto& refs = segments[backwards ? segments.size() - 1 - s : s];
      for (std::size_t r = 0; r < refs.size(); ++r) {
        const Tokens ref = refs[r];
        column_.start(costs);
        for (std::size_t k = 0; k < ref.size(); ++k) {
          column_.step(masks_.positions(ref[backwards ? ref.size() - 1 - k : k]));
        }
        column_.read(reached_);
        if (r == 0) nearest_ = reached_;
        std::ranges::transform(nearest_, reached_, nearest_.begin(), [](auto a, auto b) { return std::min(a, b); });
      }
      if (!refs.empty()) costs = nearest_;
    }
  }

  Tokens stream_;
  Segments refs_;
  std::vector<std::size_t> begins_;
  EditColumn column_;
  TokenMasks masks_;
  Costs before_, behind_, nearest_, reached_;
};

}  // namespace

std::vector<std::size_t> resegment(Tokens stream, Segments refs) { return Cutter(stream, refs).run(); }

}  // namespace dragoman::metrics
