#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/syntax/tagger.hpp"

namespace dragoman::syntax {

/// A node of a tree: 0 is the root above all words, 1 … n are the words of a line.
using Node = std::int32_t;

/// The steps of the arc-hybrid system (Kuhlmann, Gómez-Rodríguez & Satta 2011).
enum class Step : std::uint8_t {
  kShift,  // the next word goes onto the stack
  kLeft,   // the stack's top becomes a dependent of the next word and is done
  kRight,  // the stack's top becomes a dependent of what lies below it and is done
};

/// A tree in the making: a stack, the words to come, and the arcs so far. Any sequence of steps that are allowed ends,
/// after two steps a word, in a tree with one root.
class Configuration {
 public:
  /// What is known of a word's dependents so far; -1 where there is none.
  struct Family {
    Node left = -1, left2 = -1;                       // the outermost on its left and the one inside of it
    Node right = -1, right2 = -1;                     // the same on its right
    std::uint8_t n_left = 0, n_right = 0;             // how many, at most 255
    std::uint64_t left_labels = 0, right_labels = 0;  // a bit for each label, modulo 64
  };

  void start(std::size_t n_words);

  Node size() const noexcept { return n_; }
  bool done() const noexcept { return next_ > n_ && stack_.size() == 1; }
  bool allowed(Step step) const noexcept {
    switch (step) {
      case Step::kShift:
        return next_ <= n_;
      case Step::kLeft:
        return next_ <= n_ && stack_.size() > 1;
      // One root: nothing hangs on it before all words are read, and then only the last one left.
      case Step::kRight:
        return stack_.size() > 2 || (stack_.size() == 2 && next_ > n_);
    }
    return false;
  }
  void take(Step step, Label label);

  /// The k-th from the top of the stack, -1 if there is none.
  Node stack(std::size_t k) const noexcept { return k < stack_.size() ? stack_[stack_.size() - 1 - k] : -1; }
  /// The k-th of the words to come, -1 if there is none.
  Node coming(Node k) const noexcept { return next_ + k <= n_ ? next_ + k : -1; }
  Node next() const noexcept { return next_; }
  bool on_stack(Node node) const noexcept { return on_stack_[static_cast<std::size_t>(node)] != 0; }

  Node head(Node word) const noexcept { return heads_[static_cast<std::size_t>(word)]; }
  Label label(Node word) const noexcept { return labels_[static_cast<std::size_t>(word)]; }
  const Family& family(Node node) const noexcept { return families_[static_cast<std::size_t>(node)]; }

 private:
  Node n_ = 0;
  Node next_ = 1;
  std::vector<Node> stack_;
  std::vector<std::uint8_t> on_stack_;
  std::vector<Node> heads_;
  std::vector<Label> labels_;
  std::vector<Family> families_;
};

/// A right tree to learn from: heads and labels of nodes 1 … n, by node (place 0 is unused), and dependents.
class RightTree {
 public:
  void start(std::span<const std::int32_t> heads, std::span<const Label> labels);

  Node head(Node word) const noexcept { return heads_[static_cast<std::size_t>(word)]; }
  Label label(Node word) const noexcept { return labels_[static_cast<std::size_t>(word)]; }

  /// How many right arcs a step puts out of reach (the dynamic oracle of Goldberg & Nivre 2013, for arc-hybrid).
  int cost(const Configuration& now, Step step) const noexcept;

 private:
  std::span<const Node> dependents(Node node) const noexcept {
    const auto i = static_cast<std::size_t>(node);
    return std::span(dependents_).subspan(begins_[i], begins_[i + 1] - begins_[i]);
  }

  std::vector<Node> heads_;
  std::vector<Label> labels_;
  std::vector<std::size_t> begins_;
  std::vector<Node> dependents_;
};

/// Make a tree projective in place: the shortest arc that crosses is lifted to the head's head until none does (Nivre &
/// Nilsson 2005, without the marks that would undo it). Heads are of words 1 … n, 0 is the root. Returns how many were
/// lifted; throws data_error if the heads go in a circle.
std::size_t projectivise(std::span<std::int32_t> heads);

}  // namespace dragoman::syntax
