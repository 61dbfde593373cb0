#include "dragoman/metrics/spede.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "dragoman/core/errors.hpp"

namespace dragoman::metrics {

namespace {

using Words = std::span<const std::int32_t>;
using Scores = std::array<double, kSpedeEdits>;

constexpr double kImpossible = -std::numeric_limits<double>::infinity();
constexpr std::size_t kMostCells = 1 << 22;
constexpr std::uint8_t kNoMatch = kSpedeEdits;

std::size_t index(std::int32_t word) { return static_cast<std::size_t>(word); }

bool share_one(Words a, Words b) {
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i] == b[j]) return true;
    a[i] < b[j] ? ++i : ++j;
  }
  return false;
}

double log_sum(const Scores& scores) {
  const double most = *std::ranges::max_element(scores);
  if (most == kImpossible) return kImpossible;
  double sum = 0.0;
  for (const double score : scores) sum += std::exp(score - most);
  return most + std::log(sum);
}

class Machine {
 public:
  Machine(Words hyp, Words ref, const SpedeLexicon& lexicon, std::span<const double> weights)
      : hyp_(hyp), ref_(ref), lexicon_(lexicon), weights_(weights), width_(hyp.size() + 1) {
    if ((hyp.size() + 1) * (ref.size() + 1) > kMostCells) {
      throw segment_error("too long for SPEDE: " + std::to_string(hyp.size()) + " words against " +
                          std::to_string(ref.size()) + ". Cut it into sentences.");
    }
    Scores none;
    none.fill(kImpossible);
    forward_.assign((ref.size() + 1) * width_, none);
    matches_.assign((ref.size() + 1) * width_, kNoMatch);
    for (std::size_t i = 0; i < ref.size(); ++i) {
      for (std::size_t j = 0; j < hyp.size(); ++j) matches_[cell(i, j)] = match(ref[i], hyp[j]);
    }
  }

  double sum() {
    for_each_cell([&](std::size_t i, std::size_t j) {
      for_each_edit_into(i, j, [&](std::size_t edit, std::size_t from) {
        if (from == 0) {
          forward_[cell(i, j)][edit] = unit(edit);
          return;
        }
        Scores paths;
        for (std::size_t q = 0; q < kSpedeEdits; ++q) paths[q] = forward_[from][q] + step(q, edit);
        forward_[cell(i, j)][edit] = unit(edit) + log_sum(paths);
      });
    });
    return is_empty() ? 0.0 : log_sum(forward_.back());
  }

  /// How often each edit and each pair of edits is expected, once `sum` was made.
  void expect(double total, std::span<double> counts) const {
    if (is_empty()) return;
    Scores none;
    none.fill(kImpossible);
    std::vector<Scores> backward(forward_.size(), none);
    backward.back().fill(0.0);
    for (std::size_t i = ref_.size() + 1; i-- > 0;) {
      for (std::size_t j = hyp_.size() + 1; j-- > 0;) {
        // What lies ahead of a cell is done: spread it to the cells that lead here.
        for_each_edit_into(i, j, [&](std::size_t edit, std::size_t from) {
          const double ahead = unit(edit) + backward[cell(i, j)][edit];
          if (from == 0) {
            counts[edit] += std::exp(ahead - total);
            return;
          }
          for (std::size_t q = 0; q < kSpedeEdits; ++q) {
            const double rest = step(q, edit) + ahead;
            const double share = std::exp(forward_[from][q] + rest - total);
            counts[edit] += share;
            counts[place(q, edit)] += share;
            add_log(backward[from][q], rest);
          }
        });
      }
    }
  }

  std::vector<std::uint8_t> heaviest() {
    std::vector<std::array<std::uint8_t, kSpedeEdits>> before(forward_.size());
    for_each_cell([&](std::size_t i, std::size_t j) {
      for_each_edit_into(i, j, [&](std::size_t edit, std::size_t from) {
        std::size_t best = 0;
        double most = from == 0 ? 0.0 : kImpossible;
        for (std::size_t q = 0; from != 0 && q < kSpedeEdits; ++q) {
          if (forward_[from][q] + step(q, edit) > most) most = forward_[from][q] + step(q, edit), best = q;
        }
        forward_[cell(i, j)][edit] = unit(edit) + most;
        before[cell(i, j)][edit] = static_cast<std::uint8_t>(best);
      });
    });
    std::vector<std::uint8_t> script;
    std::size_t i = ref_.size(), j = hyp_.size();
    std::size_t edit = static_cast<std::size_t>(std::ranges::max_element(forward_.back()) - forward_.back().begin());
    while (i + j > 0) {
      script.push_back(static_cast<std::uint8_t>(edit));
      const std::size_t next = before[cell(i, j)][edit];
      i -= edit != kSpedeInsert;
      j -= edit != kSpedeDelete;
      edit = next;
    }
    std::ranges::reverse(script);
    return script;
  }

 private:
  bool is_empty() const { return hyp_.empty() && ref_.empty(); }
  std::size_t cell(std::size_t i, std::size_t j) const { return i * width_ + j; }
  double unit(std::size_t edit) const { return weights_[edit]; }
  static std::size_t place(std::size_t before, std::size_t edit) { return kSpedeEdits * (before + 1) + edit; }
  double step(std::size_t before, std::size_t edit) const { return weights_[place(before, edit)]; }

  std::uint8_t match(std::int32_t r, std::int32_t s) const {
    if (r == s) return lexicon_.is_punctuation[index(r)] ? kSpedePunctuation : kSpedeWord;
    if (lexicon_.lemmas[index(r)] == lexicon_.lemmas[index(s)]) return kSpedeLemma;
    return share_one(lexicon_.synsets_of(r), lexicon_.synsets_of(s)) ? static_cast<std::uint8_t>(kSpedeSynonym) : kNoMatch;
  }

  template <class Use>
  void for_each_cell(const Use& use) const {
    for (std::size_t i = 0; i <= ref_.size(); ++i) {
      for (std::size_t j = 0; j <= hyp_.size(); ++j) use(i, j);
    }
  }

  /// Calls `use(edit, cell before)` for the edits that may end in a cell; cell 0 is the start.
  template <class Use>
  void for_each_edit_into(std::size_t i, std::size_t j, const Use& use) const {
    if (j > 0) use(kSpedeInsert, cell(i, j - 1));
    if (i > 0) use(kSpedeDelete, cell(i - 1, j));
    if (i > 0 && j > 0 && matches_[cell(i - 1, j - 1)] != kNoMatch) use(matches_[cell(i - 1, j - 1)], cell(i - 1, j - 1));
  }

  static void add_log(double& sum, double value) {
    if (value == kImpossible) return;
    const double most = std::max(sum, value), least = std::min(sum, value);
    sum = most + std::log1p(std::exp(least - most));
  }

  Words hyp_, ref_;
  const SpedeLexicon& lexicon_;
  std::span<const double> weights_;
  std::size_t width_;
  std::vector<Scores> forward_;        // by cell: after i words of the reference and j of the hypothesis, the last edit
  std::vector<std::uint8_t> matches_;  // by cell: how the next words match
};

}  // namespace

Words SpedeLexicon::synsets_of(std::int32_t word) const {
  const auto first = static_cast<std::size_t>(synset_offsets[index(word)]);
  return synsets.subspan(first, static_cast<std::size_t>(synset_offsets[index(word) + 1]) - first);
}

double spede(Words hyp, Words ref, const SpedeLexicon& lexicon, std::span<const double> weights, std::span<double> gradient) {
  Machine machine(hyp, ref, lexicon, weights);
  const double total = machine.sum();
  if (!gradient.empty()) machine.expect(total, gradient);
  return total;
}

std::vector<std::uint8_t> spede_script(Words hyp, Words ref, const SpedeLexicon& lexicon, std::span<const double> weights) {
  return Machine(hyp, ref, lexicon, weights).heaviest();
}

}  // namespace dragoman::metrics
