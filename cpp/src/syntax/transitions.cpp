#include "dragoman/syntax/transitions.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "dragoman/core/errors.hpp"

namespace dragoman::syntax {

void Configuration::start(std::size_t n_words) {
  n_ = static_cast<Node>(n_words);
  next_ = 1;
  stack_.assign(1, 0);
  on_stack_.assign(n_words + 1, 0);
  on_stack_[0] = 1;
  heads_.assign(n_words + 1, -1);
  labels_.assign(n_words + 1, 0);
  families_.assign(n_words + 1, Family{});
}

void Configuration::take(Step step, Label label) {
  if (step == Step::kShift) {
    on_stack_[static_cast<std::size_t>(next_)] = 1;
    stack_.push_back(next_++);
    return;
  }
  const Node word = stack_.back();
  stack_.pop_back();
  const auto w = static_cast<std::size_t>(word);
  on_stack_[w] = 0;
  const Node head = step == Step::kLeft ? next_ : stack_.back();
  heads_[w] = head;
  labels_[w] = label;
  Family& family = families_[static_cast<std::size_t>(head)];
  const std::uint64_t bit = std::uint64_t{1} << (label % 64);
  // Arcs to one side come from the inside out, so a new dependent is always the outermost.
  if (step == Step::kLeft) {
    family.left2 = family.left;
    family.left = word;
    family.n_left = static_cast<std::uint8_t>(std::min(255, family.n_left + 1));
    family.left_labels |= bit;
  } else {
    family.right2 = family.right;
    family.right = word;
    family.n_right = static_cast<std::uint8_t>(std::min(255, family.n_right + 1));
    family.right_labels |= bit;
  }
}

void RightTree::start(std::span<const std::int32_t> heads, std::span<const Label> labels) {
  const std::size_t n = heads.size();
  heads_.assign(1, -1);
  heads_.insert(heads_.end(), heads.begin(), heads.end());
  labels_.assign(1, 0);
  labels_.insert(labels_.end(), labels.begin(), labels.end());
  begins_.assign(n + 2, 0);
  for (const std::int32_t head : heads) ++begins_[static_cast<std::size_t>(head) + 1];
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  dependents_.resize(n);
  std::vector<std::size_t> filled(begins_.begin(), begins_.end() - 1);
  for (std::size_t i = 0; i < n; ++i) {
    dependents_[filled[static_cast<std::size_t>(heads[i])]++] = static_cast<Node>(i + 1);
  }
}

int RightTree::cost(const Configuration& now, Step step) const noexcept {
  const Node next = now.next();
  if (step == Step::kShift) {
    // The next word will lie on the stack: of what is there now only the top can still be its head, nothing its
    // dependent.
    const Node own = head(next);
    int lost = own < next && own != now.stack(0) && now.on_stack(own) ? 1 : 0;
    for (const Node word : dependents(next)) lost += word < next && now.on_stack(word) ? 1 : 0;
    return lost;
  }
  // The top is done: dependents still to come are lost, and its right head, if that is another one within reach.
  const Node top = now.stack(0);
  const Node own = head(top);
  int lost = 0;
  for (const Node word : dependents(top)) lost += word >= next ? 1 : 0;
  if (step == Step::kLeft) {
    if (own == now.stack(1) || own > next) ++lost;
  } else if (own >= next) {
    ++lost;
  }
  return lost;
}

namespace {

/// True if every word between a word and its head hangs, by any number of arcs, on the head.
bool is_projective(std::span<const std::int32_t> heads, std::int32_t word) {
  const std::int32_t head = heads[static_cast<std::size_t>(word - 1)];
  const auto [low, high] = std::minmax(word, head);
  for (std::int32_t between = low + 1; between < high; ++between) {
    std::int32_t above = between;
    while (above != 0 && above != head) above = heads[static_cast<std::size_t>(above - 1)];
    if (above != head) return false;
  }
  return true;
}

void check_tree(std::span<const std::int32_t> heads) {
  const auto n = static_cast<std::int32_t>(heads.size());
  for (std::int32_t word = 1; word <= n; ++word) {
    std::int32_t steps = 0;
    for (std::int32_t above = word; above != 0; above = heads[static_cast<std::size_t>(above - 1)]) {
      if (above < 0 || above > n || ++steps > n) throw data_error("The heads of a line form no tree.");
    }
  }
}

}  // namespace

std::size_t projectivise(std::span<std::int32_t> heads) {
  check_tree(heads);
  std::size_t lifted = 0;
  for (;;) {
    std::int32_t shortest = 0, best = 0;
    for (std::int32_t word = 1; word <= std::ssize(heads); ++word) {
      const std::int32_t length = std::abs(word - heads[static_cast<std::size_t>(word - 1)]);
      if ((shortest == 0 || length < best) && !is_projective(heads, word)) {
        shortest = word;
        best = length;
      }
    }
    if (shortest == 0) return lifted;
    std::int32_t& head = heads[static_cast<std::size_t>(shortest - 1)];
    head = heads[static_cast<std::size_t>(head - 1)];
    ++lifted;
  }
}

}  // namespace dragoman::syntax
