#include "dragoman/graph/oracle.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "dragoman/core/hash.hpp"

namespace dragoman::graph {

namespace {

constexpr std::size_t kOrder = 4;
constexpr TokenId kNone = -1000000000;
using Edge = std::array<TokenId, kOrder - 1>;  // words at an end, outermost first; kNone: there is none
constexpr Edge kNothing{kNone, kNone, kNone};

std::uint64_t hash_of(std::span<const TokenId> words) {
  return hash_bytes({reinterpret_cast<const char*>(words.data()), words.size_bytes()});
}

/// What is derived at a node, told apart by its last words, and by its first ones if others may come before.
struct Reached {
  Edge first, last;
  double gain, score;
  std::uint32_t arc;
  std::uint32_t ranks;  // which of those of the only tail; of several, where in the list of ranks theirs begin
};

class OracleSearch {
 public:
  OracleSearch(const Hypergraph& graph, std::span<const std::vector<TokenId>> references,
               std::span<const std::pair<TokenId, TokenId>> same, const LinearGain& gain, std::size_t widest)
      : graph_(graph),
        gain_(gain),
        widest_(widest),
        first_(same.begin(), same.end()),
        inner_(inner_nodes(graph)),
        nodes_(graph.n_nodes()) {
    for (const auto& reference : references) {
      for (std::size_t n = 1; n <= kOrder; ++n) {
        for (std::size_t i = 0; i + n <= reference.size(); ++i) {
          known_.insert(hash_of(std::span(reference).subspan(i, n)));
        }
      }
    }
  }

  Path run() {
    nodes_[0].push_back({kNothing, kNothing, 0, 0, 0, 0});
    for (std::size_t node = 1; node < graph_.n_nodes(); ++node) {
      std::vector<Reached> found;
      for (std::uint32_t arc = graph_.arc_offsets()[node]; arc < graph_.arc_offsets()[node + 1]; ++arc)
        derive(arc, found);
      keep_best(found, nodes_[node]);
    }
    return best_path();
  }

 private:
  void derive(std::uint32_t arc, std::vector<Reached>& found) {
    const bool inner = inner_[graph_.arcs()[arc].to];
    const auto tails = graph_.tails(arc);
    auto &now = now_, &next = next_;
    now.assign(1, {kNothing, kNothing, 0, graph_.arcs()[arc].score, arc, 0});
    const auto part = [&](std::size_t k) {
      next.clear();
      for (const Reached& before : now) {
        for (std::uint32_t rank = 0; rank < nodes_[tails[k]].size(); ++rank) {
          next.push_back(joined(before, nodes_[tails[k]][rank], inner));
          next.back().ranks = with_rank(before.ranks, tails.size(), k, rank);
        }
      }
      std::swap(now, next);
    };
    graph_.tell(arc, part, [&](TokenId word) {
      for (Reached& each : now) say(each, word, inner);
    });
    found.insert(found.end(), now.begin(), now.end());
  }

  /// One word more.
  void say(Reached& here, TokenId said, bool inner) const {
    const auto other = first_.find(said);
    const TokenId word = other == first_.end() ? said : other->second;
    here.gain += gain_.word;
    std::array<TokenId, kOrder> gram;
    gram[kOrder - 1] = word;
    for (std::size_t n = 1; n <= kOrder; ++n) {
      if (n > 1) {
        if (here.last[n - 2] == kNone) break;
        gram[kOrder - n] = here.last[n - 2];
      }
      if (!known_.contains(hash_of(std::span(gram).last(n)))) break;  // a longer one is not known either
      here.gain += gain_.match[n - 1];
    }
    append(here, word, inner);
  }

  static void append(Reached& here, TokenId word, bool inner) {
    const auto free = std::ranges::find(here.first, kNone);
    if (inner && free != here.first.end()) *free = word;
    std::copy_backward(here.last.begin(), here.last.end() - 1, here.last.end());
    here.last[0] = word;
  }

  /// A part behind what was said: n-grams across the seam are new, those inside it are counted.
  Reached joined(const Reached& before, const Reached& part, bool inner) const {
    Reached all = before;
    all.gain += part.gain;
    all.score += part.score;
    if (before.last[0] == kNone) {
      all.last = part.last;
      all.first = inner ? part.first : kNothing;
      return all;
    }
    for (std::size_t p = 0; p < part.first.size() && part.first[p] != kNone; ++p) {
      std::array<TokenId, kOrder> gram;
      std::copy_n(part.first.begin(), p + 1, gram.end() - static_cast<std::ptrdiff_t>(p) - 1);
      for (std::size_t n = p + 2; n <= kOrder && before.last[n - p - 2] != kNone; ++n) {
        gram[kOrder - n] = before.last[n - p - 2];
        if (!known_.contains(hash_of(std::span(gram).last(n)))) break;
        all.gain += gain_.match[n - 1];
      }
      append(all, part.first[p], inner);
    }
    if (part.last.back() != kNone) all.last = part.last;
    return all;
  }

  std::uint32_t with_rank(std::uint32_t ranks, std::size_t n_tails, std::size_t k, std::uint32_t rank) {
    if (n_tails == 1) return rank;
    const auto place = static_cast<std::uint32_t>(ranks_.size());
    for (std::size_t i = 0; i < n_tails; ++i) ranks_.push_back(i == k ? rank : ranks > 0 ? ranks_[ranks + i] : 0);
    return place;
  }

  void keep_best(std::vector<Reached>& found, std::vector<Reached>& kept) const {
    std::ranges::stable_sort(found, [](const Reached& a, const Reached& b) {
      return a.gain != b.gain ? a.gain > b.gain : a.score != b.score ? a.score > b.score : a.arc < b.arc;
    });
    for (const Reached& each : found) {
      if (kept.size() == widest_) break;
      const auto same = [&](const Reached& other) { return other.last == each.last && other.first == each.first; };
      if (std::ranges::none_of(kept, same)) kept.push_back(each);
    }
  }

  Path best_path() const {
    Path path;
    if (nodes_.back().empty()) return path;
    path.score = nodes_.back().front().score;
    struct Part {
      std::uint32_t node, rank;
    };
    std::vector<Part> open{{static_cast<std::uint32_t>(graph_.n_nodes() - 1), 0}};
    while (!open.empty()) {
      const auto [node, rank] = open.back();
      open.pop_back();
      if (node == 0) continue;
      const Reached& here = nodes_[node][rank];
      path.arcs.push_back(here.arc);
      const auto tails = graph_.tails(here.arc);
      for (std::size_t k = 0; k < tails.size(); ++k) {
        open.push_back({tails[k], tails.size() == 1 ? here.ranks : ranks_[here.ranks + k]});
      }
    }
    std::ranges::reverse(path.arcs);
    return path;
  }

  const Hypergraph& graph_;
  const LinearGain& gain_;
  std::size_t widest_;
  std::unordered_set<std::uint64_t> known_;
  std::unordered_map<TokenId, TokenId> first_;
  std::vector<bool> inner_;
  std::vector<std::vector<Reached>> nodes_;
  std::vector<Reached> now_, next_;      // what an arc has said so far
  std::vector<std::uint32_t> ranks_{0};  // none begins at 0, which stands for ranks not chosen yet
};

}  // namespace

Path oracle(const Hypergraph& graph, std::span<const std::vector<TokenId>> references,
            std::span<const std::pair<TokenId, TokenId>> same, const LinearGain& gain, std::size_t widest) {
  return graph.n_nodes() == 0 ? Path() : OracleSearch(graph, references, same, gain, widest).run();
}

}  // namespace dragoman::graph
