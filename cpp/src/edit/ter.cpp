#include "dragoman/edit/ter.hpp"

#include <array>
#include <cstdlib>

#include "dragoman/edit/rows.hpp"

namespace dragoman::edit {
namespace {

/// A block to move, and how good the move would be: more edits saved first, then the longer block, the earlier block,
/// the earlier target.
struct Candidate {
  int from;
  int target;  // tercom's insertion point, in positions before the move

  /// Where the block begins after the move. A target within the block moves it right by as many words.
  int to(int length, int n_hyp) const noexcept {
    if (target < from) return target;
    if (target > from + length) return target - length;
    return std::min(target, n_hyp - length);
  }
};

/// Working space that all searches of a thread share.
struct Workspace {
  WordPlaces places;
  std::vector<Word> words;                                      // the hypothesis as shifted so far
  std::vector<Word> moved;                                      // for a shift in the making
  std::vector<int> align;                                       // reference position → hypothesis position, -1 = before
  std::vector<std::uint8_t> hyp_wrong, ref_wrong;               // 1 = the word is not matched where it stands
  std::array<std::vector<Candidate>, kMaxShiftSize + 1> found;  // by length, then ordered by from and target
  std::vector<int> counts;                                      // of words, for the lower bound
};

/// The greedy search for shifts of one segment.
template <class Rows>
class Search {
 public:
  explicit Search(Workspace& space) : space_(space) {}

  int run(std::span<const Word> ref, const Beam& beam, bool with_shifts, TerTrace* trace) {
    n_hyp_ = static_cast<int>(space_.words.size());
    n_ref_ = static_cast<int>(ref.size());
    ref_ = ref;
    rows_.set(n_hyp_, n_ref_, beam, space_.places);
    if (static_cast<int>(saved_.size()) <= n_hyp_) saved_.resize(static_cast<std::size_t>(n_hyp_) + 1);
    rows_.begin(saved_[0]);
    // No order of the words needs fewer edits than the words that have no partner.
    const int fewest = words_without_partner();
    int shifts = 0, looked_at = 0, unchanged = 0;
    while (true) {
      for (int i = unchanged + 1; i <= n_hyp_; ++i) {
        saved_at(i) = saved_at(i - 1);
        rows_.step_traced(saved_at(i), i, word(i - 1));
      }
      distance_ = rows_.distance(saved_at(n_hyp_));
      if (!with_shifts || distance_ == fewest) break;
      walk_back(nullptr);
      looked_at += find_candidates(kMaxShiftCandidates - looked_at);
      if (looked_at >= kMaxShiftCandidates) break;
      const auto [length, best] = choose(distance_ - fewest);
      if (length == 0) break;
      const int to = best.to(length, n_hyp_);
      move(best.from, length, to);
      unchanged = std::min(best.from, to);
      ++shifts;
      if (trace != nullptr) trace->shifts.push_back({best.from, length, to});
    }
    if (trace != nullptr) {
      trace->edits = shifts + distance_;
      walk_back(&trace->operations);
      std::ranges::reverse(trace->operations);
    }
    return shifts + distance_;
  }

 private:
  using State = typename Rows::State;

  State& saved_at(int i) noexcept { return saved_[static_cast<std::size_t>(i)]; }
  Word word(int k) const noexcept { return space_.words[static_cast<std::size_t>(k)]; }

  int words_without_partner() {
    auto& counts = space_.counts;
    counts.assign(static_cast<std::size_t>(space_.places.unknown()) + 1, 0);
    int partners = 0;
    for (const Word w : space_.words) {
      if (++counts[static_cast<std::size_t>(w)] <= static_cast<int>(space_.places.of(w).size())) ++partners;
    }
    return std::max(n_hyp_, n_ref_) - partners;
  }

  /// Walk from the last cell to the first: which words are wrong, and which hypothesis position stands for each
  /// reference position (that of the last hypothesis word used up so far, -1 if none).
  void walk_back(std::vector<Operation>* operations) {
    space_.align.resize(static_cast<std::size_t>(n_ref_));
    space_.hyp_wrong.resize(static_cast<std::size_t>(n_hyp_));
    space_.ref_wrong.resize(static_cast<std::size_t>(n_ref_));
    int i = n_hyp_, j = n_ref_;
    while (i > 0 || j > 0) {
      const Operation operation = rows_.operation(i, j);
      const std::uint8_t wrong = operation != Operation::kMatch;
      if (operation != Operation::kDelete) {
        --j;
        space_.align[static_cast<std::size_t>(j)] = i - 1;
        space_.ref_wrong[static_cast<std::size_t>(j)] = wrong;
      }
      if (operation != Operation::kInsert) {
        --i;
        space_.hyp_wrong[static_cast<std::size_t>(i)] = wrong;
      }
      if (operations != nullptr) operations->push_back(operation);
    }
  }

  /// Collect the moves worth a try: the block equals a run of the reference, both hold an error, and the block is not
  /// already aligned with the place it would go to. Returns how many sacreBLEU would look at (it tries some twice);
  /// gives up when `limit` is reached.
  int find_candidates(int limit) {
    for (auto& list : space_.found) list.clear();
    int count = 0;
    std::array<std::size_t, kMaxShiftSize + 1> tails{};
    for (int from = 0; from < n_hyp_; ++from) {
      const auto places = space_.places.of(word(from));
      if (places.empty()) continue;
      for (int length = 1; length <= kMaxShiftSize; ++length) {
        tails[static_cast<std::size_t>(length)] = space_.found[static_cast<std::size_t>(length)].size();
      }
      auto place = std::ranges::lower_bound(places, from - kMaxShiftDistance);
      for (; place != places.end() && *place <= from + kMaxShiftDistance; ++place) {
        count += extend(from, *place, tails);
        if (count >= limit) return count;
      }
    }
    return count;
  }

  int extend(int from, int start, const std::array<std::size_t, kMaxShiftSize + 1>& tails) {
    const int longest = std::min({kMaxShiftSize, n_hyp_ - from, n_ref_ - start});
    const int aligned = space_.align[static_cast<std::size_t>(start)];
    std::array<int, kMaxShiftSize + 1> targets;
    int n_targets = 0, count = 0;
    const auto add_target = [&](int target) {
      if (n_targets == 0 || targets[static_cast<std::size_t>(n_targets) - 1] != target) {
        targets[static_cast<std::size_t>(n_targets++)] = target;
      }
    };
    add_target(start == 0 ? 0 : space_.align[static_cast<std::size_t>(start) - 1] + 1);
    bool hyp_wrong = false, ref_wrong = false;
    for (int length = 1; length <= longest; ++length) {
      const auto h = static_cast<std::size_t>(from + length - 1), r = static_cast<std::size_t>(start + length - 1);
      if (space_.words[h] != ref_[r]) break;
      if (from <= aligned && aligned < from + length) break;
      hyp_wrong |= space_.hyp_wrong[h] != 0;
      ref_wrong |= space_.ref_wrong[r] != 0;
      add_target(space_.align[r] + 1);
      if (!hyp_wrong || !ref_wrong) continue;
      count += n_targets;
      auto& list = space_.found[static_cast<std::size_t>(length)];
      for (int t = 0; t < n_targets; ++t) {
        insert(list, tails[static_cast<std::size_t>(length)], {from, targets[static_cast<std::size_t>(t)]});
      }
    }
    return count;
  }

  /// Keep the tail of the list, all with the same `from`, ordered by target and without doubles.
  static void insert(std::vector<Candidate>& list, std::size_t tail, Candidate candidate) {
    if (candidate.target == candidate.from) return;  // moves nothing
    auto place = list.end();
    const auto begin = list.begin() + static_cast<std::ptrdiff_t>(tail);
    while (place != begin && std::prev(place)->target > candidate.target) --place;
    if (place != begin && std::prev(place)->target == candidate.target) return;
    list.insert(place, candidate);
  }

  /// The best move and its length; length 0 if none saves an edit.
  std::pair<int, Candidate> choose(int most) {
    int best_length = 0, best_saved = 0;
    Candidate best{};
    for (int length = kMaxShiftSize; length > 0; --length) {
      for (const Candidate candidate : space_.found[static_cast<std::size_t>(length)]) {
        const int saved = distance_ - distance_after(candidate, length);
        if (saved > best_saved) {
          best_saved = saved;
          best_length = length;
          best = candidate;
          if (saved == most) return {best_length, best};
        }
      }
    }
    return {best_length, best};
  }

  int distance_after(Candidate candidate, int length) {
    const int from = candidate.from, to = candidate.to(length, n_hyp_);
    int i = std::min(from, to);
    state_ = saved_at(i);
    const auto feed = [&](int begin, int end) {
      for (int k = begin; k < end; ++k) rows_.step(state_, ++i, word(k));
    };
    if (to < from) {
      feed(from, from + length);
      feed(to, from);
      feed(from + length, n_hyp_);
    } else {
      feed(from + length, to + length);
      feed(from, from + length);
      feed(to + length, n_hyp_);
    }
    return rows_.distance(state_);
  }

  void move(int from, int length, int to) {
    const auto begin = space_.words.begin();
    if (to < from) {
      std::rotate(begin + to, begin + from, begin + from + length);
    } else {
      std::rotate(begin + from, begin + from + length, begin + to + length);
    }
  }

  Workspace& space_;
  Rows rows_;
  std::span<const Word> ref_;
  int n_hyp_ = 0;
  int n_ref_ = 0;
  int distance_ = 0;
  State state_{};
  std::vector<State> saved_;  // row i of the current hypothesis
};

}  // namespace

struct TerAligner::Impl {
  Workspace space;
  Search<Whole> whole{space};
  Search<Strip<true>> strip{space};
  Search<Strip<false>> long_strip{space};
  Search<Cells> cells{space};

  int run(std::span<const Word> hyp, std::span<const Word> ref, bool with_shifts, TerTrace* trace) {
    const int n_hyp = static_cast<int>(hyp.size()), n_ref = static_cast<int>(ref.size());
    if (n_hyp == 0 || n_ref == 0) {
      if (trace != nullptr) {
        trace->edits = n_hyp + n_ref;
        trace->operations.assign(hyp.size() + ref.size(), n_ref == 0 ? Operation::kDelete : Operation::kInsert);
      }
      return n_hyp + n_ref;
    }
    space.places.set(ref);
    space.words.resize(hyp.size());
    std::ranges::transform(hyp, space.words.begin(), [&](Word w) { return w < 0 ? space.places.unknown() : w; });
    const Beam beam(n_hyp, n_ref);
    if (Whole::fits(beam, n_ref)) return whole.run(ref, beam, with_shifts, trace);
    if (Strip<true>::fits(beam, n_ref)) return strip.run(ref, beam, with_shifts, trace);
    if (Strip<false>::fits(beam, n_ref)) return long_strip.run(ref, beam, with_shifts, trace);
    return cells.run(ref, beam, with_shifts, trace);
  }
};

TerAligner::TerAligner() : impl_(std::make_unique<Impl>()) {}
TerAligner::~TerAligner() = default;
TerAligner::TerAligner(TerAligner&&) noexcept = default;

int TerAligner::edits(std::span<const Word> hyp, std::span<const Word> ref) {
  return impl_->run(hyp, ref, true, nullptr);
}

TerTrace TerAligner::trace(std::span<const Word> hyp, std::span<const Word> ref, bool with_shifts) {
  TerTrace trace;
  impl_->run(hyp, ref, with_shifts, &trace);
  return trace;
}

}  // namespace dragoman::edit
