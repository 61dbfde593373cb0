#include "dragoman/tree/kernel.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"

namespace dragoman::tree {

namespace {

/// Pairs of nodes of two trees are kept one by one; beyond this a pair of trees would need gigabytes.
constexpr std::int64_t most_nodes = 5000;

void check_finite(std::span<const double> values) {
  if (!std::ranges::all_of(values, [](double value) { return std::isfinite(value); })) {
    throw data_error("The tree kernel is too large for a number; lower its decay.");
  }
}

}  // namespace

Forest::Forest(std::span<const std::int32_t> labels, std::span<const std::int32_t> parents,
               std::span<const std::int64_t> offsets)
    : offsets_(offsets.begin(), offsets.end()), labels_(labels.begin(), labels.end()) {
  if (offsets_.empty() || offsets_.front() != 0 || offsets_.back() != std::ssize(labels_) ||
      parents.size() != labels.size() || !std::is_sorted(offsets_.begin(), offsets_.end())) {
    throw data_error("The offsets of the trees do not fit their nodes.");
  }
  child_begin_.assign(labels_.size() + 1, 0);
  for (std::size_t t = 0; t < size(); ++t) {
    const std::int64_t begin = offsets_[t], n = offsets_[t + 1] - begin;
    if (n > most_nodes) {
      throw data_error("Tree " + std::to_string(t + 1) + " has " + std::to_string(n) +
                       " nodes; a tree kernel takes at most " + std::to_string(most_nodes) + ".");
    }
    for (std::int64_t i = 0; i < n; ++i) {
      const std::int32_t parent = parents[begin + i];
      if (i == 0 ? parent != -1 : parent < 0 || parent >= i) {
        throw data_error("Tree " + std::to_string(t + 1) + " is none: the parent of node " + std::to_string(i) +
                         " is " + std::to_string(parent) + ".");
      }
      if (i > 0) ++child_begin_[begin + parent + 1];
    }
  }
  std::partial_sum(child_begin_.begin(), child_begin_.end(), child_begin_.begin());
  children_.resize(child_begin_.back());
  std::vector<std::int64_t> filled(child_begin_.begin(), child_begin_.end() - 1);
  for (std::size_t t = 0; t < size(); ++t) {
    for (std::int64_t i = offsets_[t] + 1; i < offsets_[t + 1]; ++i) {
      children_[filled[offsets_[t] + parents[i]]++] = static_cast<std::int32_t>(i - offsets_[t]);
    }
  }
  std::map<std::vector<std::int32_t>, std::int32_t> numbers;
  std::vector<std::int32_t> rule;
  productions_.assign(labels_.size(), -1);
  for (std::size_t t = 0; t < size(); ++t) {
    for (std::int64_t i = offsets_[t]; i < offsets_[t + 1]; ++i) {
      if (child_begin_[i] == child_begin_[i + 1]) continue;
      rule.assign(1, labels_[i]);
      for (std::int64_t c = child_begin_[i]; c < child_begin_[i + 1]; ++c) {
        rule.push_back(labels_[offsets_[t] + children_[c]]);
      }
      productions_[i] = numbers.try_emplace(rule, static_cast<std::int32_t>(numbers.size())).first->second;
    }
  }
  by_label_ = index(labels_);
  by_production_ = index(productions_);
}

Forest::Index Forest::index(std::span<const std::int32_t> keys) const {
  Index found{std::vector<std::int32_t>(keys.size()), std::vector<std::int32_t>(keys.size())};
  for (std::size_t t = 0; t < size(); ++t) {
    const std::int64_t begin = offsets_[t], n = offsets_[t + 1] - begin;
    const std::span order(found.order.data() + begin, static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](std::int32_t node) { return keys[begin + node]; });
    for (std::int64_t k = 0, first = 0; k < n; ++k) {
      if (keys[begin + order[k]] != keys[begin + order[first]]) first = k;
      found.rank[begin + order[k]] = static_cast<std::int32_t>(k - first);
    }
  }
  return found;
}

/// Counts common parts of two trees at a time; keeps its scratch space between them.
class Counting {
 public:
  Counting(const Forest& forest, Parts parts, Decay decay)
      : forest_(forest),
        parts_(parts),
        decay_(decay),
        keys_(parts == Parts::subset ? forest.productions_ : forest.labels_),
        index_(parts == Parts::subset ? forest.by_production_ : forest.by_label_) {}

  double operator()(std::int64_t a, std::int64_t b) {
    begin_a_ = forest_.offsets_[a];
    begin_b_ = forest_.offsets_[b];
    const auto n = static_cast<std::size_t>(forest_.offsets_[a + 1] - begin_a_);
    const std::span of_b(index_.order.data() + begin_b_, static_cast<std::size_t>(forest_.offsets_[b + 1] - begin_b_));
    first_.resize(n);
    delta_.clear();
    double total = 0;
    // Children have higher numbers than their parents: from the last node on, what a pair needs is there already.
    for (std::size_t up = n; up-- > 0;) {
      const std::int32_t key = keys_[begin_a_ + static_cast<std::int64_t>(up)];
      first_[up] = static_cast<std::int64_t>(delta_.size());
      if (key < 0) continue;
      const auto key_of = [&](std::int32_t node) { return keys_[begin_b_ + node]; };
      for (auto at = std::ranges::lower_bound(of_b, key, {}, key_of); at != of_b.end() && key_of(*at) == key; ++at) {
        const double value = parts_ == Parts::subset ? subset(up, *at) : partial(up, *at);
        delta_.push_back(value);
        total += value;
      }
    }
    return total;
  }

 private:
  /// Δ of a pair that was counted before; 0 if its keys differ.
  double delta(std::int32_t a, std::int32_t b) const {
    const std::int32_t key = keys_[begin_a_ + a];
    if (key < 0 || key != keys_[begin_b_ + b]) return 0;
    return delta_[first_[a] + index_.rank[begin_b_ + b]];
  }

  std::span<const std::int32_t> children(std::int64_t node) const {
    return {forest_.children_.data() + forest_.child_begin_[node],
            static_cast<std::size_t>(forest_.child_begin_[node + 1] - forest_.child_begin_[node])};
  }

  double subset(std::size_t a, std::int32_t b) const {
    const auto of_a = children(begin_a_ + static_cast<std::int64_t>(a)), of_b = children(begin_b_ + b);
    double product = decay_.width;
    for (std::size_t j = 0; j < of_a.size(); ++j) product *= 1 + delta(of_a[j], of_b[j]);
    return product;
  }

  /// μ(λ² + Σ over pairs of child sequences). `sums_[r]` holds, for the children of `a` so far and those of `b` up to
  /// r, the sum of all sequence pairs that end there or before, each child passed since then costing a λ: one pass over
  /// all pairs of children counts sequences of every length.
  double partial(std::size_t a, std::int32_t b) {
    const auto of_a = children(begin_a_ + static_cast<std::int64_t>(a)), of_b = children(begin_b_ + b);
    const double width = decay_.width, squared = width * width;
    double total = squared;
    if (!of_a.empty() && !of_b.empty()) {
      sums_.assign(of_b.size() + 1, 0.0);
      for (const std::int32_t child : of_a) {
        double diagonal = 0;  // sums of the row above, one to the left
        for (std::size_t r = 1; r <= of_b.size(); ++r) {
          const double above = sums_[r];
          const double ending = delta(child, of_b[r - 1]) * squared * (1 + diagonal);
          total += ending;
          sums_[r] = ending + width * above + width * sums_[r - 1] - squared * diagonal;
          diagonal = above;
        }
      }
    }
    return decay_.depth * total;
  }

  const Forest& forest_;
  const Parts parts_;
  const Decay decay_;
  const std::vector<std::int32_t>& keys_;  // only nodes with equal keys have common parts
  const Forest::Index& index_;
  std::int64_t begin_a_ = 0, begin_b_ = 0;
  std::vector<std::int64_t> first_;  // of each node of a in `delta_`
  std::vector<double> delta_;
  std::vector<double> sums_;
};

std::vector<double> Forest::gram(Parts parts, Decay decay, bool normalised, std::span<const std::int64_t> rows,
                                 std::span<const std::int64_t> columns, unsigned n_threads) const {
  const auto check = [&](std::span<const std::int64_t> these) {
    for (const auto t : these) {
      if (t < 0 || t >= static_cast<std::int64_t>(size()))
        throw data_error("There is no tree " + std::to_string(t) + ".");
    }
  };
  check(rows);
  check(columns);
  const auto with_itself = [&](std::span<const std::int64_t> these) {
    std::vector<double> found(these.size());
    for_each_chunk(these.size(), n_threads, [&](const Chunk& chunk) {
      Counting count(*this, parts, decay);
      for (std::size_t i = chunk.begin; i < chunk.end; ++i) found[i] = count(these[i], these[i]);
    });
    return found;
  };
  const bool symmetric = std::ranges::equal(rows, columns);
  std::vector<double> result(rows.size() * columns.size());
  // Rows are dealt in turn, as in a triangle they become shorter and shorter.
  const std::size_t n_chunks = std::max<std::size_t>(1, std::min<std::size_t>(n_threads, rows.size()));
  for_each_chunk(n_chunks, n_threads, [&](const Chunk& chunk) {
    Counting count(*this, parts, decay);
    for (std::size_t i = chunk.index; i < rows.size(); i += n_chunks) {
      for (std::size_t j = symmetric ? i : 0; j < columns.size(); ++j) {
        result[i * columns.size() + j] = count(rows[i], columns[j]);
      }
    }
  });
  check_finite(result);
  if (symmetric) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) result[i * columns.size() + j] = result[j * columns.size() + i];
    }
  }
  if (normalised) {
    const auto of_rows = with_itself(rows), of_columns = symmetric ? of_rows : with_itself(columns);
    check_finite(of_rows);
    check_finite(of_columns);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t j = 0; j < columns.size(); ++j) {
        // Two roots, not the root of a product: large trees' products overflow first.
        const double scale = std::sqrt(of_rows[i]) * std::sqrt(of_columns[j]);
        double& value = result[i * columns.size() + j];
        value = scale > 0 ? value / scale : 0;
      }
    }
  }
  return result;
}

}  // namespace dragoman::tree
