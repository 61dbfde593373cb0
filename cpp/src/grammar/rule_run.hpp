#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "dragoman/core/bytes.hpp"
#include "dragoman/core/errors.hpp"
#include "rule_instance.hpp"

namespace dragoman::grammar {

inline void count_up(std::vector<std::uint64_t>& counts, std::uint32_t count) {
  if (count >= counts.size()) counts.resize(count + std::size_t{1});
  ++counts[count];
}

struct PlaceLink {
  std::uint8_t source, target;  // places in the sides
};

/// A rule in a run, with its symbols, the labels of its gaps and the links of its words behind it.
struct RunHead : RuleHead {
  std::uint32_t size;  // bytes of it all, a multiple of eight
  std::uint16_t n_links;
  std::uint8_t n_source, n_target, n_gaps;
};
static_assert(sizeof(RunHead) % 8 == 0);

/// A rule that stands in a run; valid as long as the run is.
struct RunRule : RuleHead {
  RunRule() = default;
  explicit RunRule(const char* at) {
    const auto& head = *reinterpret_cast<const RunHead*>(at);
    static_cast<RuleHead&>(*this) = head;
    n_gaps = head.n_gaps;
    const auto* words = reinterpret_cast<const std::int32_t*>(at + sizeof(RunHead));
    source = {words, head.n_source};
    target = {words + head.n_source, head.n_target};
    gap_labels = {reinterpret_cast<const LabelPair*>(target.data() + target.size()), head.n_gaps};
    place_links = {reinterpret_cast<const PlaceLink*>(gap_labels.data() + gap_labels.size()), head.n_links};
  }

  std::uint8_t n_gaps = 0;
  std::span<const std::int32_t> source, target;  // symbols
  std::span<const LabelPair> gap_labels;
  std::span<const PlaceLink> place_links;

  void sides(RuleSides& sides) const {
    side(source, sides.source, sides.gap_sources);
    side(target, sides.target, sides.gap_targets);
  }

 private:
  static void side(std::span<const std::int32_t> from, RuleSide& symbols,
                   std::array<std::uint8_t, kMostGaps>& gap_places) {
    symbols.clear();
    for (std::size_t i = 0; i < from.size(); ++i) {
      symbols.push_back(from[i]);
      if (RuleSides::is_gap(symbols[i])) gap_places[RuleSides::gap(symbols[i])] = static_cast<std::uint8_t>(i);
    }
  }
};

/// A place in a run, which a mapped file may hold.
class RunCursor {
 public:
  RunCursor() = default;
  RunCursor(std::string_view run, std::uint64_t from, std::uint64_t to)
      : at_(run.data() + from), end_(run.data() + to) {
    if (from > to || to > run.size()) damaged();
    check();
  }

  explicit operator bool() const noexcept { return at_ != end_; }
  RunCursor& operator++() {
    at_ += head().size;
    check();
    return *this;
  }
  const RunHead& head() const noexcept { return *reinterpret_cast<const RunHead*>(at_); }
  RunRule rule() const { return RunRule(at_); }

 private:
  [[noreturn]] static void damaged() {
    throw data_error("A run of rules is damaged. Take its folder away and run the command again.");
  }
  void check() const {
    if (at_ == end_) return;
    const auto left = static_cast<std::size_t>(end_ - at_);
    if (left < sizeof(RunHead) || head().size > left || head().size % 8 != 0 || head().n_gaps > kMostGaps) damaged();
    const std::size_t n_numbers = std::size_t{head().n_source} + head().n_target + head().n_gaps;
    if (sizeof(RunHead) + 4 * n_numbers + sizeof(PlaceLink) * head().n_links > head().size) damaged();
  }

  const char* at_ = nullptr;
  const char* end_ = nullptr;
};

/// Writes rules one behind the other.
class RunWriter {
 public:
  explicit RunWriter(const std::function<void(std::string_view)>& write) : write_(write) {}

  /// `rules.for_each_link` knows the links of its words.
  template <class Rule, class Rules>
  void add(const Rule& rule, const RuleSides& sides, const Rules& rules) {
    links_.clear();
    rules.for_each_link(rule, sides, [&](std::uint8_t s, std::uint8_t t) { links_.push_back({s, t}); });
    add(rule, sides.source, sides.target, std::span(rule.gap_labels).first(rule.n_gaps), links_);
  }
  void add(const RunRule& rule) { add(rule, rule.source, rule.target, rule.gap_labels, rule.place_links); }

  /// All is written; where rules begin, every so often.
  std::vector<RuleMark> end() {
    flush();
    return std::move(marks_);
  }

 private:
  static constexpr std::size_t kBlock = 1 << 20;   // bytes written at once
  static constexpr std::size_t kMarked = 1 << 14;  // bytes between marks, or a few more

  void add(const RuleHead& rule, std::span<const std::int32_t> source, std::span<const std::int32_t> target,
           std::span<const LabelPair> gap_labels, std::span<const PlaceLink> links) {
    const std::uint64_t at = written_ + block_.size();
    if (marks_.empty() || at >= marks_.back().at + kMarked) marks_.push_back({rule.key, at});
    RunHead head{};
    static_cast<RuleHead&>(head) = rule;
    const std::size_t size =
        sizeof head + source.size_bytes() + target.size_bytes() + gap_labels.size_bytes() + links.size_bytes();
    head.size = static_cast<std::uint32_t>((size + 7) / 8 * 8);
    head.n_links = static_cast<std::uint16_t>(links.size());
    head.n_source = static_cast<std::uint8_t>(source.size());
    head.n_target = static_cast<std::uint8_t>(target.size());
    head.n_gaps = static_cast<std::uint8_t>(gap_labels.size());
    append(std::span(&head, 1));
    append(source);
    append(target);
    append(gap_labels);
    append(links);
    block_.append(std::string_view("\0\0\0\0\0\0\0", head.size - size));
    if (block_.size() >= kBlock) flush();
  }
  template <class Each>
  void append(std::span<Each> all) {
    block_.append({reinterpret_cast<const char*>(all.data()), all.size_bytes()});
  }
  void flush() {
    if (block_.size() > 0) write_(block_.view());
    written_ += block_.size();
    block_.clear();
  }

  const std::function<void(std::string_view)>& write_;
  Bytes block_;
  std::uint64_t written_ = 0;
  std::vector<PlaceLink> links_;
  std::vector<RuleMark> marks_;
};

}  // namespace dragoman::grammar
