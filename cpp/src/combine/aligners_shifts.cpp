#include <algorithm>
#include <numeric>
#include <optional>

#include "dragoman/combine/aligners.hpp"

namespace dragoman::combine {

namespace {

constexpr float kAlike = 0.5F;  // a replacement below costs little enough to be called a match
constexpr float kGain = 1e-4F;  // what rounding cannot feign

using Order = std::vector<std::int32_t>;

/// Words in some order against the links.
class Aligner {
 public:
  explicit Aligner(const EditTable& table) : table_(table), cells_((table.n_words + 1) * (table.n_links + 1)) {}

  float align(const Order& order) {
    for (std::size_t k = 0; k < table_.n_links; ++k) cell(0, k + 1) = cell(0, k) + table_.skip[k];
    for (std::size_t i = 0; i < order.size(); ++i) {
      const float* const before = &cell(i, 0);
      float* const here = &cell(i + 1, 0);
      const float* const replace = &table_.replace[static_cast<std::size_t>(order[i]) * table_.n_links];
      here[0] = before[0] + EditTable::kInsert;
      for (std::size_t k = 0; k < table_.n_links; ++k) {
        here[k + 1] = std::min(before[k] + replace[k], before[k + 1] + EditTable::kInsert);
      }
      for (std::size_t k = 0; k < table_.n_links; ++k) here[k + 1] = std::min(here[k + 1], here[k] + table_.skip[k]);
    }
    return cell(order.size(), table_.n_links);
  }

  /// The way of the words that were aligned last.
  Steps steps(const Order& order) {
    Steps steps;
    std::size_t i = order.size(), k = table_.n_links;
    while (i > 0 || k > 0) {
      const float here = cell(i, k);
      if (i > 0 && k > 0 && here == cell(i - 1, k - 1) + table_.of(static_cast<std::size_t>(order[i - 1]), k - 1)) {
        --i, --k;
        steps.push_back({order[i], static_cast<std::int32_t>(k)});
      } else if (k > 0 && here == cell(i, k - 1) + table_.skip[k - 1]) {
        --k;
      } else {
        steps.push_back({order[--i], Network::kNewLink});
      }
    }
    std::ranges::reverse(steps);
    return steps;
  }

 private:
  float& cell(std::size_t i, std::size_t k) { return cells_[i * (table_.n_links + 1) + k]; }

  const EditTable& table_;
  std::vector<float> cells_;
};

struct Shift {
  std::size_t from, length, to;  // places in the order; `to` without the block
};

Order shifted(const Order& order, const Shift& shift) {
  Order moved;
  moved.reserve(order.size());
  const auto first = order.begin() + static_cast<std::ptrdiff_t>(shift.from);
  const auto last = first + static_cast<std::ptrdiff_t>(shift.length);
  moved.insert(moved.end(), order.begin(), first);
  moved.insert(moved.end(), last, order.end());
  moved.insert(moved.begin() + static_cast<std::ptrdiff_t>(shift.to), first, last);
  return moved;
}

/// The shifts that are worth a try after an alignment: blocks in error that are like links in error elsewhere.
class Shifts {
 public:
  Shifts(const EditTable& table, const ShiftOptions& options, const Order& order, const Steps& steps)
      : table_(table), options_(options), order_(order), matched_words_(order.size()), matched_links_(table.n_links) {
    before_link_.assign(table.n_links + 1, order.size());
    std::size_t place = 0, next = 0;
    for (const Step& step : steps) {
      if (step.link != Network::kNewLink) {
        const auto link = static_cast<std::size_t>(step.link);
        while (next <= link) before_link_[next++] = place;
        const bool alike = table.of(static_cast<std::size_t>(step.word), link) < kAlike;
        matched_words_[place] = matched_links_[link] = alike;
      }
      ++place;
    }
  }

  template <class Try>
  void for_each(const Try& attempt) const {
    for (std::size_t i = 0; i < order_.size(); ++i) {
      if (matched_words_[i]) continue;
      for (std::size_t k = 0; k < table_.n_links; ++k) {
        if (!matched_links_[k] && alike(i, k)) try_blocks(i, k, attempt);
      }
    }
  }

 private:
  bool alike(std::size_t place, std::size_t link) const {
    return table_.of(static_cast<std::size_t>(order_[place]), link) < kAlike;
  }

  template <class Try>
  void try_blocks(std::size_t from, std::size_t link, const Try& attempt) const {
    const std::size_t target = before_link_[link];
    for (std::size_t length = 1; length <= options_.longest; ++length) {
      const std::size_t i = from + length - 1, k = link + length - 1;
      if (i >= order_.size() || k >= table_.n_links) break;
      if (!alike(i, k)) {
        if (options_.all_alike) break;
        continue;
      }
      if (target >= from && target <= from + length) continue;  // it is there
      const std::size_t distance = target < from ? from - target : target - from - length;
      if (distance > options_.farthest) continue;
      attempt(Shift{from, length, target < from ? target : target - length});
    }
  }

  const EditTable& table_;
  const ShiftOptions& options_;
  const Order& order_;
  std::vector<bool> matched_words_, matched_links_;
  std::vector<std::size_t> before_link_;  // how many words of the order stand before a link
};

}  // namespace

Steps align_by_shifts(const EditTable& table, const ShiftOptions& options) {
  Aligner aligner(table);
  Order order(table.n_words);
  std::iota(order.begin(), order.end(), 0);
  float cost = aligner.align(order);
  Steps steps = aligner.steps(order);
  const float price = static_cast<float>(options.cost);
  for (std::size_t round = 0; round < table.n_words && cost > price; ++round) {
    std::optional<Order> best;
    float least = cost - price - kGain;
    Shifts(table, options, order, steps).for_each([&](const Shift& shift) {
      Order moved = shifted(order, shift);
      const float found = aligner.align(moved);
      if (found >= least) return;
      least = found;
      best = std::move(moved);
    });
    if (!best) break;
    order = std::move(*best);
    cost = aligner.align(order);
    steps = aligner.steps(order);
  }
  return steps;
}

}  // namespace dragoman::combine
