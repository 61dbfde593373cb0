#include "dragoman/graph/completion.hpp"

#include <algorithm>
#include <limits>

#include "inside.hpp"

namespace dragoman::graph {

namespace {

constexpr std::uint32_t kNoArc = 0xFFFFFFFF;

/// The best that a node can say from one place of the wanted words to another.
struct Entry {
  double value = kNever;  // score less edits
  std::uint32_t edits = 0;
  std::uint32_t n_words = 0;  // that stand for wanted ones; those in a hole do not
  std::uint32_t origin = 0;   // the place in the row before
  std::uint32_t arc = kNoArc;
};
using Row = std::vector<Entry>;  // by the place that is reached
using Cells = std::span<Entry>;  // a row of the search's one array: most nodes have one, of a few places

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

class CompletionSearch {
 public:
  CompletionSearch(const Hypergraph& graph, const Wanted& wanted)
      : graph_(graph), wanted_(wanted), m_(wanted.size()), now_(m_ + 1), next_(m_ + 1) {
    // From any place of the wanted words where a node may be said there; from the first alone where it comes first.
    const std::vector<bool> inner = inner_nodes(graph);
    first_row_.reserve(graph.n_nodes() + 1);
    first_row_.push_back(0);
    for (const bool each : inner) first_row_.push_back(first_row_.back() + (each ? m_ + 1 : 1));
    cells_.resize(first_row_.back() * (m_ + 1));
  }

  Completion run() {
    std::ranges::copy(nothing(0), row(0, 0).begin());
    for (std::uint32_t arc = 0; arc < graph_.arcs().size(); ++arc) {
      const std::uint32_t to = graph_.arcs()[arc].to;
      for (std::size_t start = 0; start < n_rows(to); ++start) {
        const Row& said = say(arc, start, nullptr);
        const Cells best = row(to, start);
        for (std::size_t j = start; j <= m_; ++j) {
          if (!(said[j].value > best[j].value)) continue;
          best[j] = said[j];
          best[j].arc = arc;
        }
      }
    }
    const auto end = static_cast<std::uint32_t>(graph_.n_nodes() - 1);
    const Entry& best = row(end, 0)[m_];
    Completion found;
    found.edits = best.edits;
    found.n_words = best.n_words;
    found.path.score = best.value + wanted_.edit_cost * static_cast<double>(best.edits);
    follow(found.path);
    return found;
  }

 private:
  std::size_t n_rows(std::uint32_t node) const { return first_row_[node + 1] - first_row_[node]; }
  Cells row(std::uint32_t node, std::size_t start) {
    return Cells(cells_).subspan((first_row_[node] + start) * (m_ + 1), m_ + 1);
  }

  /// Nothing is said, but wanted words may be left out.
  Row nothing(std::size_t start) const {
    Row row(m_ + 1);
    for (std::size_t j = start; j <= m_; ++j) {
      row[j].value = -wanted_.edit_cost * static_cast<double>(j - start);
      row[j].edits = static_cast<std::uint32_t>(j - start);
    }
    return row;
  }

  Entry edited(Entry entry) const {
    entry.value -= wanted_.edit_cost;
    ++entry.edits;
    return entry;
  }

  static Entry come_from(Entry entry, std::size_t origin, std::uint32_t n_words) {
    entry.origin = static_cast<std::uint32_t>(origin);
    entry.n_words += n_words;
    return entry;
  }

  void read_word(TokenId word, std::size_t start, const Row& before, Row& after) const {
    for (std::size_t j = start; j <= m_; ++j) {
      after[j] = j == wanted_.hole ? come_from(before[j], j, 0) : come_from(edited(before[j]), j, 1);
      if (j == start) continue;
      const auto take_better = [&](const Entry& other) {
        if (other.value > after[j].value) after[j] = other;
      };
      take_better(come_from(wanted_.fits(j - 1, word) ? before[j - 1] : edited(before[j - 1]), j - 1, 1));
      take_better(edited(after[j - 1]));
    }
  }

  void read_part(std::uint32_t part, std::size_t start, const Row& before, Row& after) {
    for (std::size_t j = start; j <= m_; ++j) {
      after[j] = {};
      for (std::size_t i = start; i <= j; ++i) {
        const Entry& more = row(part, i)[j];
        if (!(before[i].value + more.value > after[j].value)) continue;
        after[j] = {before[i].value + more.value, before[i].edits + more.edits, before[i].n_words + more.n_words,
                    static_cast<std::uint32_t>(i), kNoArc};
      }
    }
  }

  /// What an arc says, from one place on; with `steps` all rows on the way.
  const Row& say(std::uint32_t arc, std::size_t start, std::vector<Row>* steps) {
    Row &now = now_, &next = next_;
    bool begun = false;
    const auto begin = [&](std::span<const Entry> row) {
      for (std::size_t j = start; j <= m_; ++j) {
        now[j] = row[j];
        now[j].value += graph_.arcs()[arc].score;
        now[j].origin = static_cast<std::uint32_t>(start);
      }
      begun = true;
    };
    const auto step = [&] {
      std::swap(now, next);
      if (steps) steps->push_back(now);
    };
    graph_.tell(
        arc,
        [&](std::size_t k) {
          const std::uint32_t part = graph_.tails(arc)[k];
          if (!begun) {
            begin(row(part, start));
            if (steps) steps->push_back(now);
            return;
          }
          read_part(part, start, now, next);
          step();
        },
        [&](TokenId word) {
          if (!begun) begin(nothing(start));
          read_word(word, start, now, next);
          step();
        });
    if (!begun) begin(nothing(start));
    return now;
  }

  /// The arcs of the best derivation.
  void follow(Path& path) {
    struct Part {
      std::uint32_t node, start, end;
    };
    std::vector<Part> open{{static_cast<std::uint32_t>(graph_.n_nodes() - 1), 0, static_cast<std::uint32_t>(m_)}};
    std::vector<Row> steps;
    std::vector<Part> parts;
    while (!open.empty()) {
      const Part part = open.back();
      open.pop_back();
      const std::uint32_t arc = row(part.node, part.start)[part.end].arc;
      if (arc == kNoArc) continue;  // the beginning
      path.arcs.push_back(arc);
      steps.clear();
      say(arc, part.start, &steps);
      std::vector<std::size_t> order;  // of what is said: a tail, or kMostTails for a word
      graph_.tell(arc, [&](std::size_t k) { order.push_back(k); }, [&](TokenId) { order.push_back(kMostTails); });
      const auto tails = graph_.tails(arc);
      parts.assign(tails.size(), {});
      std::uint32_t end = part.end;
      for (std::size_t i = order.size(); i-- > 0;) {
        const std::uint32_t begin = steps[i][end].origin;
        if (order[i] != kMostTails) parts[order[i]] = {tails[order[i]], begin, end};
        end = begin;
      }
      open.insert(open.end(), parts.begin(), parts.end());
    }
    std::ranges::reverse(path.arcs);
  }

  const Hypergraph& graph_;
  const Wanted& wanted_;
  const std::size_t m_;
  std::vector<std::size_t> first_row_;  // by node: it has one for each place from which it is said
  std::vector<Entry> cells_;
  Row now_, next_;
};

Completion search(const Hypergraph& graph, const Wanted& wanted) {
  return graph.n_nodes() == 0 ? Completion() : CompletionSearch(graph, wanted).run();
}

}  // namespace

Completion complete(const Hypergraph& graph, std::span<const TokenId> prefix, std::span<const TokenId> next,
                    double edit_cost) {
  return search(graph, Wanted(prefix, next, {}, edit_cost));
}

Completion closest(const Hypergraph& graph, std::span<const TokenId> target) {
  // More than any difference of scores: fewer edits come first.
  return search(graph, Wanted(target, {}, 1e6));
}

Completion bridge(const Hypergraph& graph, std::span<const TokenId> prefix, std::span<const TokenId> next,
                  std::span<const TokenId> suffix, double edit_cost) {
  Completion found = search(graph, Wanted(prefix, next, suffix, edit_cost));
  found.n_words = words_of(graph, found.path).size();
  return found;
}

}  // namespace dragoman::graph
