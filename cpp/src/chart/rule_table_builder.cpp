#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "lm/bins.hpp"
#include "rule_table_header.hpp"

namespace dragoman::chart {
namespace {

std::uint32_t narrow(std::size_t size) {
  if (size >= std::numeric_limits<std::uint32_t>::max()) {
    throw data_error("A rule table holds less than four thousand million symbols; prune it, or make two.");
  }
  return static_cast<std::uint32_t>(size);
}

std::uint64_t hash_of_way(Node from, TokenId symbol) {
  const std::uint64_t way = std::uint64_t{from} << 32 | static_cast<std::uint32_t>(symbol);
  return hash_bytes({reinterpret_cast<const char*>(&way), sizeof way});
}

}  // namespace

RuleTableBuilder::RuleTableBuilder(std::size_t n_scores) : n_scores_(n_scores), slots_(1024, kNoNode) {}

Node RuleTableBuilder::step(Node from, TokenId symbol) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash_of_way(from, symbol) & mask;
  for (; slots_[slot] != kNoNode; slot = (slot + 1) & mask) {
    const Way& way = ways_[slots_[slot] - 1];
    if (way.from == from && way.symbol == symbol) return slots_[slot];
  }
  ways_.push_back({from, symbol});
  const Node node = narrow(ways_.size());
  slots_[slot] = node;
  if (2 * ways_.size() > slots_.size()) widen();
  return node;
}

void RuleTableBuilder::widen() {
  slots_.assign(slots_.size() * 2, kNoNode);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = 0; i < ways_.size(); ++i) {
    std::size_t slot = hash_of_way(ways_[i].from, ways_[i].symbol) & mask;
    while (slots_[slot] != kNoNode) slot = (slot + 1) & mask;
    slots_[slot] = static_cast<Node>(i + 1);
  }
}

void RuleTableBuilder::add(std::span<const TokenId> source, const RuleView& rule, std::span<const float> scores) {
  if (source.empty() || scores.size() != n_scores_) {
    throw std::logic_error("a rule has a source side, and as many scores as the table");
  }
  const auto shared = static_cast<std::size_t>(std::ranges::mismatch(source, last_).in1 - source.begin());
  last_.assign(source.begin(), source.end());
  last_nodes_.resize(shared);
  for (std::size_t i = shared; i < source.size(); ++i) {
    last_nodes_.push_back(step(i == 0 ? kRoot : last_nodes_[i - 1], source[i]));
  }
  rules_.push_back({last_nodes_.back(), {narrow(words_.size()), narrow(links_.size()), rule.label}});
  words_.insert(words_.end(), rule.target.begin(), rule.target.end());
  links_.insert(links_.end(), rule.links.begin(), rule.links.end());
  scores_.insert(scores_.end(), scores.begin(), scores.end());
}

/// A table file that is being written: its arrays by number, where they will be read.
class RuleTableBuilder::File {
 public:
  using Header = RuleTable::Header;

  File(Header header, std::span<const std::uint64_t, RuleTable::kArrays> sizes) {
    header.file_size = sizeof header;
    for (std::size_t i = 0; i < RuleTable::kArrays; ++i) {
      header.sizes[i] = sizes[i];
      places_[i] = header.file_size;
      header.file_size += filled_up(sizes[i]);
    }
    header.header_hash = hash_of_header(header);
    begin_ = bytes_.room(header.file_size);
    bytes_.end_at(begin_ + header.file_size);
    std::memcpy(begin_, &header, sizeof header);
    for (std::size_t i = 0; i < RuleTable::kArrays; ++i) {
      std::memset(begin_ + places_[i] + sizes[i], 0, filled_up(sizes[i]) - sizes[i]);
    }
  }

  template <class T>
  T* array(RuleTable::Array which) const noexcept {
    return reinterpret_cast<T*>(begin_ + places_[which]);
  }
  Bytes&& bytes() noexcept { return std::move(bytes_); }

 private:
  Bytes bytes_;
  char* begin_;
  std::uint64_t places_[RuleTable::kArrays];
};

std::vector<RuleTable::NodeEntry> RuleTableBuilder::counted_nodes() const {
  std::vector<RuleTable::NodeEntry> nodes(ways_.size() + 2, {0, 0, 0});
  for (const Way& way : ways_) {
    if (is_gap_symbol(way.symbol)) {
      ++nodes[way.from + 1].gap;
    } else if (way.from != kRoot) {
      ++nodes[way.from + 1].step;
    }
  }
  for (const Rule& rule : rules_) ++nodes[rule.node + 1].rule;
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    nodes[i].step += nodes[i - 1].step;
    nodes[i].gap += nodes[i - 1].gap;
    nodes[i].rule += nodes[i - 1].rule;
  }
  return nodes;
}

std::unique_ptr<RuleTable> RuleTableBuilder::finish(std::span<const LabelNames> labels, const Sizes& sizes,
                                                    bool quantised) {
  slots_ = {};
  const auto nodes = counted_nodes();
  auto header = new_header<RuleTable::Header>(kRuleTable);
  header.n_scores = n_scores_;
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i) header.n_sources += nodes[i].rule != nodes[i + 1].rule;
  header.n_target_words = sizes.n_target_words;
  header.n_source_labels = sizes.n_source_labels;
  header.n_target_labels = sizes.n_target_labels;
  const std::uint64_t bytes[] = {labels.size() * 2 * sizeof(std::uint32_t),
                                 sizes.n_source_words * sizeof(Node),
                                 nodes.size() * sizeof(RuleTable::NodeEntry),
                                 nodes.back().step * sizeof(RuleTable::Step),
                                 nodes.back().gap * sizeof(RuleTable::Gap),
                                 (rules_.size() + 1) * sizeof(RuleTable::Entry),
                                 words_.size() * sizeof(TokenId),
                                 links_.size() * sizeof(Link),
                                 quantised ? 0 : scores_.size() * sizeof(float),
                                 quantised ? 256 * n_scores_ * sizeof(float) : 0,
                                 quantised ? scores_.size() : 0};
  File file(header, bytes);
  auto* names = file.array<std::uint32_t>(RuleTable::kLabels);
  for (const auto& [source, target] : labels) *names++ = source, *names++ = target;
  std::ranges::copy(nodes, file.array<RuleTable::NodeEntry>(RuleTable::kNodes));
  put_ways(file, nodes, sizes.n_source_words);
  const auto order = order_by_node(nodes);
  put_rules(file, order);
  quantised ? put_bins(file, order) : put_scores(file, order);
  return RuleTable::on_bytes(file.bytes());
}

/// What leads from each node, sorted.
void RuleTableBuilder::put_ways(const File& file, std::span<const RuleTable::NodeEntry> nodes,
                                std::size_t n_source_words) {
  auto* const root = file.array<Node>(RuleTable::kRoots);
  auto* const steps = file.array<RuleTable::Step>(RuleTable::kSteps);
  auto* const gaps = file.array<RuleTable::Gap>(RuleTable::kGaps);
  std::fill_n(root, n_source_words, kNoNode);
  std::vector<RuleTable::NodeEntry> next(nodes.begin(), nodes.end());
  for (std::size_t i = 0; i < ways_.size(); ++i) {
    const auto [from, symbol] = ways_[i];
    const auto to = static_cast<Node>(i + 1);
    if (is_gap_symbol(symbol)) {
      gaps[next[from].gap++] = {label_of(symbol), to};
    } else if (from == kRoot) {
      if (static_cast<std::size_t>(symbol) >= n_source_words)
        throw std::logic_error("a word beyond the source vocabulary");
      root[symbol] = to;
    } else {
      steps[next[from].step++] = {symbol, to};
    }
  }
  ways_ = {};
  for (std::size_t node = 0; node + 1 < nodes.size(); ++node) {
    std::ranges::sort(steps + nodes[node].step, steps + nodes[node + 1].step, {}, &RuleTable::Step::word);
    std::ranges::sort(gaps + nodes[node].gap, gaps + nodes[node + 1].gap, {}, &RuleTable::Gap::label);
  }
}

/// The numbers of the rules as they came, those of a node together.
std::vector<std::uint32_t> RuleTableBuilder::order_by_node(std::span<const RuleTable::NodeEntry> nodes) const {
  std::vector<std::uint32_t> next(nodes.size()), order(rules_.size());
  std::ranges::transform(nodes, next.begin(), &RuleTable::NodeEntry::rule);
  for (std::size_t i = 0; i < rules_.size(); ++i) order[next[rules_[i].node]++] = static_cast<std::uint32_t>(i);
  return order;
}

void RuleTableBuilder::put_rules(const File& file, std::span<const std::uint32_t> order) {
  auto* const entries = file.array<RuleTable::Entry>(RuleTable::kEntries);
  auto* const words = file.array<TokenId>(RuleTable::kWords);
  auto* const links = file.array<Link>(RuleTable::kLinks);
  rules_.push_back({kRoot, {narrow(words_.size()), narrow(links_.size()), 0}});
  RuleTable::Entry at{0, 0, 0};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto here = rules_[order[i]].begins, behind = rules_[order[i] + 1].begins;
    entries[i] = {at.word, at.link, here.label};
    std::copy(words_.begin() + here.word, words_.begin() + behind.word, words + at.word);
    std::copy(links_.begin() + here.link, links_.begin() + behind.link, links + at.link);
    at = {at.word + behind.word - here.word, at.link + behind.link - here.link, 0};
  }
  entries[order.size()] = at;
  rules_ = {};
  words_ = {};
  links_ = {};
}

void RuleTableBuilder::put_scores(const File& file, std::span<const std::uint32_t> order) const {
  auto* scores = file.array<float>(RuleTable::kScores);
  for (const std::size_t number : order) {
    scores = std::copy_n(scores_.begin() + static_cast<std::ptrdiff_t>(number * n_scores_), n_scores_, scores);
  }
}

void RuleTableBuilder::put_bins(const File& file, std::span<const std::uint32_t> order) const {
  auto* const bins = file.array<float>(RuleTable::kBins);
  auto* const codes = file.array<std::uint8_t>(RuleTable::kCodes);
  for (std::size_t k = 0; k < n_scores_; ++k) {
    std::vector<float> column(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) column[i] = scores_[i * n_scores_ + k];
    const auto centres = lm::bin_centres(std::move(column), 256);
    std::ranges::copy(centres, bins + 256 * k);
    for (std::size_t i = 0; i < order.size(); ++i) {
      codes[i * n_scores_ + k] = static_cast<std::uint8_t>(lm::nearest(centres, scores_[order[i] * n_scores_ + k]));
    }
  }
}

}  // namespace dragoman::chart
