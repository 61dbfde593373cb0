#pragma once

#include <vector>

#include "dragoman/phrase/hypergraph.hpp"

namespace dragoman::phrase {

/// The best ways through a graph, one after the other, made only when asked for (Huang & Chiang, IWPT 2005, algorithm
/// 3). The graph must outlive it.
class KBest {
 public:
  explicit KBest(const Hypergraph& graph);

  /// The next best way; false if there is none.
  bool next(Path& path);

 private:
  struct Way {
    double score;
    std::uint32_t arc;   // its last step
    std::uint32_t rank;  // which of the ways to what lies before it
    friend bool operator<(const Way& a, const Way& b) noexcept {
      if (a.score != b.score) return a.score < b.score;
      return a.arc != b.arc ? a.arc > b.arc : a.rank > b.rank;
    }
  };
  struct Node {
    std::vector<Way> found;       // best first
    std::vector<Way> candidates;  // a heap
    bool open = false;
    bool pending = false;    // what follows the way found last is not among the candidates yet
    bool exhausted = false;
  };

  bool has(std::uint32_t node, std::uint32_t rank);

  const Hypergraph* graph_;
  std::vector<double> before_;
  std::vector<Node> nodes_;
  std::uint32_t n_given_ = 0;
};

/// At most `n` ways, best first; with `distinct` no two have the same words. Different words are rarer than different
/// ways; the search for them ends after `n` times 20 ways.
std::vector<Path> n_best(const Hypergraph& graph, std::size_t n, bool distinct);

}  // namespace dragoman::phrase
