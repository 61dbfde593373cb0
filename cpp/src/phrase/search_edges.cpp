#include <algorithm>
#include <cstdlib>

#include "dragoman/core/hash.hpp"
#include "search_parts.hpp"
#include "target.hpp"

namespace dragoman::phrase {

const Coverage* Search::cover(const Coverage* before, Span span) {
  const std::size_t n_blocks = options_.length() / 64 + 1;
  if (before) {
    scratch_.assign(before->blocks.begin(), before->blocks.end());
  } else {
    scratch_.assign(n_blocks, 0);
  }
  for (std::size_t word = span.begin; word < span.end; ++word) scratch_[word / 64] |= std::uint64_t{1} << (word % 64);
  const auto hash_of = [](std::span<const std::uint64_t> blocks) {
    return hash_bytes({reinterpret_cast<const char*>(blocks.data()), blocks.size_bytes()});
  };
  if (2 * n_coverages_ >= coverages_.size()) {
    std::vector<const Coverage*> old(coverages_.size() * 4, nullptr);
    std::swap(old, coverages_);
    for (const Coverage* each : old) {
      if (each == nullptr) continue;
      std::size_t slot = hash_of(each->blocks) & (coverages_.size() - 1);
      while (coverages_[slot] != nullptr) slot = (slot + 1) & (coverages_.size() - 1);
      coverages_[slot] = each;
    }
  }
  std::size_t slot = hash_of(scratch_) & (coverages_.size() - 1);
  for (; coverages_[slot] != nullptr; slot = (slot + 1) & (coverages_.size() - 1)) {
    if (std::ranges::equal(coverages_[slot]->blocks, scratch_)) return coverages_[slot];
  }
  const auto blocks = arena_.make<std::uint64_t>(n_blocks);
  std::ranges::copy(scratch_, blocks.begin());
  Coverage* const made = arena_.make<Coverage>();
  const auto n_covered = (before ? before->n_covered : 0) + (span.end - span.begin);
  *made = {blocks, static_cast<std::uint32_t>(n_coverages_++), before ? before->first_gap : 0, n_covered, 0};
  coverages_[slot] = made;
  while (made->first_gap < options_.length() && made->covers(made->first_gap)) ++made->first_gap;
  for (std::size_t begin = made->first_gap, left = options_.length() - n_covered; left > 0;) {
    // Behind the last covered word everything is open: no need to look at each.
    std::size_t end = begin;
    while (end < options_.length() && !made->covers(end)) ++end;
    made->future += options_.future(begin, end);
    left -= end - begin;
    begin = end;
    while (begin < options_.length() && made->covers(begin)) ++begin;
  }
  return made;
}

/// From a finished stack, the cubes that lead to later ones.
void Search::open_edges(std::size_t covered) {
  Stack& stack = stacks_[covered];
  ordered_.clear();
  for (Hypothesis* each : stack.hypotheses) {
    const std::uint64_t group = std::uint64_t{each->coverage->number} << 32 | last_span(*each).end;
    const std::uint64_t constraint = std::uint64_t{each->target} << 32 | (limits_.itg ? each->stack->number : 0);
    ordered_.push_back({group, constraint, each->score, each->number, each});
  }
  std::sort(ordered_.begin(), ordered_.end(), [](const Ordered& a, const Ordered& b) {
    if (a.group != b.group) return a.group < b.group;
    if (a.constraint != b.constraint) return a.constraint < b.constraint;
    return a.score != b.score ? a.score > b.score : a.number < b.number;
  });
  stack.ordered.clear();
  for (const Ordered& each : ordered_) stack.ordered.push_back(each.hypothesis);
  for (std::size_t first = 0; first < ordered_.size();) {
    std::size_t last = first;
    while (last < ordered_.size() && ordered_[last].group == ordered_[first].group &&
           ordered_[last].constraint == ordered_[first].constraint) {
      ++last;
    }
    open_edges_of(covered, std::span<const Hypothesis* const>(stack.ordered).subspan(first, last - first));
    first = last;
  }
}

/// The cubes of hypotheses that cover the same words, end at the same place and may go on in the same ways.
void Search::open_edges_of(std::size_t covered, std::span<const Hypothesis* const> group) {
  const Hypothesis& best = *group.front();
  const Coverage& coverage = *best.coverage;
  const std::size_t length = options_.length(), gap = coverage.first_gap;
  const int limit = static_cast<int>(std::min<std::size_t>(limits_.distortion_limit, 1U << 20));
  const int end_before = options_.distance(last_span(best).end);
  std::size_t wall = length;
  if (constraints_) {
    const auto next = std::ranges::upper_bound(constraints_->walls, static_cast<std::uint16_t>(gap));
    if (next != constraints_->walls.end()) wall = *next;
  }
  for (std::size_t begin = gap; begin < length; ++begin) {
    // No later word is nearer than one that is too far away; in a lattice it may be.
    if (begin != gap && options_.is_linear() && static_cast<int>(begin - gap) >= limit) break;
    if (coverage.covers(begin)) continue;
    // The way back to the first gap is always open, or the search could end in front of it.
    if (begin != gap && std::abs(options_.distance(begin) - end_before) > limit) continue;
    for (std::size_t end = begin + 1; end <= std::min(length, begin + options_.longest()); ++end) {
      if (coverage.covers(end - 1)) break;
      if (begin != gap && end > wall) break;
      if (begin != gap && options_.distance(end) - options_.distance(gap) > limit) continue;
      auto options = options_.at(begin, end);
      if (options.empty()) continue;
      const Span span{static_cast<std::uint16_t>(begin), static_cast<std::uint16_t>(end)};
      if (limits_.itg && !blocks_.allows(best.stack, span)) continue;
      const std::size_t covered_then = covered + options_.steps(begin, end);
      if (constraints_ && constraints_->target) {
        options = admitted(options, best.target, covered_then == options_.steps(0, length));
        if (options.empty()) continue;
      }
      const Coverage* const after = cover(&coverage, span);
      if (after->future <= OptionSet::kImpossible / 2) continue;
      Edge* const edge = arena_.make<Edge>();
      *edge = {group, options, after};
      stacks_[covered_then].edges.push_back(edge);
    }
  }
}

/// The options that say what the target wants next, best first.
std::span<const Option* const> Search::admitted(std::span<const Option* const> options, std::size_t target, bool last) {
  std::vector<const Option*> kept;
  for (const Option* option : options) {
    const std::uint64_t key = std::uint64_t{option->number} << 32 | target << 1 | (last ? 1 : 0);
    const auto [place, is_new] = fitted_.try_emplace(key, nullptr);
    if (is_new) place->second = fitted(*option, target, last);
    if (place->second) kept.push_back(place->second);
  }
  std::ranges::stable_sort(kept, [](const Option* a, const Option* b) { return a->estimate() > b->estimate(); });
  const auto all = arena_.make<const Option*>(kept.size());
  std::ranges::copy(kept, all.begin());
  return all;
}

/// An option as it can stand behind so many words of the target: as it is, or with words inserted that nothing gives,
/// or not at all (null).
const Option* Search::fitted(const Option& option, std::size_t place, bool last) {
  const Target& target = *constraints_->target;
  const std::size_t n_places = places(target), n = option.translation.words.size();
  std::size_t inserted = 0;
  while (!fits(target, place + inserted, option)) {
    if (!target.artificial || place + inserted >= target.words.size()) return nullptr;
    ++inserted;
  }
  const std::size_t said = place + inserted + n;
  if (last && said < n_places && !target.artificial) return nullptr;
  const std::size_t missing = last && said < n_places ? n_places - said : 0;
  if (inserted == 0 && missing == 0) return &option;
  return options_.altered(option, [&](Option& made, Arena& arena) {
    const auto words = arena.make<TokenId>(inserted + n + missing);
    const auto word = [&](std::size_t at) { return at < target.words.size() ? target.words[at] : target.next.front(); };
    for (std::size_t i = 0; i < inserted; ++i) words[i] = word(place + i);
    std::ranges::copy(option.translation.words, words.begin() + static_cast<std::ptrdiff_t>(inserted));
    for (std::size_t i = 0; i < missing; ++i) words[inserted + n + i] = word(said + i);
    const auto links = arena.make<Link>(option.translation.links.size());
    for (std::size_t i = 0; i < links.size(); ++i) {
      const Link link = option.translation.links[i];
      links[i] = {link.source, static_cast<std::uint8_t>(std::min<std::size_t>(255, link.target + inserted))};
    }
    made.translation.words = words;
    made.translation.links = links;
    made.n_unknown += static_cast<std::uint32_t>(inserted + missing);
  });
}

}  // namespace dragoman::phrase
