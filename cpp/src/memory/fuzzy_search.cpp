#include "dragoman/memory/fuzzy_search.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace dragoman::memory {

namespace {

constexpr double kSameContext = 1.01, kSameText = 1.0, kSameWords = 0.99;
constexpr std::size_t kMostTokens = 60'000;  // of a query: what is shared is counted in 16 bits

double similarity(std::size_t distance, std::size_t longer) noexcept {
  return static_cast<double>(longer - distance) / static_cast<double>(longer);
}

bool same_context(const Context& a, const Context& b) noexcept {
  return a.previous != 0 && a.next != 0 && a.previous == b.previous && a.next == b.next;
}

}  // namespace

std::vector<Match> FuzzySearch::matches(const Query& query, std::size_t most, double threshold) {
  query_ = index_.source_.tokens_of(query.text);
  key_ = Index::key(query_);
  most_ = most;
  threshold_ = threshold;
  best_.clear();
  if (most > 0 && !query_.all.empty()) {
    look_for_same_words(query);
    if (query_.all.size() <= kMostTokens && bar() < 1) collect();
  }
  std::vector<Match> matches;
  for (const auto& [score, unit] : best_) {
    matches.push_back(
        {index_.ids_[unit], score, std::string(index_.source_.text(unit)), std::string(index_.target_.text(unit))});
  }
  return matches;
}

void FuzzySearch::propose(Slot unit, double score) {
  const auto before = [](const Candidate& a, const Candidate& b) {
    return a.score > b.score || (a.score == b.score && a.unit > b.unit);
  };
  const Candidate candidate{score, unit};
  if (score <= 0 || score < threshold_ || (best_.size() == most_ && !before(candidate, best_.back()))) return;
  const auto same = std::ranges::find_if(
      best_, [&](const Candidate& each) { return index_.target_.text(each.unit) == index_.target_.text(unit); });
  if (same != best_.end()) {
    if (!before(candidate, *same)) return;
    best_.erase(same);
  } else if (best_.size() == most_) {
    best_.pop_back();
  }
  best_.insert(std::ranges::upper_bound(best_, candidate, before), candidate);
}

void FuzzySearch::look_for_same_words(const Query& query) {
  if (index_.latest_.empty()) return;
  for (Slot at = index_.latest_[key_ & (index_.latest_.size() - 1)]; at != 0; at = index_.earlier_[at - 1]) {
    const Slot unit = at - 1;
    if (index_.removed_[unit] || index_.keys_[unit] != key_) continue;
    if (index_.source_.text(unit) == query.text) {
      propose(unit, same_context(index_.contexts_[unit], query.context) ? kSameContext : kSameText);
    } else if (same_words(unit)) {
      propose(unit, kSameWords);
    }
  }
}

/// True if the unit has the words of the query, or, where there are none, its tokens.
bool FuzzySearch::same_words(Slot unit) const noexcept {
  if (index_.keys_[unit] != key_) return false;
  const auto tokens = index_.source_.tokens(unit);
  if (query_.words.empty()) return std::ranges::equal(tokens, query_.all);
  std::size_t at = 0;
  for (const TokenId token : tokens) {
    if (index_.source_.kind(token) != WordKind::kWord) continue;
    if (at == query_.words.size() || query_.words[at] != token) return false;
    ++at;
  }
  return at == query_.words.size();
}

/// How many tokens each unit shares with the query at most, whatever their order.
void FuzzySearch::count_shared() {
  std::map<TokenId, std::size_t> counts;
  for (const TokenId token : query_.all) ++counts[token];
  shared_.assign(index_.ids_.size(), 0);
  std::uint16_t* const shared = shared_.data();
  for (const auto& [token, count] : counts) {
    if (token == text::kNoToken) continue;
    const auto most = static_cast<std::uint16_t>(count);
    if (const std::uint8_t* const column = count > 255 ? nullptr : index_.columns_.column(token)) {
      const std::size_t n = shared_.size();
      for (std::size_t i = 0; i < n; ++i) {
        shared[i] = static_cast<std::uint16_t>(shared[i] + std::min<std::uint16_t>(column[i], most));
      }
    } else {
      for (const Slot unit : index_.source_.units_with(token))
        shared[unit] = static_cast<std::uint16_t>(shared[unit] + most);
    }
  }
}

/// The highest score that a unit can have, by what it shares with the query.
double FuzzySearch::bound(Slot unit) const noexcept {
  const std::size_t longer = std::max<std::size_t>(query_.all.size(), index_.sizes_[unit]);
  return similarity(longer - std::min<std::size_t>(shared_[unit], longer), longer);
}

/// Put the units that can reach the bar into steps of their bounds.
void FuzzySearch::sort_by_bound() {
  by_bound_.resize(kSteps + 1);
  for (auto& units : by_bound_) units.clear();
  const auto length = static_cast<double>(query_.all.size());
  const auto fewest = static_cast<std::uint16_t>(std::max(1.0, std::ceil(bar() * length - 1e-9)));
  constexpr std::size_t kBlock = 64;  // units that are looked at together: most blocks have none
  for (std::size_t begin = 0; begin < shared_.size(); begin += kBlock) {
    const std::size_t end = std::min(shared_.size(), begin + kBlock);
    unsigned any = 0;
    for (std::size_t i = begin; i < end; ++i) any |= shared_[i] >= fewest;
    if (any == 0) continue;
    for (std::size_t i = begin; i < end; ++i) {
      const auto unit = static_cast<Slot>(i);
      if (shared_[i] < fewest || index_.sizes_[i] == 0) continue;
      if (const double most = bound(unit); most >= bar())
        by_bound_[static_cast<std::size_t>(most * kSteps)].push_back(unit);
    }
  }
}

void FuzzySearch::collect() {
  count_shared();
  sort_by_bound();
  set_masks(true);
  for (std::size_t step = kSteps + 1; step-- > 0;) {
    if (static_cast<double>(step + 1) / kSteps < bar()) break;
    for (const Slot unit : by_bound_[step]) {
      if (bound(unit) < bar()) continue;
      const auto tokens = index_.source_.tokens(unit);
      const double score =
          similarity(static_cast<std::size_t>(distance(tokens)), std::max(query_.all.size(), tokens.size()));
      if (score >= bar() && !same_words(unit)) propose(unit, score);
    }
  }
  set_masks(false);
}

/// Note the places of the query's tokens, or forget them again.
void FuzzySearch::set_masks(bool noted) {
  if (query_.all.size() > kShort) return;
  masks_.resize(index_.source_.n_words());
  for (std::size_t i = 0; i < query_.all.size(); ++i) {
    if (query_.all[i] == text::kNoToken) continue;
    std::uint64_t& mask = masks_[static_cast<std::size_t>(query_.all[i])];
    mask = noted ? mask | std::uint64_t{1} << i : 0;
  }
}

/// The edit distance to the query, of at most 64 tokens a column of the table at a time (Myers 1999, Hyyrö 2003).
int FuzzySearch::distance(std::span<const TokenId> tokens) {
  if (query_.all.size() > kShort) return long_.distance(tokens, query_.all);
  std::uint64_t more = ~std::uint64_t{0}, less = 0;  // cells one more, one less than their neighbour above
  const std::uint64_t last = std::uint64_t{1} << (query_.all.size() - 1);
  auto distance = static_cast<int>(query_.all.size());
  for (const TokenId token : tokens) {
    const std::uint64_t equal = masks_[static_cast<std::size_t>(token)];
    const std::uint64_t x = equal | less;
    const std::uint64_t diagonal = (((equal & more) + more) ^ more) | equal;
    std::uint64_t right = less | ~(diagonal | more);
    std::uint64_t left = more & diagonal;
    distance += static_cast<int>((right & last) != 0) - static_cast<int>((left & last) != 0);
    right = right << 1 | 1;
    left <<= 1;
    more = left | ~(x | right);
    less = right & x;
  }
  return distance;
}

}  // namespace dragoman::memory
