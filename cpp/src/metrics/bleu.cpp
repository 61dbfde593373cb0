#include "dragoman/metrics/bleu.hpp"

#include <algorithm>
#include <cmath>

namespace dragoman::metrics {

namespace {

constexpr double kLogOfZero = -9999999999.0;  // sacreBLEU's, so that a vanished precision gives exactly 0

/// Papineni et al. 2002, §2.2.2: exp(1 − r/c) if the candidate is shorter.
double brevity_penalty(double hyp, double ref) {
  if (hyp >= ref) return 1.0;
  return hyp > 0 ? std::exp(1.0 - ref / hyp) : 0.0;
}

}  // namespace

BleuParts bleu_parts(std::span<const double> totals, const BleuRule& rule) {
  const auto correct = totals.subspan(2, rule.order);
  const auto count = totals.subspan(2 + rule.order, rule.order);
  BleuParts parts;
  parts.precisions.assign(rule.order, 0.0);
  parts.n_orders = rule.effective_order ? 1 : rule.order;
  parts.penalty = brevity_penalty(totals[0], totals[1]);
  parts.matched = std::ranges::any_of(correct, [](double matches) { return matches > 0; });
  double halving = 1.0;
  for (std::size_t n = 0; n < rule.order; ++n) {
    const double more = rule.smoothing == Smoothing::kAddK && n > 0 ? rule.value : 0.0;
    const double found = correct[n] + more;
    const double all = count[n] + more;
    if (!(all > 0)) break;  // nor has any longer order
    if (rule.effective_order) parts.n_orders = n + 1;
    double& precision = parts.precisions[n];
    precision = 100.0 * (found / all);
    if (found != 0) continue;
    if (rule.smoothing == Smoothing::kExp) {
      halving *= 2;
      precision = 100.0 * (1.0 / (halving * all));
    } else if (rule.smoothing == Smoothing::kFloor) {
      precision = 100.0 * (rule.value / all);
    }
  }
  return parts;
}

double BleuParts::score() const {
  if (!matched) return 0.0;
  double sum = 0.0;
  for (std::size_t n = 0; n < n_orders; ++n) sum += precisions[n] > 0 ? std::log(precisions[n]) : kLogOfZero;
  return penalty * std::exp(sum / static_cast<double>(n_orders));
}

void BleuScorer::digest(std::span<const Segment> refs) {
  ref_lengths_.clear();
  std::size_t length = 0;
  for (const Segment ref : refs) {
    ref_lengths_.push_back(ref.size());
    length += ref.size();
  }
  trie_.clear(length);
  for (const Segment ref : refs) trie_.add(ref);
}

void BleuScorer::score(Segment hyp, std::span<double> row) {
  const auto distance = [&](std::size_t length) {
    return length < hyp.size() ? hyp.size() - length : length - hyp.size();
  };
  const auto closest = std::ranges::min_element(ref_lengths_, [&](std::size_t a, std::size_t b) {
    return distance(a) != distance(b) ? distance(a) < distance(b) : a < b;
  });
  std::ranges::fill(matches_, 0);
  trie_.match(hyp, [&](NgramTrie::Node, std::size_t n) { ++matches_[n - 1]; });
  const std::size_t order = trie_.order();
  row[0] = static_cast<double>(hyp.size());
  row[1] = closest == ref_lengths_.end() ? 0.0 : static_cast<double>(*closest);
  for (std::size_t n = 1; n <= order; ++n) {
    row[1 + n] = static_cast<double>(matches_[n - 1]);
    row[1 + order + n] = n_grams(hyp.size(), n);
  }
}

void OverlapScorer::digest(std::span<const Segment> refs) {
  const Segment ref = refs.empty() ? Segment{} : refs[0];
  ref_length_ = ref.size();
  trie_.clear(ref.size());
  trie_.add(ref);
}

void OverlapScorer::score(Segment hyp, std::span<double> row) {
  std::int64_t matches = 0;
  trie_.match(hyp, [&](NgramTrie::Node, std::size_t n) { matches += n == trie_.order(); });
  row[0] = static_cast<double>(matches);
  row[1] = n_grams(hyp.size(), trie_.order());
  row[2] = n_grams(ref_length_, trie_.order());
}

}  // namespace dragoman::metrics
