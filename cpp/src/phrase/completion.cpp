#include <algorithm>
#include <limits>

#include "dragoman/phrase/hypergraph.hpp"

namespace dragoman::phrase {

namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();
constexpr std::uint32_t kNoArc = 0xFFFFFFFF;

/// The best way to a node that has said so much of the wanted words.
struct Entry {
  double value = kNever;  // score less edits
  std::uint32_t edits = 0;
  std::uint32_t origin = 0;  // words said at the tail of the last arc
  std::uint32_t arc = kNoArc;
};
using Row = std::vector<Entry>;

constexpr std::size_t kNoHole = std::numeric_limits<std::size_t>::max();

/// Words, perhaps one of several behind them, perhaps a hole that anything may fill, perhaps words behind it.
class Wanted {
 public:
  Wanted(std::span<const TokenId> words, std::span<const TokenId> next, double cost)
      : edit_cost(cost), words_(words), next_(next.begin(), next.end()) {
    std::ranges::sort(next_);
  }
  Wanted(std::span<const TokenId> words, std::span<const TokenId> next, std::span<const TokenId> behind, double cost)
      : Wanted(words, next, cost) {
    hole = size();
    behind_ = behind;
  }

  double edit_cost;
  std::size_t hole = kNoHole;  // where words are free: all before it has been said

  std::size_t size() const { return words_.size() + (next_.empty() ? 0 : 1) + behind_.size(); }
  bool fits(std::size_t at, TokenId word) const {
    if (at < words_.size()) return words_[at] == word;
    if (at >= hole) return behind_[at - hole] == word;
    return std::ranges::binary_search(next_, word);
  }

 private:
  std::span<const TokenId> words_, behind_;
  std::vector<TokenId> next_;
};

Entry edited(Entry entry, double cost) {
  entry.value -= cost;
  ++entry.edits;
  return entry;
}

void take_better(Entry& best, const Entry& other) {
  if (other.value > best.value) best = other;
}

/// One word further on the way.
void read_word(const Wanted& wanted, TokenId word, const Row& before, Row& after) {
  for (std::size_t j = 0; j < before.size(); ++j) {
    after[j] = j == wanted.hole ? before[j] : edited(before[j], wanted.edit_cost);
    if (j == 0) continue;
    take_better(after[j], wanted.fits(j - 1, word) ? before[j - 1] : edited(before[j - 1], wanted.edit_cost));
    take_better(after[j], edited(after[j - 1], wanted.edit_cost));
  }
}

/// Where a way has said all that was wanted: at a node (no arc), or inside an arc after some of its words.
struct End {
  double value = kNever;
  std::uint32_t node = 0, arc = kNoArc;
  std::size_t n_words = 0;
  Entry entry;
};

Completion search(const Hypergraph& graph, const Wanted& wanted, bool whole) {
  Completion found;
  if (graph.n_nodes() == 0) return found;
  const auto arcs = graph.arcs();
  const auto behind = best_behind(graph);
  const std::size_t m = wanted.size();
  std::vector<Row> rows(graph.n_nodes(), Row(m + 1));
  for (std::size_t j = 0; j <= m; ++j) {
    rows[0][j].value = -wanted.edit_cost * static_cast<double>(j);
    rows[0][j].edits = static_cast<std::uint32_t>(j);
  }
  End best;
  Row now(m + 1), next(m + 1);
  const auto last = static_cast<std::uint32_t>(graph.n_nodes() - 1);
  for (std::uint32_t node = 0; node <= last; ++node) {
    for (std::uint32_t a = graph.arc_offsets()[node]; a < graph.arc_offsets()[node + 1]; ++a) {
      const Row& from = rows[arcs[a].from];
      for (std::size_t j = 0; j <= m; ++j) {
        now[j] = from[j];
        now[j].value += arcs[a].score;
        now[j].origin = static_cast<std::uint32_t>(j);
        now[j].arc = a;
      }
      const auto words = graph.words_of(arcs[a].phrase);
      for (std::size_t i = 0; i < words.size(); ++i) {
        read_word(wanted, words[i], now, next);
        std::swap(now, next);
        const double value = now[m].value + behind[node];
        if (!whole && i + 1 < words.size() && value > best.value) best = {value, node, a, i + 1, now[m]};
      }
      for (std::size_t j = 0; j <= m; ++j) take_better(rows[node][j], now[j]);
    }
    const double value = rows[node][m].value + behind[node];
    if ((node == last || !whole) && value > best.value) best = {value, node, kNoArc, 0, rows[node][m]};
  }

  // Back to the beginning, then on along the best.
  found.edits = best.entry.edits;
  found.path.score = best.value + wanted.edit_cost * static_cast<double>(found.edits);
  found.n_words = best.n_words;
  auto entry = best.entry;
  bool inside = best.arc != kNoArc;
  while (entry.arc != kNoArc) {
    if (!inside) found.n_words += graph.words_of(arcs[entry.arc].phrase).size();
    inside = false;
    found.path.arcs.push_back(entry.arc);
    entry = rows[arcs[entry.arc].from][entry.origin];
  }
  std::ranges::reverse(found.path.arcs);
  std::vector<std::uint32_t> onward(graph.n_nodes(), kNoArc);
  for (std::uint32_t a = 0; a < arcs.size(); ++a) {
    auto& known = onward[arcs[a].from];
    if (known == kNoArc || behind[arcs[a].to] + arcs[a].score > behind[arcs[known].to] + arcs[known].score) known = a;
  }
  for (std::uint32_t node = best.node; node != last; node = arcs[onward[node]].to) found.path.arcs.push_back(onward[node]);
  return found;
}

}  // namespace

Completion complete(const Hypergraph& graph, std::span<const TokenId> prefix, std::span<const TokenId> next,
                    double edit_cost) {
  return search(graph, Wanted(prefix, next, edit_cost), false);
}

Completion closest(const Hypergraph& graph, std::span<const TokenId> target) {
  // More than any difference of scores: fewer edits come first.
  return search(graph, Wanted(target, {}, 1e6), true);
}

Completion bridge(const Hypergraph& graph, std::span<const TokenId> prefix, std::span<const TokenId> next,
                  std::span<const TokenId> suffix, double edit_cost) {
  return search(graph, Wanted(prefix, next, suffix, edit_cost), true);
}

}  // namespace dragoman::phrase
