#include <algorithm>
#include <limits>
#include <queue>
#include <unordered_map>

#include "dragoman/combine/aligners.hpp"

namespace dragoman::combine {

namespace {

/// Words [i, j) in links [k, l).
struct Span {
  std::uint8_t i, j, k, l;

  std::uint32_t key() const { return i | j << 8U | k << 16U | static_cast<std::uint32_t>(l) << 24U; }
};

enum class Rule : std::uint8_t { kReplace, kStraight, kInverted, kWordAfter, kWordBefore, kLinkAfter, kLinkBefore };

struct Item {
  Span span;
  Rule rule = Rule::kReplace;
  bool closed = false;
  float cost = 0;
  float outside = 0;                  // what the rest costs at least
  std::uint32_t left = 0, right = 0;  // items that it is made of
};

class Search {
 public:
  Search(const EditTable& table, const ItgOptions& options)
      : table_(table), options_(options), corners_(4 * (table.n_words + 1) * (table.n_links + 1)) {
    compute_bounds();
    bound_ = edit_distance(table) + kSlack;
  }

  ItgAlignment run() {
    for (std::size_t i = 0; i < table_.n_words; ++i) {
      for (std::size_t k = 0; k < table_.n_links; ++k) {
        offer(span(i, i + 1, k, k + 1), table_.of(i, k), Rule::kReplace, 0, 0);
      }
    }
    ItgAlignment found;
    const Span goal = span(0, table_.n_words, 0, table_.n_links);
    while (!agenda_.empty()) {
      const std::uint32_t number = agenda_.top().second;
      agenda_.pop();
      if (items_[number].closed) continue;
      items_[number].closed = true;
      ++found.n_items;
      if (items_[number].span.key() == goal.key()) {
        found.cost = items_[number].cost;
        collect(number, found.steps);
        return found;
      }
      if (options_.most_items != 0 && found.n_items >= options_.most_items) break;
      extend(number);
      join(number);
    }
    found.complete = false;
    return found;
  }

 private:
  static constexpr float kSlack = 1e-4F;

  static Span span(std::size_t i, std::size_t j, std::size_t k, std::size_t l) {
    return {static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(j), static_cast<std::uint8_t>(k),
            static_cast<std::uint8_t>(l)};
  }

  /// What the words and links outside cost at least if those inside help none of them.
  float outside(Span s) const {
    float words = 0, links = 0;
    const auto add_word = [&](std::size_t i) { words += std::min(word_before_[at(i, s.k)], word_behind_[at(i, s.l)]); };
    const auto add_link = [&](std::size_t k) { links += std::min(link_before_[at(s.i, k)], link_behind_[at(s.j, k)]); };
    for (std::size_t i = 0; i < s.i; ++i) add_word(i);
    for (std::size_t i = s.j; i < table_.n_words; ++i) add_word(i);
    for (std::size_t k = 0; k < s.k; ++k) add_link(k);
    for (std::size_t k = s.l; k < table_.n_links; ++k) add_link(k);
    return std::max(words, links);
  }
  std::size_t at(std::size_t word, std::size_t link) const { return word * (table_.n_links + 1) + link; }

  /// The least cost of each word before and behind each link, and of each link before and behind each word.
  void compute_bounds() {
    const std::size_t n = table_.n_words, m = table_.n_links;
    word_before_.assign((n + 1) * (m + 1), EditTable::kInsert);
    word_behind_ = word_before_;
    for (std::size_t i = 0; i <= n; ++i) {
      link_before_.insert(link_before_.end(), table_.skip.begin(), table_.skip.end());
      link_before_.push_back(0);
    }
    link_behind_ = link_before_;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < m; ++k) {
        word_before_[at(i, k + 1)] = std::min(word_before_[at(i, k)], table_.of(i, k));
        link_before_[at(i + 1, k)] = std::min(link_before_[at(i, k)], table_.of(i, k));
      }
    }
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t k = m; k-- > 0;) {
        word_behind_[at(i, k)] = std::min(word_behind_[at(i, k + 1)], table_.of(i, k));
        link_behind_[at(i, k)] = std::min(link_behind_[at(i + 1, k)], table_.of(i, k));
      }
    }
  }

  void offer(Span s, float cost, Rule rule, std::uint32_t left, std::uint32_t right) {
    if (cost > bound_) return;
    const auto [place, is_new] = numbers_.try_emplace(s.key(), static_cast<std::uint32_t>(items_.size()));
    if (is_new) {
      items_.push_back({s, rule, false, std::numeric_limits<float>::infinity(), outside(s), 0, 0});
    }
    Item& item = items_[place->second];
    const float least = cost + item.outside;
    if (item.closed || item.cost <= cost || least > bound_) return;
    item = {s, rule, false, cost, item.outside, left, right};
    // Of equally good items the larger first, which are nearer to the end.
    const int size = s.j - s.i + s.l - s.k;
    agenda_.push({{-least, size}, place->second});
  }

  void extend(std::uint32_t number) {
    const Item item = items_[number];
    const auto [i, j, k, l] = item.span;
    if (j < table_.n_words) offer(span(i, j + 1U, k, l), item.cost + EditTable::kInsert, Rule::kWordAfter, number, 0);
    if (i > 0) offer(span(i - 1U, j, k, l), item.cost + EditTable::kInsert, Rule::kWordBefore, number, 0);
    if (l < table_.n_links) offer(span(i, j, k, l + 1U), item.cost + table_.skip[l], Rule::kLinkAfter, number, 0);
    if (k > 0) offer(span(i, j, k - 1U, l), item.cost + table_.skip[k - 1U], Rule::kLinkBefore, number, 0);
  }

  /// Corners of closed items: which word and which link they begin or end at.
  enum Corner : std::uint32_t { kBeginBegin, kEndEnd, kBeginEnd, kEndBegin };
  std::vector<std::uint32_t>& corner(Corner kind, std::size_t word, std::size_t link) {
    return corners_[(kind * (table_.n_words + 1) + word) * (table_.n_links + 1) + link];
  }

  void join(std::uint32_t number) {
    const Item item = items_[number];
    const auto [i, j, k, l] = item.span;
    const auto inversion = static_cast<float>(options_.inversion);
    const auto with = [&](const std::vector<std::uint32_t>& others, const auto& make) {
      for (const std::uint32_t other : others) make(other, items_[other]);
    };
    with(corner(kBeginBegin, j, l), [&](std::uint32_t other, const Item& o) {
      offer(span(i, o.span.j, k, o.span.l), item.cost + o.cost, Rule::kStraight, number, other);
    });
    with(corner(kEndEnd, i, k), [&](std::uint32_t other, const Item& o) {
      offer(span(o.span.i, j, o.span.k, l), item.cost + o.cost, Rule::kStraight, other, number);
    });
    with(corner(kBeginEnd, j, k), [&](std::uint32_t other, const Item& o) {
      offer(span(i, o.span.j, o.span.k, l), item.cost + o.cost + inversion, Rule::kInverted, number, other);
    });
    with(corner(kEndBegin, i, l), [&](std::uint32_t other, const Item& o) {
      offer(span(o.span.i, j, k, o.span.l), item.cost + o.cost + inversion, Rule::kInverted, other, number);
    });
    corner(kBeginBegin, i, k).push_back(number);
    corner(kEndEnd, j, l).push_back(number);
    corner(kBeginEnd, i, l).push_back(number);
    corner(kEndBegin, j, k).push_back(number);
  }

  /// The steps of an item in the order of its links.
  void collect(std::uint32_t number, Steps& steps) const {
    const Item& item = items_[number];
    switch (item.rule) {
      case Rule::kReplace:
        steps.push_back({item.span.i, item.span.k});
        return;
      case Rule::kStraight:
        collect(item.left, steps), collect(item.right, steps);
        return;
      case Rule::kInverted:
        collect(item.right, steps), collect(item.left, steps);
        return;
      case Rule::kWordBefore:
        steps.push_back({item.span.i, Network::kNewLink}), collect(item.left, steps);
        return;
      case Rule::kWordAfter:
        collect(item.left, steps), steps.push_back({item.span.j - 1, Network::kNewLink});
        return;
      default:
        collect(item.left, steps);
    }
  }

  const EditTable& table_;
  const ItgOptions& options_;
  std::vector<float> word_before_, word_behind_, link_before_, link_behind_;  // by word and link
  float bound_ = 0;                                                           // what the best way costs at most
  std::vector<std::vector<std::uint32_t>> corners_;  // closed items by the corner that they have
  std::vector<Item> items_;
  std::unordered_map<std::uint32_t, std::uint32_t> numbers_;
  std::priority_queue<std::pair<std::pair<float, int>, std::uint32_t>> agenda_;
};

constexpr std::size_t kMostPlaces = 255;

}  // namespace

ItgAlignment align_by_inversions(const EditTable& table, const ItgOptions& options) {
  ItgAlignment found;
  if (table.n_words == 0 || table.n_links == 0) {
    for (std::size_t i = 0; i < table.n_words; ++i) {
      found.steps.push_back({static_cast<std::int32_t>(i), Network::kNewLink});
    }
    found.cost = edit_distance(table);
    return found;
  }
  if (table.n_words > kMostPlaces || table.n_links > kMostPlaces) {
    found.complete = false;
    return found;
  }
  // Every way may begin with a replacement, which costs no more than a word in a link of its own.
  return Search(table, options).run();
}

}  // namespace dragoman::combine
