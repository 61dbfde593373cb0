#include "dragoman/phrase/oracle.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "dragoman/core/hash.hpp"

namespace dragoman::phrase {

namespace {

constexpr std::size_t kOrder = 4;
using Past = std::array<TokenId, kOrder - 1>;  // the last words, the very last first; kNone: there is none
constexpr TokenId kNone = -1000000000;

std::uint64_t hash_of(std::span<const TokenId> words) {
  return hash_bytes({reinterpret_cast<const char*>(words.data()), words.size_bytes()});
}

/// What ends at a node, told apart by its last words.
struct Reached {
  Past past;
  double gain;
  double score;
  std::uint32_t arc;   // its last step
  std::uint32_t rank;  // which of those at the node before
};

}  // namespace

Path oracle(const Hypergraph& graph, std::span<const std::vector<TokenId>> references,
            std::span<const std::pair<TokenId, TokenId>> same, const LinearGain& gain, std::size_t widest) {
  Path path;
  if (graph.n_nodes() == 0) return path;
  std::unordered_set<std::uint64_t> known;
  for (const auto& reference : references) {
    for (std::size_t n = 1; n <= kOrder; ++n) {
      for (std::size_t i = 0; i + n <= reference.size(); ++i) {
        known.insert(hash_of(std::span(reference).subspan(i, n)));
      }
    }
  }
  const std::unordered_map<TokenId, TokenId> first(same.begin(), same.end());
  std::vector<std::vector<Reached>> nodes(graph.n_nodes());
  Past none;
  none.fill(kNone);
  nodes[0].push_back({none, 0, 0, 0, 0});
  std::vector<Reached> found;
  for (std::size_t node = 1; node < graph.n_nodes(); ++node) {
    found.clear();
    for (std::uint32_t a = graph.arc_offsets()[node]; a < graph.arc_offsets()[node + 1]; ++a) {
      const auto& arc = graph.arcs()[a];
      const auto& before = nodes[arc.from];
      for (std::uint32_t rank = 0; rank < before.size(); ++rank) {
        Reached next = before[rank];
        next.score += arc.score;
        next.arc = a;
        next.rank = rank;
        for (const TokenId said : graph.words_of(arc.phrase)) {
          const auto other = first.find(said);
          const TokenId word = other == first.end() ? said : other->second;
          next.gain += gain.word;
          std::array<TokenId, kOrder> gram;
          gram[kOrder - 1] = word;
          for (std::size_t n = 1; n <= kOrder; ++n) {
            if (n > 1) {
              if (next.past[n - 2] == kNone) break;
              gram[kOrder - n] = next.past[n - 2];
            }
            if (!known.contains(hash_of(std::span(gram).last(n)))) break;  // a longer one is not known either
            next.gain += gain.match[n - 1];
          }
          std::copy_backward(next.past.begin(), next.past.end() - 1, next.past.end());
          next.past[0] = word;
        }
        found.push_back(next);
      }
    }
    const auto better = [](const Reached& a, const Reached& b) {
      return a.gain != b.gain ? a.gain > b.gain : a.score != b.score ? a.score > b.score : a.arc < b.arc;
    };
    std::ranges::stable_sort(found, better);
    auto& here = nodes[node];
    for (const Reached& each : found) {
      if (here.size() == widest) break;
      if (std::ranges::none_of(here, [&](const Reached& other) { return other.past == each.past; })) here.push_back(each);
    }
  }
  std::size_t node = graph.n_nodes() - 1;
  if (nodes[node].empty()) return path;
  path.score = nodes[node].front().score;
  for (std::uint32_t rank = 0; node != 0;) {
    const Reached step = nodes[node][rank];
    path.arcs.push_back(step.arc);
    node = graph.arcs()[step.arc].from;
    rank = step.rank;
  }
  std::ranges::reverse(path.arcs);
  return path;
}

}  // namespace dragoman::phrase
