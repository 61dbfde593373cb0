#include "dragoman/syntax/tagger.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"
#include "syntax/features.hpp"

namespace dragoman::syntax {

namespace {

constexpr Label kNone = 0xFFFF;  // before the first token and behind the last

struct TagDecision {
  Label best;
  float margin;
};

/// The best class that may be, and how far it is ahead. The first of equals wins.
template <class May>
TagDecision decide_tag(std::span<const float> scores, const May& may) noexcept {
  constexpr float lowest = -std::numeric_limits<float>::infinity();
  float best = lowest, second = lowest;
  Label found = 0;
  for (std::size_t c = 0; c < scores.size(); ++c) {
    if (!may(c)) continue;
    if (scores[c] > best) {
      second = best;
      best = scores[c];
      found = static_cast<Label>(c);
    } else if (scores[c] > second) {
      second = scores[c];
    }
  }
  return {found, best - second};
}

Look outside(std::uint64_t side) noexcept {
  Look look;
  look.form = look.lower = look.shape = side;
  for (auto& hash : look.prefix) hash = side;
  for (auto& hash : look.suffix) hash = side;
  return look;
}

/// A line and what was said of it so far.
struct Line {
  std::span<const Look> looks;
  std::span<const Label> given;
  std::span<const Label> labels;  // up to the token that is looked at

  const Look& look(std::ptrdiff_t i) const noexcept {
    static const Look before = outside(1), behind = outside(2);
    return i < 0 ? before : i >= std::ssize(looks) ? behind : looks[static_cast<std::size_t>(i)];
  }
  Label other(std::ptrdiff_t i) const noexcept {
    return i < 0 || i >= std::ssize(given) ? kNone : given[static_cast<std::size_t>(i)];
  }
  Label label(std::ptrdiff_t i) const noexcept { return i < 0 ? kNone : labels[static_cast<std::size_t>(i)]; }
};

void look_around(const Line& line, std::size_t place, Features& out) noexcept {
  const auto i = static_cast<std::ptrdiff_t>(place);
  const Look& here = line.look(i);
  const Look& left = line.look(i - 1);
  const Look& right = line.look(i + 1);
  const Label one = line.label(i - 1), two = line.label(i - 2);
  const std::uint64_t first = i == 0;

  out.add(0);
  out.add(here.form);
  out.add(here.lower);
  out.add(here.shape, first);
  for (const auto hash : here.prefix) out.add(hash);
  for (const auto hash : here.suffix) out.add(hash);
  out.add(here.suffix[2], here.shape);
  out.add(here.suffix[1], here.prefix[0], here.shape);
  out.add(left.lower);
  out.add(right.lower);
  out.add(line.look(i - 2).lower);
  out.add(line.look(i + 2).lower);
  out.add(left.suffix[2]);
  out.add(right.suffix[2]);
  out.add(right.suffix[1], right.shape);
  out.add(left.lower, here.lower);
  out.add(here.lower, right.lower);
  out.add(here.suffix[2], right.suffix[2]);
  out.add(one);
  out.add(one, two);
  out.add(one, here.lower);
  out.add(one, here.suffix[2]);
  out.add(one, right.lower);
  out.add(one, two, here.suffix[1]);
  if (line.given.empty()) return;
  const Label own = line.other(i), before = line.other(i - 1), next = line.other(i + 1);
  out.add(own);
  out.add(own, here.lower);
  out.add(own, here.suffix[3]);
  out.add(own, here.suffix[2]);
  out.add(own, here.suffix[1]);
  out.add(own, here.suffix[0]);
  out.add(own, one);
  out.add(own, one, two);
  out.add(own, before, next);
  out.add(own, before, one);
  out.add(own, next, line.other(i + 2));
  out.add(own, next, right.suffix[1]);
  out.add(own, next, right.suffix[0]);
  out.add(own, before, left.lower);
  out.add(own, here.suffix[1], one);
}

}  // namespace

std::vector<std::uint32_t> shuffled(std::size_t n, int epoch, CounterStream chance) {
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  const std::uint64_t start = static_cast<std::uint64_t>(epoch) * n;
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return chance.bits(start + i); });
  return order;
}

TagLayer::TagLayer(Weights weights, Allowed allowed) : weights_(std::move(weights)), allowed_(std::move(allowed)) {
  if (!allowed_.table.empty() &&
      (allowed_.n_labels != weights_.n_classes() || allowed_.table.size() % allowed_.n_labels != 0)) {
    throw data_error("The table of allowed labels does not fit the weights.");
  }
}

void TagLayer::tag(const TokenLooks& lines, std::span<const Label> given, std::span<Label> labels,
                   std::span<float> margins, unsigned n_threads) const {
  if (!given.empty() && given.size() != lines.n_tokens()) {
    throw data_error("The given labels do not fit the tokens.");
  }
  for_each_chunk(lines.size(), n_threads, [&](Chunk chunk) {
    std::vector<float> scores(weights_.n_classes());
    for (std::size_t l = chunk.begin; l < chunk.end; ++l) {
      const auto looks = lines.line(l);
      const std::size_t begin = lines.begin(l);
      const auto found = labels.subspan(begin, looks.size());
      const Line line{looks, given.empty() ? given : given.subspan(begin, looks.size()), found};
      for (std::size_t i = 0; i < looks.size(); ++i) {
        Features features;
        look_around(line, i, features);
        weights_.score(features.found(), scores);
        const Label own = line.given.empty() ? Label{0} : line.given[i];
        const auto [best, margin] = decide_tag(scores, [&](std::size_t c) { return allowed_(own, c); });
        found[i] = best;
        margins[begin + i] = margin;
      }
    }
  });
}

SparseWeights learn_tags(const TokenLooks& lines, std::span<const Label> given, std::span<const Label> labels,
                         std::size_t n_labels, const Allowed& allowed, const LearnOptions& options) {
  Learner learner(n_labels);
  std::vector<float> scores(n_labels);
  std::vector<Label> guesses;
  for (int epoch = 0; epoch < options.epochs; ++epoch) {
    for (const std::uint32_t l : shuffled(lines.size(), epoch, options.chance)) {
      const auto looks = lines.line(l);
      const std::size_t begin = lines.begin(l);
      guesses.assign(looks.size(), 0);
      const Line line{looks, given.empty() ? given : given.subspan(begin, looks.size()), guesses};
      for (std::size_t i = 0; i < looks.size(); ++i) {
        Features features;
        look_around(line, i, features);
        learner.score(features.found(), scores);
        const Label own = line.given.empty() ? Label{0} : line.given[i];
        guesses[i] = decide_tag(scores, [&](std::size_t c) { return allowed(own, c); }).best;
        learner.tick();
        learner.update(features.found(), labels[begin + i], guesses[i]);
      }
    }
  }
  return learner.average();
}

}  // namespace dragoman::syntax
