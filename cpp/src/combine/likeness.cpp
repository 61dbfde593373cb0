#include "dragoman/combine/likeness.hpp"

#include <algorithm>
#include <cmath>

namespace dragoman::combine {

namespace {

constexpr float kUnlike = 1;

bool share_one(std::span<const std::int32_t> a, std::span<const std::int32_t> b) {
  for (auto x = a.begin(), y = b.begin(); x != a.end() && y != b.end();) {
    if (*x == *y) return true;
    *x < *y ? ++x : ++y;
  }
  return false;
}

}  // namespace

void Likeness::open(std::span<const Word> words) {
  types_.assign(words.begin(), words.end());
  std::ranges::sort(types_);
  types_.erase(std::unique(types_.begin(), types_.end()), types_.end());
  costs_.assign(types_.size() * types_.size(), 0);
  p_.clear();
  for (std::size_t a = 0; a < types_.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      costs_[a * types_.size() + b] = costs_[b * types_.size() + a] = cost_of(types_[a], types_[b]);
    }
  }
}

Word Likeness::local(Word word) const {
  return static_cast<Word>(std::ranges::lower_bound(types_, word) - types_.begin());
}

float Likeness::cost_of(Word a, Word b) const {
  const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
  if (facts_.stems[i] == facts_.stems[j]) return static_cast<float>(options_.stem_cost);
  if (facts_.kin.size() != 0 && share_one(facts_.kin[i], facts_.kin[j])) return static_cast<float>(options_.kin_cost);
  return kUnlike;
}

/// exp(ρ(s − 1)), s being the share of the longer word's letters with which both begin.
double Likeness::surface_of(Word a, Word b) const {
  if (a == b) return 1;
  const auto x = facts_.letters[static_cast<std::size_t>(a)], y = facts_.letters[static_cast<std::size_t>(b)];
  const auto ends = std::ranges::mismatch(x, y);
  const double same = static_cast<double>(ends.in1 - x.begin());
  return std::exp(options_.surface *
                  (same / static_cast<double>(std::max<std::size_t>(1, std::max(x.size(), y.size()))) - 1));
}

/// p(b | a) = Σ_f p(f | a) p(b | f) over the source's words f.
std::vector<double> Likeness::semantics(std::span<const std::int32_t> source) const {
  const std::size_t n = types_.size();
  std::vector<double> sums(n * n), to(n), from(n);
  for (const std::int32_t f : source) {
    const auto row = static_cast<std::size_t>(f);
    const auto targets = facts_.translations[row];
    const auto first = static_cast<std::size_t>(facts_.translations.offsets[row]);
    std::ranges::fill(to, 0);
    std::ranges::fill(from, 0);
    for (std::size_t k = 0; k < targets.size(); ++k) {
      const auto type = std::ranges::lower_bound(types_, targets[k]);
      if (type == types_.end() || *type != targets[k]) continue;
      to[static_cast<std::size_t>(type - types_.begin())] = facts_.p_target[first + k];
      from[static_cast<std::size_t>(type - types_.begin())] = facts_.p_source[first + k];
    }
    for (std::size_t a = 0; a < n; ++a) {
      if (from[a] == 0) continue;
      for (std::size_t b = 0; b < n; ++b) sums[a * n + b] += from[a] * to[b];
    }
  }
  return sums;
}

void Likeness::compute_p(std::span<const std::int32_t> source) {
  const std::size_t n = types_.size();
  const bool has_source = facts_.translations.size() != 0;
  const double share = has_source ? options_.semantic : 0;
  const auto meaning = has_source ? semantics(source) : std::vector<double>();
  p_.resize(n * n);
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) {
      // Forms and synonyms are as like as a cost says, whatever their spelling.
      double surface = std::max(surface_of(types_[a], types_[b]), std::exp(-options_.surface * costs_[a * n + b]));
      if (has_source) surface = share * std::min(1.0, meaning[a * n + b]) + (1 - share) * surface;
      p_[a * n + b] = static_cast<float>(surface);
    }
  }
}

}  // namespace dragoman::combine
