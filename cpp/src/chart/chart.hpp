#pragma once

#include <cstdint>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "cubes.hpp"
#include "growing.hpp"

namespace dragoman::chart {

/// Items that say words [from, to) of a target that is asked for; behind a prefix all places are its end. Without such
/// a target there are no places to tell apart.
struct Group {
  std::uint32_t from = 0, to = 0;
  Items items = {};
};

/// What a span can be under one label.
struct Filled {
  Label label;
  double best;  // of its items, a guess where they are grown
  std::span<const Group> groups;
  Grown* grown = nullptr;  // who has the items, in the place of groups
};

/// A chart: for each span of the source and each label, what the rules make of it.
class Chart {
 public:
  Chart(const Engine& engine, RuleBook& book, SpanStates& states, const DecodeOptions& limits)
      : engine_(&engine), book_(&book), limits_(&limits), cubes_(states, arena_), growing_(states, arena_) {}

  void run(std::span<const TokenId> source, const Weights& weights, const Constraints* constraints,
           const std::span<const LabelledSpan>* labels);

  std::size_t length() const noexcept { return length_; }
  /// What covers the whole source and says the whole of what is asked for.
  Items complete();
  /// Combinations of rules and parts that were scored.
  std::uint64_t n_scored() const noexcept { return cubes_.n_scored() + growing_.n_scored(); }
  std::uint32_t n_items() const noexcept { return grows_ ? growing_.n_items() : cubes_.n_items(); }
  std::uint64_t n_arcs() const noexcept { return grows_ ? growing_.n_arcs() : cubes_.n_arcs(); }
  /// Edges of the last sentence: places of rules, and the source words that these cover.
  std::uint64_t n_uses() const noexcept { return n_uses_; }
  std::uint64_t used_words() const noexcept { return used_words_; }

 private:
  /// A word of the source, or an arc of a lattice.
  struct Step {
    std::uint16_t from;
    TokenId word;
    std::uint32_t number;  // among the words or arcs
    float score;
  };
  /// A way through the source sides of rules that a span's words and parts have gone.
  struct Dot {
    Node node;
    float lattice;
    const Tail* tails;
    double below;  // the sum of the best that fills its gaps
  };
  /// The same where the next symbol may be a gap.
  struct GapDot {
    std::span<const RuleTable::Gap> gaps;
    std::uint64_t labels;  // a bit for each of theirs, by its number modulo 64
    Dot dot;
  };
  /// What covers a span, by label, and a bit for each label as in GapDot.
  struct Cell {
    std::span<const Filled* const> parts = {};
    std::uint64_t labels = 0;
  };
  struct Range {
    std::uint32_t first = 0, last = 0;
  };
  /// A cube whose items say words [from, to) of the target.
  struct Placed {
    std::uint32_t from, to;
    Cube cube;
  };

  void read(std::span<const TokenId> source, const std::span<const LabelledSpan>* labels);
  static std::size_t at(std::size_t begin, std::size_t end) noexcept { return end * (end - 1) / 2 + begin; }
  void fill(Span span);
  void fill_level(std::uint32_t level, Span span);
  void walk(Span span);
  void walk_over(Span span, std::size_t middle);
  void arrive(const Dot& dot, Span span);
  void go_on_from(const Dot& dot);
  void complete_dot(const Dot& dot, Span span);
  void rename(const Filled& filled, Span span);
  void add_outside(Span span);
  void add_under_unknown(const RuleUse* rule, Span span, float lattice);
  const RuleUse* copy_of(const Step& step, bool is_left_out);
  void add_edge(const Bundle& bundle, const Dot& dot);
  bool may_stand(Label label, Span span) const;
  bool is_closed(Span span) const;
  std::span<const Bundle> bundles(Node node) { return target_ ? book_->all_at(node) : book_->at(node); }
  std::size_t pops(Span span) const;
  void sow_level(std::uint32_t level, Span span);
  const Filled* sown(Label label, std::span<const Cube> cubes, Span span, std::size_t limit);
  std::span<const Group> one_group(Items items);
  void glue(std::size_t end);

  // Placing what is said among the words of a target.
  void fill_placed(std::uint32_t level, Span span);
  Cube cube_of(std::span<const RuleUse* const> rules, std::span<const Items> tails, float lattice) const;
  void place(const Cube& cube);
  void place_rule(const RuleUse& rule, std::span<const Filled* const> tails, float lattice);
  std::span<const Group> explore_placed(Span span);
  void glue_placed(std::size_t end);

  const Engine* engine_;
  RuleBook* book_;
  const DecodeOptions* limits_;
  Arena arena_;
  Cubes cubes_;
  Growing growing_;
  const Constraints* constraints_ = nullptr;
  const phrase::Target* target_ = nullptr;
  std::size_t length_ = 0, n_places_ = 0;
  bool is_labelled_ = false, is_lattice_ = false, grows_ = false;
  std::unordered_set<std::uint64_t> labelled_;  // spans with a label
  std::vector<Step> steps_;                     // by where they lead
  std::vector<Range> steps_to_;
  std::vector<std::uint32_t> limit_;  // by beginning: the next wall
  std::vector<Cell> cells_;
  std::vector<Dot> dots_;  // where the next symbol may be a word
  std::vector<GapDot> gap_dots_;
  std::vector<Range> dots_at_, gap_dots_at_;  // by span
  std::vector<const Filled*> glued_;          // by end
  // Of the span that is being filled.
  /// The cubes of labels that are filled together.
  struct Level {
    std::vector<Label> labels;  // by group
    std::vector<Cube> cubes;
  };
  std::vector<Level> levels_;
  std::vector<std::uint32_t> groups_of_;  // by label: its group in its level + 1, or 0
  std::vector<Cube> asked_;
  std::vector<Placed> placed_;
  std::vector<const Filled*> here_;
  std::uint64_t n_uses_ = 0, used_words_ = 0;
};

}  // namespace dragoman::chart
