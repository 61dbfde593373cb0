#include "dragoman/morph/trainer.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "dragoman/core/errors.hpp"

namespace dragoman::morph {
namespace {

std::uint32_t longest_word(const Words& words) {
  std::int64_t longest = 0;
  for (std::size_t i = 0; i < words.size(); ++i) longest = std::max(longest, words.offsets[i + 1] - words.offsets[i]);
  return static_cast<std::uint32_t>(longest);
}

class Trainer {
 public:
  Trainer(const Words& words, double corpus_weight)
      : words_(words), corpus_weight_(corpus_weight), longest_(longest_word(words)), parts_(words.letters, longest_) {
    const Letter last = words.letters.empty() ? kNoLetter : *std::ranges::max_element(words.letters);
    letter_counts_.resize(static_cast<std::size_t>(last) + 1);
    extra_.resize(letter_counts_.size());
    for (const Letter letter : words.letters) {
      if (extra_[static_cast<std::size_t>(letter)]++ == 0) ++sums_.alphabet;
    }
    std::ranges::fill(extra_, 0);
    before_.resize(longest_ + 1);
    behind_.resize(longest_ + 1);
    roots_.reserve(words.size());
    for (std::size_t i = 0; i < words.size(); ++i) {
      roots_.push_back(parts_.add(words.place(i)));
      use(roots_.back(), words.counts[i]);
      sums_.words += words.counts[i];
    }
  }

  double length() {
    // Sums of logarithms are taken afresh: what thousands of steps add and take away leaves a trace.
    sums_.token_logs = sums_.letter_logs = 0;
    for (PartId id = 0; id < parts_.size(); ++id) {
      if (parts_[id].is_morph()) sums_.token_logs += x_log_x(parts_[id].count);
    }
    for (const std::int64_t count : letter_counts_) sums_.letter_logs += x_log_x(count);
    return description_length(sums_, corpus_weight_);
  }

  void round(std::span<const std::uint32_t> order) {
    for (const std::uint32_t word : order) optimise(roots_[word]);
  }

  Segmented result() const {
    Segmented out;
    std::vector<std::int32_t> numbers(parts_.size(), -1);
    for (PartId id = 0; id < parts_.size(); ++id) {
      if (parts_[id].count == 0 || !parts_[id].is_morph()) continue;
      numbers[id] = static_cast<std::int32_t>(out.morphs.size());
      out.morphs.push_back(parts_[id].place);
      out.counts.push_back(parts_[id].count);
    }
    out.offsets.push_back(0);
    std::vector<PartId> found;
    for (const PartId root : roots_) {
      found.clear();
      gather(root, found);
      for (const PartId id : found) out.pieces.push_back(numbers[id]);
      out.offsets.push_back(static_cast<std::int64_t>(out.pieces.size()));
    }
    return out;
  }

 private:
  PartId find_used(Place place) const noexcept {
    const PartId id = parts_.find(place);
    return id != kNoPart && parts_[id].count > 0 ? id : kNoPart;
  }

  /// Change how often a part is used, and with it what it consists of.
  void use(PartId id, std::int64_t change) {
    Part& part = parts_[id];
    const std::int64_t old = part.count;
    if (old == 0) part.left = part.right = kNoPart;
    part.count = old + change;
    if (!part.is_morph()) {
      const PartId right = part.right;
      use(part.left, change);
      use(right, change);
      return;
    }
    sums_.tokens += change;
    sums_.token_logs += x_log_x(part.count) - x_log_x(old);
    if (old == 0) list(part.place, 1);
    if (part.count == 0) list(part.place, -1);
  }

  /// Put an entry into the lexicon (1) or strike it out (−1).
  void list(Place place, int change) {
    sums_.types += change;
    sums_.letters += change * static_cast<std::int64_t>(place.length);
    for (const Letter letter : parts_.spelling(place)) {
      std::int64_t& count = letter_counts_[static_cast<std::size_t>(letter)];
      sums_.letter_logs += x_log_x(count + change) - x_log_x(count);
      count += change;
    }
  }

  void gather(PartId id, std::vector<PartId>& found) const {
    const Part& part = parts_[id];
    if (part.is_morph()) {
      found.push_back(id);
    } else {
      gather(part.left, found);
      gather(part.right, found);
    }
  }

  /// What the spelling of every beginning and of every end of a part would add to the sum over letters.
  void spell(std::span<const Letter> letters) {
    const std::size_t n = letters.size();
    const auto add = [&](Letter letter) {
      const auto at = static_cast<std::size_t>(letter);
      const std::int64_t count = letter_counts_[at] + extra_[at]++;
      return x_log_x(count + 1) - x_log_x(count);
    };
    before_[0] = behind_[n] = 0;
    for (std::size_t i = 0; i < n; ++i) before_[i + 1] = before_[i] + add(letters[i]);
    for (const Letter letter : letters) extra_[static_cast<std::size_t>(letter)] = 0;
    for (std::size_t i = n; i > 0; --i) behind_[i - 1] = behind_[i] + add(letters[i - 1]);
    for (const Letter letter : letters) extra_[static_cast<std::size_t>(letter)] = 0;
  }

  struct Addition {
    std::int64_t tokens = 0, types = 0, letters = 0;
    double token_logs = 0, letter_logs = 0;
  };

  double length_with(const Addition& more) const noexcept {
    Sums sums = sums_;
    sums.tokens += more.tokens;
    sums.types += more.types;
    sums.letters += more.letters;
    sums.token_logs += more.token_logs;
    sums.letter_logs += more.letter_logs;
    return description_length(sums, corpus_weight_);
  }

  /// The description length if a part that is used `count` times, and not in the sums now, had these halves, of which
  /// one at least is known.
  double length_of_halves(PartId left, PartId right, Place place, std::uint32_t cut, std::int64_t count) {
    Addition more;
    if (left == kNoPart || right == kNoPart) {
      more.types = 1;
      more.letters = left == kNoPart ? cut : place.length - cut;
      more.letter_logs = left == kNoPart ? before_[cut] : behind_[cut];
      more.tokens = count;
      more.token_logs = x_log_x(count);
    }
    found_.clear();
    if (left != kNoPart) gather(left, found_);
    if (right != kNoPart) gather(right, found_);
    more.tokens += count * static_cast<std::int64_t>(found_.size());
    if (found_.size() > 1) std::ranges::sort(found_);
    for (std::size_t i = 0; i < found_.size();) {
      std::size_t next = i;
      while (next < found_.size() && found_[next] == found_[i]) ++next;
      const std::int64_t old = parts_[found_[i]].count;
      more.token_logs += x_log_x(old + static_cast<std::int64_t>(next - i) * count) - x_log_x(old);
      i = next;
    }
    return length_with(more);
  }

  /// Cut a part anew, in all words that have it, and then its halves.
  void optimise(PartId id) {
    const Place place = parts_[id].place;
    const std::uint32_t n = place.length;
    const std::int64_t count = parts_[id].count;
    if (n < 2) return;
    use(id, -count);
    spell(parts_.spelling(place));
    Addition whole{count, 1, n, x_log_x(count), before_[n]};
    double best = length_with(whole);
    std::uint32_t best_cut = 0;
    double new_halves = std::numeric_limits<double>::quiet_NaN();  // two new morphs cost the same wherever they meet
    for (std::uint32_t cut = 1; cut < n; ++cut) {
      const Place first{place.begin, cut}, second{place.begin + cut, n - cut};
      const PartId left = find_used(first), right = find_used(second);
      double length;
      if (left != kNoPart || right != kNoPart) {
        length = length_of_halves(left, right, place, cut, count);
      } else if (2 * cut == n && std::ranges::equal(parts_.spelling(first), parts_.spelling(second))) {
        length = length_with({2 * count, 1, cut, x_log_x(2 * count), before_[cut]});
      } else {
        if (new_halves != new_halves) new_halves = length_with({2 * count, 2, n, 2 * x_log_x(count), before_[n]});
        length = new_halves;
      }
      if (length < best) {
        best = length;
        best_cut = cut;
      }
    }
    if (best_cut == 0) {
      use(id, count);
      return;
    }
    const PartId left = parts_.add({place.begin, best_cut});
    const PartId right = parts_.add({place.begin + best_cut, n - best_cut});
    use(left, count);
    use(right, count);
    Part& part = parts_[id];
    part.count = count;
    part.left = left;
    part.right = right;
    optimise(left);
    if (right != left) optimise(right);
  }

  Words words_;
  double corpus_weight_;
  std::uint32_t longest_;
  PartTable parts_;
  std::vector<PartId> roots_;
  Sums sums_;
  std::vector<std::int64_t> letter_counts_;  // in the lexicon's entries
  // Room for `optimise`, which does not need them any more when it calls itself.
  std::vector<std::int64_t> extra_;
  std::vector<double> before_, behind_;
  std::vector<PartId> found_;
};

}  // namespace

Segmented train(const Words& words, const TrainingOptions& options, const CounterStream& order) {
  if (words.letters.size() >= std::numeric_limits<std::uint32_t>::max()) {
    throw data_error("The words have " + std::to_string(words.letters.size()) +
                     " letters together; morphemes are learnt of fewer than 2^32.");
  }
  Trainer trainer(words, options.corpus_weight);
  // A round may lengthen the description: a word's halves are weighed without the cuts that they had in it alone.
  std::vector<double> lengths{trainer.length()};
  double shortest = lengths.front();
  Segmented best = trainer.result();
  std::vector<std::uint32_t> sequence(words.size());
  std::iota(sequence.begin(), sequence.end(), 0U);
  std::uint64_t drawn = 0;
  for (int round = 0; round < options.max_rounds; ++round) {
    for (std::size_t left = sequence.size(); left > 1; --left) {
      std::swap(sequence[left - 1], sequence[order.below(drawn++, static_cast<std::uint32_t>(left))]);
    }
    trainer.round(sequence);
    lengths.push_back(trainer.length());
    const double gain = shortest - lengths.back();
    if (gain > 0) {
      shortest = lengths.back();
      best = trainer.result();
    }
    if (gain <= options.tolerance * static_cast<double>(words.size())) break;
  }
  best.lengths = std::move(lengths);
  return best;
}

}  // namespace dragoman::morph
