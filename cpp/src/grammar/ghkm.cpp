#include "dragoman/grammar/ghkm.hpp"

#include <algorithm>
#include <string>

#include "dragoman/core/errors.hpp"

namespace dragoman::grammar {

namespace {

constexpr std::size_t kMostNodes = 0xFFFF;

bool exceeds(std::size_t value, unsigned limit) noexcept { return limit > 0 && value > limit; }

}  // namespace

unsigned scope(Stretch whole, std::span<const Stretch> gaps) {
  unsigned n_open = 0;
  std::uint16_t last = whole.begin;
  for (const Stretch& gap : gaps) {
    n_open += gap.begin == last;
    last = gap.end;
  }
  return n_open + (!gaps.empty() && last == whole.end);
}

void TreeRules::set(std::span<const TreeNode> nodes, std::span<const phrase::Point> points, std::size_t n_tree_words,
                    std::size_t n_words, bool tree_is_source, std::span<const std::int64_t> log_p) {
  nodes_ = nodes;
  log_p_ = log_p;
  n_tree_words_ = n_tree_words;
  n_words_ = n_words;
  tree_is_source_ = tree_is_source;
  n_cut_ = 0;
  check();
  find_children();
  find_frontier(points);
  fragments_.assign(nodes.size(), {});
  for (std::size_t node = nodes.size(); node-- > 0;) find_fragments(node);
}

void TreeRules::check() const {
  if (nodes_.size() > kMostNodes) throw data_error("A tree has more than " + std::to_string(kMostNodes) + " nodes.");
  for (std::size_t node = 0; node < nodes_.size(); ++node) {
    const TreeNode& each = nodes_[node];
    const bool rooted =
        node == 0 ? each.parent == -1 : each.parent >= 0 && static_cast<std::size_t>(each.parent) < node;
    bool nested = 0 <= each.begin && each.begin < each.end && static_cast<std::size_t>(each.end) <= n_tree_words_;
    if (rooted && node > 0) {
      const TreeNode& parent = nodes_[static_cast<std::size_t>(each.parent)];
      nested = nested && parent.begin <= each.begin && each.end <= parent.end;
    }
    if (!rooted || !nested) {
      throw data_error("Node " + std::to_string(node) + " of a tree has the parent " + std::to_string(each.parent) +
                       " and the words " + std::to_string(each.begin) + " to " + std::to_string(each.end) +
                       "; a parent comes first and covers the words of its children.");
    }
  }
}

void TreeRules::find_children() {
  children_.assign(nodes_.size(), {});
  bare_.assign(nodes_.size(), 0);
  std::vector<std::int32_t> covered(nodes_.size());  // the end of each node's last child so far
  for (std::size_t node = 0; node < nodes_.size(); ++node) {
    const TreeNode& each = nodes_[node];
    bare_[node] = static_cast<std::uint16_t>(each.end - each.begin);
    covered[node] = each.begin;
    if (node == 0) continue;
    const auto parent = static_cast<std::size_t>(each.parent);
    if (each.begin < covered[parent]) {
      throw data_error("Node " + std::to_string(node) + " of a tree covers words of the child before it.");
    }
    covered[parent] = each.end;
    children_[parent].push_back(static_cast<std::uint16_t>(node));
    bare_[parent] = static_cast<std::uint16_t>(bare_[parent] - (each.end - each.begin));
  }
}

void TreeRules::find_frontier(std::span<const phrase::Point> points) {
  // Points before each place, to count those inside of a stretch.
  std::vector<std::uint32_t> of_words(n_words_ + 1), of_tree(n_tree_words_ + 1);
  std::vector<std::uint16_t> first(n_tree_words_, 0xFFFF), last(n_tree_words_, 0);
  for (const phrase::Point& point : points) {
    if (point.source >= n_tree_words_ || point.target >= n_words_) {
      throw data_error("The alignment has the point " + std::to_string(point.source) + "-" +
                       std::to_string(point.target) + ", counted from 0, outside of its sentences.");
    }
    ++of_tree[point.source + 1u];
    ++of_words[point.target + 1u];
    first[point.source] = std::min(first[point.source], point.target);
    last[point.source] = std::max<std::uint16_t>(last[point.source], point.target + 1);
  }
  for (std::size_t i = 0; i < n_tree_words_; ++i) of_tree[i + 1] += of_tree[i];
  for (std::size_t i = 0; i < n_words_; ++i) of_words[i + 1] += of_words[i];
  begins_.assign(nodes_.size(), 0xFFFF);
  ends_.assign(nodes_.size(), 0);
  frontier_.assign(nodes_.size(), false);
  for (std::size_t node = 0; node < nodes_.size(); ++node) {
    const TreeNode& each = nodes_[node];
    const auto begin = static_cast<std::size_t>(each.begin), end = static_cast<std::size_t>(each.end);
    for (std::size_t word = begin; word < end; ++word) {
      begins_[node] = std::min(begins_[node], first[word]);
      ends_[node] = std::max(ends_[node], last[word]);
    }
    // All points of a frontier node lie in its stretch, and no others do.
    const auto n_inside = of_tree[end] - of_tree[begin];
    frontier_[node] = n_inside > 0 && of_words[ends_[node]] - of_words[begins_[node]] == n_inside;
  }
}

/// A node above one other, over the same words: a gap there would say nothing.
bool TreeRules::is_chain(std::size_t node) const noexcept {
  return !options_.unary && children_[node].size() == 1 && bare_[node] == 0;
}

bool TreeRules::is_within(const Fragment& fragment) const noexcept {
  return !exceeds(fragment.depth, options_.depth) && !exceeds(fragment.nodes, options_.nodes) &&
         !exceeds(fragment.size, options_.size) && !exceeds(fragment.gaps.size(), options_.gaps) &&
         !exceeds(fragment.gaps.size() + fragment.words, symbols(tree_is_source_));
}

/// What a child can be in a fragment of its parent: a gap, or a fragment itself.
std::vector<TreeRules::Fragment> TreeRules::choices(std::size_t child, bool in_chain) const {
  std::vector<Fragment> all;
  if (frontier_[child] && !in_chain) all.push_back({{static_cast<std::uint16_t>(child)}, 1, 1, 0, 0, 0});
  for (Fragment fragment : fragments_[child]) {
    fragment.depth += !in_chain;  // a chain is one step
    all.push_back(std::move(fragment));
  }
  return all;
}

/// Every part with every choice; false if there were more than are looked at. The first is the first of both, whatever
/// its size: the minimal one.
bool TreeRules::extend(std::vector<Fragment>& parts, const std::vector<Fragment>& choices) const {
  std::vector<Fragment> joined;
  for (const Fragment& left : parts) {
    for (const Fragment& right : choices) {
      Fragment both = left;
      both.gaps.insert(both.gaps.end(), right.gaps.begin(), right.gaps.end());
      both.depth = std::max(both.depth, right.depth);
      both.nodes += right.nodes;
      both.size += right.size;
      both.words += right.words;
      both.log_p += right.log_p;
      if (!joined.empty() && !is_within(both)) continue;
      if (options_.most > 0 && joined.size() == options_.most) {
        parts = std::move(joined);
        return false;
      }
      joined.push_back(std::move(both));
    }
  }
  parts = std::move(joined);
  return true;
}

void TreeRules::find_fragments(std::size_t node) {
  const bool chain = is_chain(node);
  const bool inner = !children_[node].empty();
  std::vector<Fragment> parts(1);
  parts[0].nodes = !chain;
  parts[0].size = inner && !chain;
  parts[0].words = bare_[node];
  if (inner && !log_p_.empty()) parts[0].log_p = log_p_[node];
  bool whole = true;
  for (const std::size_t child : children_[node]) whole = extend(parts, choices(child, chain)) && whole;
  n_cut_ += !whole;
  fragments_[node] = std::move(parts);
}

NodeSpan TreeRules::span_of(std::size_t node) const noexcept {
  const TreeNode& each = nodes_[node];
  const bool root = each.parent < 0;
  return {each.label, static_cast<std::uint16_t>(each.begin), static_cast<std::uint16_t>(each.end),
          root ? std::uint16_t{0} : begins_[node], root ? static_cast<std::uint16_t>(n_words_) : ends_[node]};
}

/// Whether a fragment is a rule; its gaps are noted.
bool TreeRules::keeps(std::size_t node, const Fragment& fragment) {
  const NodeSpan whole = span_of(node);
  if (fragment.gaps.empty() && !options_.lexical) return false;
  gaps_.clear();
  std::size_t n_other = whole.end - whole.begin;
  for (const std::size_t gap : fragment.gaps) {
    gaps_.push_back(span_of(gap));
    n_other -= gaps_.back().end - gaps_.back().begin;
  }
  const std::size_t n_gaps = gaps_.size();
  const std::size_t n_source = n_gaps + (tree_is_source_ ? fragment.words : n_other);
  if (exceeds(n_gaps, options_.gaps)) return false;
  if (exceeds(n_gaps + fragment.words, symbols(tree_is_source_))) return false;
  if (exceeds(n_gaps + n_other, symbols(!tree_is_source_))) return false;
  if (!options_.unary && n_gaps == 1 && n_source == 1) return false;
  return !exceeds(source_scope(whole), options_.scope);
}

unsigned TreeRules::source_scope(const NodeSpan& whole) {
  source_gaps_.clear();
  for (const NodeSpan& gap : gaps_) {
    source_gaps_.push_back(tree_is_source_ ? Stretch{gap.tree_begin, gap.tree_end} : Stretch{gap.begin, gap.end});
  }
  std::ranges::sort(source_gaps_, {}, &Stretch::begin);
  return scope(tree_is_source_ ? Stretch{whole.tree_begin, whole.tree_end} : Stretch{whole.begin, whole.end},
               source_gaps_);
}

}  // namespace dragoman::grammar
