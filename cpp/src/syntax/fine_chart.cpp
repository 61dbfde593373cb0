#include "dragoman/syntax/fine_chart.hpp"

#include <algorithm>
#include <cmath>

namespace dragoman::syntax {

namespace {

constexpr double none = -INFINITY;
constexpr int least_exponent = -400;

}  // namespace

const FineChart::Item* FineChart::find(std::span<const Item> items, Symbol symbol) {
  const auto at = std::ranges::lower_bound(items, symbol, {}, &Item::symbol);
  return at != items.end() && at->symbol == symbol ? &*at : nullptr;
}

double FineChart::log_inside(std::size_t cell, const Item& item) const {
  return std::log(item.inside) + exponents_[cell] * std::log(2.0);
}

void FineChart::run(const Grammar& grammar, std::span<const std::int32_t> rows, const CoarseChart* coarse,
                    double beam) {
  spans_ = Spans(rows.size());
  const std::size_t n_cells = spans_.n_cells(), n_symbols = grammar.fine.n_symbols();
  for (auto* layer : {&bottom_, &top_}) {
    layer->resize(std::max(layer->size(), n_cells));
    for (std::size_t cell = 0; cell < n_cells; ++cell) (*layer)[cell].clear();
  }
  exponents_.assign(n_cells, 0);
  best_.assign(n_symbols, none);
  inside_.assign(n_symbols, 0.0);
  right_best_.assign(n_symbols, none);
  right_inside_.assign(n_symbols, 0.0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t cell = spans_.cell(i, i + 1);
    const Lexicon& lexicon = grammar.lexicon;
    double most = none;
    for (auto at = lexicon.offsets[rows[i]]; at < lexicon.offsets[rows[i] + 1]; ++at)
      most = std::max(most, lexicon.scores[at]);
    const int exponent = std::isfinite(most) ? static_cast<int>(std::floor(most / std::log(2.0))) : 0;
    for (auto at = lexicon.offsets[rows[i]]; at < lexicon.offsets[rows[i] + 1]; ++at) {
      const Symbol symbol = lexicon.symbols[at];
      if (coarse != nullptr && !coarse->may_be_bottom(cell, grammar.coarse_of[symbol])) continue;
      add(symbol, lexicon.scores[at], std::exp(lexicon.scores[at] - exponent * std::log(2.0)));
    }
    finish_cell(grammar, cell, exponent, coarse, beam);
  }
  for (std::size_t width = 2; width <= rows.size(); ++width) {
    for (std::size_t begin = 0; begin + width <= rows.size(); ++begin) {
      const std::size_t end = begin + width;
      int most = INT32_MIN;
      for (std::size_t middle = begin + 1; middle < end; ++middle) {
        const std::size_t left = spans_.cell(begin, middle), right = spans_.cell(middle, end);
        if (!top_[left].empty() && !top_[right].empty()) most = std::max(most, exponents_[left] + exponents_[right]);
      }
      if (most == INT32_MIN) continue;
      exponents_[spans_.cell(begin, end)] = most;
      fill(grammar, begin, end, coarse);
      finish_cell(grammar, spans_.cell(begin, end), most, coarse, beam);
    }
  }
}

void FineChart::add(Symbol symbol, double best, double inside) {
  if (best_[symbol] == none) touched_.push_back(symbol);
  best_[symbol] = std::max(best_[symbol], best);
  inside_[symbol] += inside;
}

void FineChart::fill(const Grammar& grammar, std::size_t begin, std::size_t end, const CoarseChart* coarse) {
  const std::size_t cell = spans_.cell(begin, end);
  for (std::size_t middle = begin + 1; middle < end; ++middle) {
    const std::size_t left = spans_.cell(begin, middle), right = spans_.cell(middle, end);
    if (top_[left].empty() || top_[right].empty()) continue;
    const int shift = exponents_[left] + exponents_[right] - exponents_[cell];
    const double factor = shift < least_exponent ? 0.0 : std::ldexp(1.0, shift);
    for (const Item& item : top_[right]) {
      right_best_[item.symbol] = item.best;
      right_inside_[item.symbol] = item.inside;
    }
    for (const Item& item : top_[left]) {
      for (const auto& group : grammar.fine.groups(item.symbol)) {
        if (coarse != nullptr && !coarse->may_be_bottom(cell, grammar.coarse_of[group.parent])) continue;
        double most = none, sum = 0;
        for (const auto& pair : grammar.fine.pairs(group)) {
          const double best = right_best_[pair.right];
          if (best == none) continue;
          most = std::max(most, best + pair.score);
          sum += pair.probability * right_inside_[pair.right];
        }
        if (most != none) add(group.parent, item.best + most, factor * item.inside * sum);
      }
    }
    for (const Item& item : top_[right]) {
      right_best_[item.symbol] = none;
      right_inside_[item.symbol] = 0;
    }
  }
}

void FineChart::collect(const Grammar& grammar, std::vector<Item>& items, double beam) {
  double most = none;
  for (const Symbol symbol : touched_) most = std::max(most, best_[symbol] + grammar.log_prior[symbol]);
  items.clear();
  for (const Symbol symbol : touched_) {
    if (best_[symbol] + grammar.log_prior[symbol] >= most - beam)
      items.push_back({symbol, best_[symbol], inside_[symbol]});
    best_[symbol] = none;
    inside_[symbol] = 0;
  }
  touched_.clear();
  std::ranges::sort(items, {}, &Item::symbol);
}

void FineChart::finish_cell(const Grammar& grammar, std::size_t cell, int exponent, const CoarseChart* coarse,
                            double beam) {
  collect(grammar, bottom_[cell], beam);
  for (const Item& item : bottom_[cell]) add(item.symbol, item.best, item.inside);
  for (const Item& item : bottom_[cell]) {
    for (const auto& chain : grammar.fine.chains(item.symbol)) {
      if (coarse != nullptr && !coarse->may_be_top(cell, grammar.coarse_of[chain.parent])) continue;
      add(chain.parent, item.best + chain.score, item.inside * chain.probability);
    }
  }
  collect(grammar, top_[cell], beam);
  double most = 0;
  for (const Item& item : top_[cell]) most = std::max(most, item.inside);
  if (most <= 0) {
    exponents_[cell] = exponent;
    return;
  }
  int scale = 0;
  std::frexp(most, &scale);
  for (auto* layer : {&bottom_[cell], &top_[cell]}) {
    for (Item& item : *layer) item.inside = std::ldexp(item.inside, -scale);
  }
  exponents_[cell] = exponent + scale;
}

}  // namespace dragoman::syntax
