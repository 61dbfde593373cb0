#include "dragoman/metrics/coverage.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

#include "dragoman/core/errors.hpp"
#include "numbers.hpp"
#include "simplex.hpp"

namespace dragoman::metrics {

namespace {

constexpr std::size_t kMostTableauCells = 1 << 25;  // of a tableau, eight bytes each

class Coverage {
 public:
  Coverage(const std::vector<CoverageLink>& links, std::size_t n_left, std::size_t n_right,
           const std::vector<double>& weights)
      : links_(links), weights_(weights), is_covered_(weights.size()), at_left_(n_left), at_right_(n_right) {}

  double most() {
    remaining_.resize(links_.size());
    std::iota(remaining_.begin(), remaining_.end(), 0);
    use_what_nothing_competes_with();
    double total = 0.0;
    for (std::size_t i = 0; i < weights_.size(); ++i) total += is_covered_[i] ? weights_[i] : 0.0;
    for (const auto& part : parts()) total += solve(part);
    return total;
  }

 private:
  /// A link that is alone at both its spans is used wholly; then links that cover nothing new fall away, which may
  /// leave others alone.
  void use_what_nothing_competes_with() {
    for (bool changed = true; changed;) {
      std::erase_if(remaining_, [&](std::size_t l) { return gain(links_[l]) == 0.0; });
      count_links();
      changed = false;
      for (const auto l : remaining_) {
        if (at_left_[index(links_[l].left)] != 1 || at_right_[index(links_[l].right)] != 1) continue;
        for (const auto item : links_[l].covered) is_covered_[index(item)] = true;
        changed = true;
      }
    }
  }

  double gain(const CoverageLink& link) const {
    double sum = 0.0;
    for (const auto item : link.covered) sum += is_covered_[index(item)] ? 0.0 : weights_[index(item)];
    return sum;
  }

  void count_links() {
    std::ranges::fill(at_left_, 0);
    std::ranges::fill(at_right_, 0);
    for (const auto l : remaining_) ++at_left_[index(links_[l].left)], ++at_right_[index(links_[l].right)];
  }

  /// The remaining links, those that share a span or an item together.
  std::vector<std::vector<std::size_t>> parts() const {
    const std::size_t n_spans = at_left_.size() + at_right_.size();
    std::vector<std::size_t> root(n_spans + weights_.size());
    std::iota(root.begin(), root.end(), 0);
    const auto find = [&](std::size_t node) {
      while (root[node] != node) node = root[node] = root[root[node]];
      return node;
    };
    for (const auto l : remaining_) {
      const auto& link = links_[l];
      root[find(at_left_.size() + index(link.right))] = find(index(link.left));
      for (const auto item : link.covered) {
        if (!is_covered_[index(item)]) root[find(n_spans + index(item))] = find(index(link.left));
      }
    }
    std::map<std::size_t, std::vector<std::size_t>> by_root;
    for (const auto l : remaining_) by_root[find(index(links_[l].left))].push_back(l);
    std::vector<std::vector<std::size_t>> result;
    for (auto& [_, part] : by_root) result.push_back(std::move(part));
    return result;
  }

  /// By the dual program: min Σ_i a_i + Σ_s z_s with Σ_{i covered by l} a_i + z_left + z_right ≥ Σ_{i covered by l} m_i
  /// for each link l, 0 ≤ a_i ≤ m_i and z ≥ 0. Items that the same links cover are one.
  double solve(const std::vector<std::size_t>& part) const {
    std::map<std::int32_t, std::vector<std::size_t>> links_of_item;
    std::vector<std::vector<std::size_t>> rows(part.size());
    std::vector<double> needs, limits;
    std::map<std::int32_t, std::size_t> left, right;
    const auto column_of = [&](std::map<std::int32_t, std::size_t>& columns, std::int32_t span) {
      const auto [entry, is_new] = columns.try_emplace(span, limits.size());
      if (is_new) limits.push_back(std::numeric_limits<double>::infinity());
      return entry->second;
    };
    for (std::size_t k = 0; k < part.size(); ++k) {
      const auto& link = links_[part[k]];
      needs.push_back(gain(link));
      rows[k] = {column_of(left, link.left), column_of(right, link.right)};
      for (const auto item : link.covered) {
        if (!is_covered_[index(item)]) links_of_item[item].push_back(k);
      }
    }
    std::map<std::vector<std::size_t>, double> weight_of;
    for (auto& [item, links] : links_of_item) weight_of[std::move(links)] += weights_[index(item)];
    for (const auto& [links, weight] : weight_of) {
      for (const auto k : links) rows[k].push_back(limits.size());
      limits.push_back(weight);
    }
    if (rows.size() * limits.size() > kMostTableauCells) {
      throw segment_error(std::to_string(part.size()) +
                          " links between spans compete with each other. Cut it into sentences.");
    }
    return least_cover(rows, needs, limits);
  }

  const std::vector<CoverageLink>& links_;
  const std::vector<double>& weights_;
  std::vector<bool> is_covered_;
  std::vector<int> at_left_, at_right_;
  std::vector<std::size_t> remaining_;
};

}  // namespace

double most_coverage(const std::vector<CoverageLink>& links, std::size_t n_left, std::size_t n_right,
                     const std::vector<double>& weights) {
  return Coverage(links, n_left, n_right, weights).most();
}

}  // namespace dragoman::metrics
