#include "dragoman/metrics/pivots.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "dragoman/core/errors.hpp"
#include "numbers.hpp"

namespace dragoman::metrics {

namespace {

using Tokens = std::span<const std::int32_t>;

constexpr double kUnknownCount = 0.5;  // of a word that is no phrase
constexpr double kSame = 1e-9;         // log-probabilities that rounding tells apart
constexpr double kFunctionWord = 0.1;

void check_runs(const PivotRuns& runs) {
  if (runs.offsets.empty() || runs.offsets.front() != 0 || !std::ranges::is_sorted(runs.offsets) ||
      runs.offsets.back() != static_cast<std::int64_t>(runs.ids.size())) {
    throw data_error("The offsets of a pivot table must rise from 0 to the number of ids.");
  }
}

bool is_less(Tokens a, Tokens b) { return std::ranges::lexicographical_compare(a, b); }

std::size_t length(const PivotGram& gram) {
  return static_cast<std::size_t>(std::ranges::find(gram, -1) - gram.begin());
}

/// The n-grams of a network of translations: a token begins one, and each choice of the next phrase goes on with it.
template <class Slots>
class Walk {
 public:
  Walk(const Slots& slots, std::size_t order, PivotBag& bag) : slots_(slots), order_(order), bag_(bag) {}

  void from(std::size_t slot, std::size_t choice, std::size_t token) {
    PivotGram gram;
    gram.fill(-1);
    step(slot, choice, token, gram, 0, slots_[slot][choice].p);
  }

 private:
  void step(std::size_t slot, std::size_t choice, std::size_t token, PivotGram& gram, std::size_t n, double p) {
    if (n >= gram.size()) return;
    const Tokens tokens = slots_[slot][choice].tokens;
    gram[n] = tokens[token];
    bag_[gram] += p;
    if (n + 1 < order_) {
      if (token + 1 < tokens.size()) {
        step(slot, choice, token + 1, gram, n + 1, p);
      } else if (slot + 1 < slots_.size()) {
        for (std::size_t k = 0; k < slots_[slot + 1].size(); ++k) {
          step(slot + 1, k, 0, gram, n + 1, p * slots_[slot + 1][k].p);
        }
      }
    }
    gram[n] = -1;
  }

  const Slots& slots_;
  std::size_t order_;
  PivotBag& bag_;
};

double discount(const PivotGram& gram, const PivotLexicon& lexicon) {
  double weight = 1.0;
  for (std::size_t k = 0; k < length(gram); ++k) {
    if (lexicon.is_function_word[index(gram[k])]) weight *= kFunctionWord;
  }
  return weight;
}

PivotBag renamed(const PivotBag& bag, Tokens names, const PivotLexicon& lexicon) {
  PivotBag out;
  for (const auto& [gram, weight] : bag) {
    PivotGram name = gram;
    for (std::size_t k = 0; k < length(gram); ++k) name[k] = names[index(gram[k])];
    out[name] += weight * discount(gram, lexicon);
  }
  return out;
}

}  // namespace

Tokens PivotRuns::operator[](std::size_t i) const {
  return Tokens(ids).subspan(index(offsets[i]), index(offsets[i + 1] - offsets[i]));
}

PivotTable::PivotTable(PivotRuns phrases, std::vector<double> counts, std::vector<std::int64_t> choices,
                       PivotRuns translations, std::vector<double> p, std::int32_t n_kinds)
    : phrases_(std::move(phrases)),
      counts_(std::move(counts)),
      choices_(std::move(choices)),
      translations_(std::move(translations)),
      p_(std::move(p)),
      n_kinds_(n_kinds) {
  check_runs(phrases_);
  check_runs(translations_);
  if (counts_.size() != size() || choices_.size() != size() + 1 || p_.size() != translations_.size() ||
      choices_.front() != 0 || choices_.back() != static_cast<std::int64_t>(p_.size()) ||
      !std::ranges::is_sorted(choices_)) {
    throw data_error("A pivot table has one count and a run of translations for each phrase.");
  }
  const auto is_kind = [&](std::int32_t id) { return id >= 0 && id < n_kinds_; };
  const auto is_share = [](double each) { return each > 0.0 && each <= 1.0 + 1e-6; };
  const auto is_count = [](double each) { return each > 0.0 && std::isfinite(each); };
  if (!std::ranges::all_of(translations_.ids, is_kind) || !std::ranges::all_of(p_, is_share) ||
      !std::ranges::all_of(counts_, is_count)) {
    throw data_error("A pivot table has a token, a probability or a count that is none.");
  }
  for (std::size_t i = 0; i < size(); ++i) {
    if (phrases_[i].empty() || (i && !is_less(phrases_[i - 1], phrases_[i])) || choices_[i] == choices_[i + 1]) {
      throw data_error("The phrases of a pivot table must rise, and each must have words and a translation.");
    }
    longest_ = std::max(longest_, phrases_[i].size());
  }
  for (std::size_t i = 0; i < translations_.size(); ++i) {
    if (translations_[i].empty()) throw data_error("A translation of a pivot table is empty.");
  }
  log_total_ = std::log(std::max(1.0, std::accumulate(counts_.begin(), counts_.end(), 0.0)));
}

std::ptrdiff_t PivotTable::find(Tokens words) const {
  std::size_t low = 0, high = size();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    is_less(phrases_[middle], words) ? low = middle + 1 : high = middle;
  }
  return low < size() && std::ranges::equal(phrases_[low], words) ? static_cast<std::ptrdiff_t>(low) : -1;
}

double PivotTable::log_p(Tokens words) const {
  const auto phrase = find(words);
  if (phrase >= 0) return std::log(counts_[static_cast<std::size_t>(phrase)]) - log_total_;
  return words.size() == 1 ? std::log(kUnknownCount) - log_total_ : -std::numeric_limits<double>::infinity();
}

std::vector<std::pair<std::size_t, std::size_t>> PivotTable::cut(Tokens words) const {
  struct Best {
    double log_p = 0.0;
    std::size_t n_phrases = 0, length = 0;
  };
  std::vector<Best> best(words.size() + 1);
  for (std::size_t i = words.size(); i-- > 0;) {
    for (std::size_t n = std::min(longest_, words.size() - i); n > 0; --n) {
      const double own = log_p(words.subspan(i, n));
      if (std::isinf(own)) continue;
      const Best each{own + best[i + n].log_p, 1 + best[i + n].n_phrases, n};
      const double gain = each.log_p - best[i].log_p;
      const bool is_better = gain > kSame || (gain > -kSame && each.n_phrases < best[i].n_phrases);
      if (best[i].length == 0 || is_better) best[i] = each;
    }
  }
  std::vector<std::pair<std::size_t, std::size_t>> pieces;
  for (std::size_t i = 0; i < words.size(); i += best[i].length) pieces.emplace_back(i, i + best[i].length);
  return pieces;
}

PivotBag PivotTable::bag(Tokens words, std::size_t order, double least) const {
  std::vector<std::int32_t> own(words.begin(), words.end());  // words that translate themselves
  for (auto& each : own) each += n_kinds_;
  std::vector<std::vector<Choice>> slots;
  for (const auto& [begin, end] : cut(words)) {
    auto& slot = slots.emplace_back();
    const auto phrase = find(words.subspan(begin, end - begin));
    if (phrase < 0) {
      slot.push_back({Tokens(own).subspan(begin, 1), 1.0});
      continue;
    }
    const auto place = static_cast<std::size_t>(phrase);
    for (auto k = index(choices_[place]); k < index(choices_[place + 1]); ++k)
      slot.push_back({translations_[k], p_[k]});
  }
  PivotBag bag;
  Walk walk(slots, std::min(order, kPivotOrders), bag);
  for (std::size_t s = 0; s < slots.size(); ++s) {
    for (std::size_t k = 0; k < slots[s].size(); ++k) {
      for (std::size_t t = 0; t < slots[s][k].tokens.size(); ++t) walk.from(s, k, t);
    }
  }
  std::erase_if(bag, [&](const auto& each) { return each.second <= least; });
  return bag;
}

std::vector<double> pivot_row(const PivotBag& ours, const PivotBag& theirs, std::size_t order,
                              const PivotLexicon& lexicon) {
  std::vector<double> row(4 * order);
  const Tokens names[] = {lexicon.lemmas, lexicon.tags};
  for (std::size_t kind = 0; kind < 2; ++kind) {
    const PivotBag left = renamed(ours, names[kind], lexicon), right = renamed(theirs, names[kind], lexicon);
    for (const auto& [gram, weight] : left) {
      const auto other = right.find(gram);
      if (other != right.end()) row[4 * (length(gram) - 1) + kind] += std::min(weight, other->second);
    }
  }
  for (const auto& [side, bag] : {std::pair{2, &ours}, std::pair{3, &theirs}}) {
    for (const auto& [gram, weight] : *bag) {
      row[4 * (length(gram) - 1) + static_cast<std::size_t>(side)] += weight * discount(gram, lexicon);
    }
  }
  return row;
}

}  // namespace dragoman::metrics
