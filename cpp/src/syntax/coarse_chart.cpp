#include "dragoman/syntax/coarse_chart.hpp"

#include <algorithm>
#include <cmath>

namespace dragoman::syntax {

namespace {

/// What is this much less likely than the best of its cell, before the rest of the sentence is looked at, is dropped.
constexpr double cell_beam = 1e-7;
/// What is less likely than this, given the sentence, is not followed down to its children.
constexpr double least_posterior = 1e-10;
constexpr int least_coarse_exponent = -400;

}  // namespace

bool CoarseChart::run(const Grammar& grammar, std::span<const std::int32_t> rows) {
  spans_ = Spans(rows.size());
  n_ = grammar.coarse.n_symbols();
  const std::size_t size = spans_.n_cells() * n_;
  for (auto* values : {&bottom_, &top_, &out_bottom_, &out_top_}) values->assign(size, 0.0);
  exponents_.assign(spans_.n_cells(), 0);
  live_.resize(size);
  n_live_.assign(spans_.n_cells(), 0);
  allowed_.assign(size, 0);
  fill_inside(grammar, rows);
  const std::size_t whole = spans_.cell(0, rows.size());
  const Symbol root = grammar.coarse_of[grammar.root];
  total_ = top_[whole * n_ + root];
  if (total_ <= 0) return false;
  out_top_[whole * n_ + root] = 1;
  fill_outside(grammar);
  return true;
}

void CoarseChart::fill_inside(const Grammar& grammar, std::span<const std::int32_t> rows) {
  const std::size_t n_words = rows.size();
  for (std::size_t i = 0; i < n_words; ++i) {
    const std::size_t cell = spans_.cell(i, i + 1);
    const Lexicon& lexicon = grammar.lexicon;
    double most = -INFINITY;
    for (auto at = lexicon.offsets[rows[i]]; at < lexicon.offsets[rows[i] + 1]; ++at)
      most = std::max(most, lexicon.scores[at]);
    const int exponent = std::isfinite(most) ? static_cast<int>(std::floor(most / std::log(2.0))) : 0;
    for (auto at = lexicon.offsets[rows[i]]; at < lexicon.offsets[rows[i] + 1]; ++at) {
      const Symbol symbol = lexicon.symbols[at];
      bottom_[cell * n_ + grammar.coarse_of[symbol]] +=
          grammar.share[symbol] * std::exp(lexicon.scores[at] - exponent * std::log(2.0));
    }
    finish_cell(grammar, cell, exponent);
  }
  for (std::size_t width = 2; width <= n_words; ++width) {
    for (std::size_t begin = 0; begin + width <= n_words; ++begin) {
      const std::size_t end = begin + width, cell = spans_.cell(begin, end);
      int most = INT32_MIN;
      for (std::size_t middle = begin + 1; middle < end; ++middle) {
        const std::size_t left = spans_.cell(begin, middle), right = spans_.cell(middle, end);
        if (n_live_[left] && n_live_[right]) most = std::max(most, exponents_[left] + exponents_[right]);
      }
      if (most == INT32_MIN) continue;
      double* const bottom = bottom_.data() + cell * n_;
      for (std::size_t middle = begin + 1; middle < end; ++middle) {
        const std::size_t left = spans_.cell(begin, middle), right = spans_.cell(middle, end);
        if (!n_live_[left] || !n_live_[right]) continue;
        const int shift = exponents_[left] + exponents_[right] - most;
        if (shift < least_coarse_exponent) continue;
        const double factor = std::ldexp(1.0, shift);
        const double* const of_right = top_.data() + right * n_;
        for (std::uint32_t k = 0; k < n_live_[left]; ++k) {
          const Symbol symbol = live_[left * n_ + k];
          const double of_left = factor * top_[left * n_ + symbol];
          for (const auto& group : grammar.coarse.groups(symbol)) {
            double sum = 0;
            for (const auto& pair : grammar.coarse.pairs(group)) sum += pair.probability * of_right[pair.right];
            bottom[group.parent] += of_left * sum;
          }
        }
      }
      finish_cell(grammar, cell, most);
    }
  }
}

void CoarseChart::finish_cell(const Grammar& grammar, std::size_t cell, int exponent) {
  double* const bottom = bottom_.data() + cell * n_;
  double* const top = top_.data() + cell * n_;
  const auto drop = [&](double* values) {
    double best = 0;
    for (std::size_t s = 0; s < n_; ++s) best = std::max(best, values[s] * grammar.coarse_prior[s]);
    for (std::size_t s = 0; s < n_; ++s) {
      if (values[s] * grammar.coarse_prior[s] < cell_beam * best) values[s] = 0;
    }
  };
  drop(bottom);
  std::copy_n(bottom, n_, top);
  for (std::size_t s = 0; s < n_; ++s) {
    if (bottom[s] <= 0) continue;
    for (const auto& chain : grammar.coarse.chains(static_cast<Symbol>(s)))
      top[chain.parent] += chain.probability * bottom[s];
  }
  drop(top);
  const double most = *std::max_element(top, top + n_);
  if (most <= 0) return;
  int scale = 0;
  std::frexp(most, &scale);
  for (std::size_t s = 0; s < n_; ++s) {
    bottom[s] = std::ldexp(bottom[s], -scale);
    top[s] = std::ldexp(top[s], -scale);
    if (top[s] > 0) live_[cell * n_ + n_live_[cell]++] = static_cast<Symbol>(s);
  }
  exponents_[cell] = exponent + scale;
}

void CoarseChart::fill_outside(const Grammar& grammar) {
  // The exponent of an outside value is that of the whole less that of its cell: inside times outside is a share of
  // all.
  const std::size_t n_words = spans_.n_words();
  for (std::size_t width = n_words; width >= 1; --width) {
    for (std::size_t begin = 0; begin + width <= n_words; ++begin) {
      const std::size_t end = begin + width, cell = spans_.cell(begin, end);
      double* const out_top = out_top_.data() + cell * n_;
      double* const out_bottom = out_bottom_.data() + cell * n_;
      const double* const bottom = bottom_.data() + cell * n_;
      bool any = false;
      for (std::size_t s = 0; s < n_; ++s) {
        if (bottom[s] <= 0) continue;
        double sum = out_top[s];
        for (const auto& chain : grammar.coarse.chains(static_cast<Symbol>(s)))
          sum += chain.probability * out_top[chain.parent];
        if (sum * bottom[s] < least_posterior * total_) continue;
        out_bottom[s] = sum;
        any = true;
      }
      if (!any || width == 1) continue;
      for (std::size_t middle = begin + 1; middle < end; ++middle) {
        const std::size_t left = spans_.cell(begin, middle), right = spans_.cell(middle, end);
        if (!n_live_[left] || !n_live_[right]) continue;
        const int shift = exponents_[left] + exponents_[right] - exponents_[cell];
        if (shift < least_coarse_exponent) continue;
        const double factor = std::ldexp(1.0, shift);
        const double* const of_right = top_.data() + right * n_;
        double* const out_right = out_top_.data() + right * n_;
        for (std::uint32_t k = 0; k < n_live_[left]; ++k) {
          const Symbol symbol = live_[left * n_ + k];
          const double of_left = top_[left * n_ + symbol];
          double out_left = 0;
          for (const auto& group : grammar.coarse.groups(symbol)) {
            const double out = factor * out_bottom[group.parent];
            if (out <= 0) continue;
            double sum = 0;
            for (const auto& pair : grammar.coarse.pairs(group)) {
              const double value = of_right[pair.right];
              if (value <= 0) continue;
              sum += pair.probability * value;
              out_right[pair.right] += out * pair.probability * of_left;
            }
            out_left += out * sum;
          }
          out_top_[left * n_ + symbol] += out_left;
        }
      }
    }
  }
}

void CoarseChart::prune(double threshold) {
  const double least = threshold * total_;
  for (std::size_t at = 0; at < allowed_.size(); ++at) {
    const double low = bottom_[at] * out_bottom_[at], high = top_[at] * out_top_[at];
    allowed_[at] = static_cast<std::uint8_t>((low > least ? 1 : 0) | (high > least ? 2 : 0));
  }
}

}  // namespace dragoman::syntax
