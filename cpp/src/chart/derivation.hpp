#pragma once

#include <span>
#include <utility>
#include <vector>

#include "dragoman/chart/search.hpp"
#include "rule_book.hpp"

namespace dragoman::chart {

/// A word of a derivation: which of its rules says it, and where among the rule's symbols.
struct Said {
  static constexpr std::uint32_t kNothing = 0xFFFFFFFF;  // a rule without gaps that says nothing

  const Arc* arc;
  std::uint32_t place;
};

/// The words of a derivation, whose arcs stand each behind those of its tails.
std::vector<Said> said_by(std::span<const Arc* const> arcs);

/// Whether an arc puts a word in that no rule says.
bool is_put_in(const Arc& arc);

/// The source words that a rule with its gaps stands for. A word that is put in stands for none, and is counted to the
/// one before it.
Span source_of(const Arc& arc);

/// The links of a rule where it stands: source places from the beginning of its span, gaps as long as what fills them;
/// target places among its symbols. What is too far away for a link is left out.
std::vector<Link> links_at(const Arc& arc);

/// Put together what arcs make, each behind those of its tails: `make(arc, parts)` gives what an arc makes of what its
/// tails made, in their order.
template <class T, class Make>
T folded(std::span<const Arc* const> arcs, const T& beginning, const Make& make) {
  std::vector<T> waiting, parts;
  for (const Arc* arc : arcs) {
    std::size_t n_waiting = 0;
    for (const Item* tail : arc->tails) n_waiting += tail->arcs ? 1 : 0;
    std::size_t next = waiting.size() - n_waiting;
    parts.clear();
    for (const Item* tail : arc->tails) parts.push_back(tail->arcs ? std::move(waiting[next++]) : beginning);
    waiting.resize(waiting.size() - n_waiting);
    waiting.push_back(make(*arc, std::span<T>(parts)));
  }
  return waiting.empty() ? beginning : std::move(waiting.back());
}

}  // namespace dragoman::chart
