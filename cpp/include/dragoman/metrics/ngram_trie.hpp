#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dragoman::metrics {

/// All n-grams up to some order of one or several short texts, with their counts, for clipped matching.
///
/// A trie whose nodes also know their longest proper suffix, as in Aho & Corasick (CACM 1975). Since it holds every
/// n-gram of its texts, a hypothesis is matched by one walk: at each symbol the walk stands at the longest n-gram that
/// ends there, and the shorter ones are its suffixes. N-grams that do not match cost nothing, as their number is known
/// from the length of the text. Edges are (node, symbol) pairs packed into 64 bits, so equal keys are equal edges.
///
/// Adding a text of n symbols costs O(order · n), matching one O(order · n) at worst; `clear` is O(1), and nothing is
/// allocated once the buffers have grown to the longest text.
class NgramTrie {
 public:
  using Symbol = std::uint32_t;
  using Node = std::uint32_t;
  static constexpr Node kRoot = 0;

  enum class Merge {
    kMax,  // an n-gram's count is its largest in any one text (clipping against several references)
    kSum,  // its count in all texts together
  };

  explicit NgramTrie(std::size_t order) : order_(order), above_(order + 1), here_(order + 1) { clear(0); }

  std::size_t order() const noexcept { return order_; }
  std::uint32_t count(Node node) const noexcept { return nodes_[node].count; }
  std::size_t n_nodes() const noexcept { return nodes_.size(); }

  /// Forget everything; `length` is how many symbols are about to be added, as far as is known. The fewer they are, the
  /// smaller the part of the edge table that is used, and the surer it stays in the processor's cache.
  void clear(std::size_t length) {
    nodes_.clear();
    nodes_.push_back({});
    stamp_ = 0;
    bits_ = std::max(kFirstBits, static_cast<int>(std::bit_width(2 * order_ * length)));
    if (edges_.size() < std::size_t{1} << bits_) edges_.resize(std::size_t{1} << bits_);
    if (++generation_ == 0) {  // after 2^32 texts an old edge could seem new
      std::fill(edges_.begin(), edges_.end(), Edge{});
      generation_ = 1;
    }
  }

  /// Add the n-grams of a text. `made(parent, symbol, node)` is called for each new n-gram, shorter ones first.
  template <class Text, class Made>
  void add(const Text& text, Merge merge, const Made& made) {
    ++stamp_;
    std::size_t length = 0;  // of the longest n-gram that ends before this symbol, below the full order
    above_[0] = here_[0] = kRoot;
    for (const auto unit : text) {
      const auto symbol = static_cast<Symbol>(unit);
      for (std::size_t k = 0; k <= length && k < order_; ++k) {
        Node child = find(above_[k], symbol);
        if (child == kRoot) {
          child = insert(above_[k], symbol, here_[k]);
          made(above_[k], symbol, child);
        }
        here_[k + 1] = child;
        auto& node = fresh(child);
        ++node.seen;
        node.count = merge == Merge::kSum ? node.count + 1 : std::max(node.count, node.seen);
      }
      std::swap(above_, here_);
      length = std::min(length + 1, order_);
    }
  }
  template <class Text>
  void add(const Text& text, Merge merge = Merge::kMax) {
    add(text, merge, [](Node, Symbol, Node) {});
  }

  /// Call `use(node, n)` for each n-gram of the text that is in the trie, for none more often than its count.
  template <class Text, class Use>
  void match(const Text& text, const Use& use) {
    ++stamp_;
    Node at = kRoot;
    std::size_t depth = 0;
    for (const auto unit : text) {
      const auto symbol = static_cast<Symbol>(unit);
      if (depth == order_) {
        at = nodes_[at].suffix;
        --depth;
      }
      Node next = find(at, symbol);
      while (next == kRoot && at != kRoot) {
        at = nodes_[at].suffix;
        --depth;
        next = find(at, symbol);
      }
      if (next == kRoot) continue;
      at = next;
      ++depth;
      Node visited = at;
      for (std::size_t n = depth; n > 0; --n) {
        auto& node = fresh(visited);
        if (node.seen < node.count) {
          ++node.seen;
          use(visited, n);
        }
        visited = node.suffix;
      }
    }
  }

  /// The node of `parent`'s n-gram followed by `symbol`; the root if there is none.
  Node find(Node parent, Symbol symbol) const noexcept {
    const std::uint64_t key = pack(parent, symbol);
    for (std::size_t place = home(key);; place = behind(place)) {
      const Edge& edge = edges_[place];
      if (edge.generation != generation_) return kRoot;
      if (edge.key == key) return edge.child;
    }
  }

 private:
  static constexpr int kFirstBits = 6;

  struct NodeData {
    Node suffix = kRoot;
    std::uint32_t count = 0;
    std::uint32_t seen = 0;   // in the text of `stamp`
    std::uint32_t stamp = 0;  // the text that `seen` speaks of
  };
  struct Edge {
    std::uint64_t key = 0;
    Node child = 0;
    std::uint32_t generation = 0;  // an edge of another generation is an empty place
  };

  static std::uint64_t pack(Node parent, Symbol symbol) noexcept {
    return static_cast<std::uint64_t>(parent) << 32 | symbol;
  }
  std::size_t home(std::uint64_t key) const noexcept {
    return static_cast<std::size_t>(key * 0x9E3779B97F4A7C15 >> (64 - bits_));  // Fibonacci hashing (Knuth 3, §6.4)
  }

  std::size_t behind(std::size_t place) const noexcept { return (place + 1) & ((std::size_t{1} << bits_) - 1); }

  NodeData& fresh(Node number) noexcept {
    NodeData& node = nodes_[number];
    if (node.stamp != stamp_) {
      node.stamp = stamp_;
      node.seen = 0;
    }
    return node;
  }

  Node insert(Node parent, Symbol symbol, Node suffix) {
    if (2 * nodes_.size() >= std::size_t{1} << bits_) grow();
    const auto child = static_cast<Node>(nodes_.size());
    nodes_.push_back({suffix, 0, 0, 0});
    place({pack(parent, symbol), child, generation_});
    return child;
  }

  void place(const Edge& edge) noexcept {
    std::size_t at = home(edge.key);
    while (edges_[at].generation == generation_) at = behind(at);
    edges_[at] = edge;
  }

  void grow() {
    std::vector<Edge> old;
    for (const Edge& edge : std::span(edges_).first(std::size_t{1} << bits_)) {
      if (edge.generation == generation_) old.push_back(edge);
    }
    ++bits_;
    edges_.assign(std::max(edges_.size(), std::size_t{1} << bits_), Edge{});
    for (const Edge& edge : old) place(edge);
  }

  std::size_t order_;
  std::vector<NodeData> nodes_;
  std::vector<Edge> edges_;  // open addressing in the first 2^bits_ places, at most half full
  int bits_ = kFirstBits;
  std::uint32_t generation_ = 0;
  std::uint32_t stamp_ = 0;
  std::vector<Node> above_, here_;  // the n-grams that end at the last and at this symbol, by length
};

}  // namespace dragoman::metrics
