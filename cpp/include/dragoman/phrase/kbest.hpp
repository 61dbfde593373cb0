#pragma once

#include <unordered_map>
#include <vector>

#include "dragoman/phrase/search.hpp"

namespace dragoman::phrase {

/// One way through the search.
struct Path {
  float score;
  std::vector<const Option*> steps;  // in the order of the target
};

/// The best ways through a finished search, one after the other, made only when asked for (Huang & Chiang, IWPT 2005,
/// algorithm 3). Good until the search runs again.
class KBest {
 public:
  explicit KBest(const Search& search);

  /// The next best way; false if there is none.
  bool next(Path& path);

 private:
  struct Way {
    const Hypothesis* hypothesis;  // its last step
    std::size_t rank;              // which of the ways to what lies before it
    float score;
  };
  struct Node {
    std::vector<Way> found;       // best first
    std::vector<Way> candidates;  // a heap
    bool open = false;
  };

  const Way* way(const Hypothesis* node, std::size_t rank);
  void push(Node& node, const Hypothesis* hypothesis, std::size_t rank);
  bool extend(Node& node);

  std::unordered_map<const Hypothesis*, Node> nodes_;
  Node end_;
};

}  // namespace dragoman::phrase
