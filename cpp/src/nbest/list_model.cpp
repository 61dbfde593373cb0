#include "dragoman/nbest/list_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_set>

#include "dragoman/core/parallel.hpp"
#include "occurrences.hpp"

namespace dragoman::nbest {

namespace {

// Ids of words are not negative.
constexpr std::int32_t kBegin = -1, kEnd = -2;

/// What was seen behind one context.
struct Seen {
  double all = 0;                   // how often the context was continued
  double same = 0;                  // by the output's own word
  std::vector<std::int32_t> words;  // by which words, each once
};

class Worker {
 public:
  std::array<double, kOrders> run(const Lists& lists, std::size_t s) {
    pad(lists.output(s), output_);
    occurrences_.start(output_);
    const std::size_t n = output_.size();
    seen_.resize(n * kOrders);
    for (Seen& each : seen_) {
      each.all = each.same = 0;
      each.words.clear();
    }
    vocabulary_.clear();
    own_.assign(n, 0.0);
    double n_words = 0;
    for (std::size_t c = lists.first(s); c < lists.last(s); ++c) {
      pad(lists.entry(c), entry_);
      n_words += static_cast<double>(entry_.size() - 1);
      for (std::size_t j = 1; j + 1 < entry_.size(); ++j) vocabulary_.insert(entry_[j]);
      count();
    }
    const double n_types = static_cast<double>(vocabulary_.size()) + (lists.last(s) > lists.first(s) ? 1 : 0);
    const double floor = 1.0 / (static_cast<double>(vocabulary_.size()) + 2);
    std::array<double, kOrders> sums{};
    for (std::size_t i = 1; i < n; ++i) {
      double p = (own_[i] + n_types * floor) / (n_words + n_types);
      if (n_words == 0) p = floor;
      sums[0] += std::log10(p);
      for (std::size_t length = 1; length < kOrders; ++length) {
        const Seen& seen = seen_[i * kOrders + length];
        const auto types = static_cast<double>(seen.words.size());
        if (seen.all > 0) p = (seen.same + types * p) / (seen.all + types);
        sums[length] += std::log10(p);
      }
    }
    return sums;
  }

 private:
  static void pad(Ids words, std::vector<std::int32_t>& into) {
    into.assign(1, kBegin);
    into.insert(into.end(), words.begin(), words.end());
    into.push_back(kEnd);
  }

  /// Add one entry: its words that are the output's, and what follows the contexts of the output's words.
  void count() {
    occurrences_.find(entry_);
    for (std::size_t i = 1; i < output_.size(); ++i) {
      for (auto j = occurrences_.first(i); j >= 0; j = occurrences_.next(j)) own_[i] += 1;
      // Contexts end with the word before: look where that one stands.
      for (auto j = occurrences_.first(i - 1); j >= 0; j = occurrences_.next(j)) {
        const auto next = static_cast<std::size_t>(j) + 1;
        if (next >= entry_.size()) continue;
        const std::size_t longest = std::min({kOrders - 1, i, next});
        for (std::size_t length = 1; length <= longest; ++length) {
          if (output_[i - length] != entry_[next - length]) break;
          Seen& seen = seen_[i * kOrders + length];
          seen.all += 1;
          if (entry_[next] == output_[i]) seen.same += 1;
          if (std::ranges::find(seen.words, entry_[next]) == seen.words.end()) seen.words.push_back(entry_[next]);
        }
      }
    }
  }

  Occurrences occurrences_;
  std::vector<std::int32_t> output_, entry_;
  std::vector<Seen> seen_;   // [place][length of the context]
  std::vector<double> own_;  // how often the list has the word of each place
  std::unordered_set<std::int32_t> vocabulary_;
};

}  // namespace

std::vector<double> list_log_p(const Lists& lists, unsigned n_threads) {
  lists.check();
  std::vector<double> found(lists.size() * kOrders);
  for_each_chunk(lists.size(), n_threads, [&](const Chunk& chunk) {
    Worker worker;
    for (std::size_t s = chunk.begin; s < chunk.end; ++s) std::ranges::copy(worker.run(lists, s), &found[s * kOrders]);
  });
  return found;
}

}  // namespace dragoman::nbest
