#include "dragoman/align/jumps.hpp"

namespace dragoman::align {

namespace {

/// The first and behind the last place within `max` steps of context `from`, of n places.
struct Window {
  std::size_t begin, end;
  Window(std::size_t from, std::size_t max, std::size_t n)
      : begin(from > max + 1 ? from - max - 1 : 0), end(std::min(n, from + max)) {
    begin = std::min(begin, end);
  }
};

}  // namespace

void Jumps::mirror() { mirrored_.assign(weights_.rbegin(), weights_.rend()); }

void Jumps::normalisers(std::size_t n, std::vector<double>& sums) const {
  sums.assign(n + 1, 0);
  for (std::size_t from = 0; from <= n; ++from) {
    const Window window(from, max_, n);
    double sum =
        static_cast<double>(window.begin) * weights_.front() + static_cast<double>(n - window.end) * weights_.back();
    for (std::size_t to = window.begin; to < window.end; ++to) sum += weight(from, to);
    sums[from] = sum;
  }
}

void Jumps::forward(std::span<const double> values, std::span<double> out) const {
  const std::size_t n = out.size();
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t from = 0; from <= n; ++from) {
    const double value = values[from];
    if (value == 0) continue;
    const Window window(from, max_, n);
    const double* const weights = weights_.data() + index(from, window.begin);
    double* const to = out.data() + window.begin;
    for (std::size_t k = 0; k < window.end - window.begin; ++k) to[k] += value * weights[k];
  }
  if (n < max_ + 1) return;  // no jump is wider
  double before = 0;
  for (std::size_t to = max_; to < n; ++to) {  // contexts to − max and below lie more than max places before
    before += values[to - max_];
    out[to] += before * weights_.back();
  }
  double behind = 0;
  for (std::size_t to = n; to-- > 0;) {
    if (to + max_ + 2 > n) continue;
    behind += values[to + max_ + 2];
    out[to] += behind * weights_.front();
  }
}

void Jumps::backward(std::span<const double> values, std::span<double> out) const {
  const std::size_t n = values.size();
  std::fill(out.begin(), out.end(), 0.0);
  for (std::size_t to = 0; to < n; ++to) {
    const double value = values[to];
    if (value == 0) continue;
    // Contexts within max steps: to + 1 − from in [−max, max].
    const std::size_t begin = to + 1 > max_ ? to + 1 - max_ : 0, end = std::min(n + 1, to + max_ + 2);
    const double* const weights = mirrored_.data() + (2 * max_ + 2 - index(begin, to));
    double* const from = out.data() + begin;
    for (std::size_t k = 0; k < end - begin; ++k) from[k] += value * weights[k];
  }
  if (n < max_ + 1) return;
  double on = 0;
  for (std::size_t from = n - max_; from-- > 0;) {  // places from + max and beyond
    on += values[from + max_];
    out[from] += on * weights_.back();
  }
  double back = 0;
  for (std::size_t from = max_ + 2; from <= n; ++from) {
    back += values[from - max_ - 2];
    out[from] += back * weights_.front();
  }
}

void Jumps::correlate(std::span<const double> from, std::span<const double> to, std::span<double> sums) const {
  const std::size_t n = to.size();
  for (std::size_t context = 0; context <= n; ++context) {
    const double value = from[context];
    if (value == 0) continue;
    const Window window(context, max_, n);
    double* const out = sums.data() + index(context, window.begin);
    const double* const values = to.data() + window.begin;
    for (std::size_t k = 0; k < window.end - window.begin; ++k) out[k] += value * values[k];
  }
  if (n < max_ + 1) return;
  double before = 0, behind = 0;
  for (std::size_t place = max_; place < n; ++place) {
    before += from[place - max_];
    sums.back() += before * to[place];
  }
  for (std::size_t place = n; place-- > 0;) {
    if (place + max_ + 2 > n) continue;
    behind += from[place + max_ + 2];
    sums.front() += behind * to[place];
  }
}

}  // namespace dragoman::align
