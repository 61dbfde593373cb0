#include "dragoman/syntax/parser.hpp"

#include <algorithm>
#include <limits>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"
#include "syntax/arc_features.hpp"

namespace dragoman::syntax {

namespace {

constexpr float kLowest = -std::numeric_limits<float>::infinity();
constexpr Step kSteps[] = {Step::kShift, Step::kLeft, Step::kRight};

/// The classes of a model: shift, then left arcs by relation, then right arcs.
struct Classes {
  std::size_t n_relations;
  Label root;

  std::size_t size() const noexcept { return 1 + 2 * n_relations; }
  Label of(Step step, Label relation) const noexcept {
    if (step == Step::kShift) return 0;
    return static_cast<Label>(1 + (step == Step::kRight ? n_relations : 0) + relation);
  }
  Step step(Label klass) const noexcept {
    return klass == 0 ? Step::kShift : klass <= n_relations ? Step::kLeft : Step::kRight;
  }
  Label relation(Label klass) const noexcept {
    return klass == 0 ? Label{0} : static_cast<Label>((klass - 1) % n_relations);
  }
};

/// The best relation for a step, and its score.
struct Choice {
  float score = kLowest;
  Label klass = 0;
};

Choice best_of(Step step, const Classes& classes, std::span<const float> scores) noexcept {
  if (step == Step::kShift) return {scores[0], 0};
  Choice best;
  const std::size_t begin = classes.of(step, 0);
  for (std::size_t r = 0; r < classes.n_relations; ++r) {
    if (r != classes.root && scores[begin + r] > best.score) {
      best = {scores[begin + r], static_cast<Label>(begin + r)};
    }
  }
  return best;
}

/// True if the next step can only be to hang the last word on the root.
bool is_last(const Configuration& now) noexcept { return now.next() > now.size() && now.stack(1) == 0; }

struct Decision {
  Choice choice;
  float margin;
};

Decision decide(const Configuration& now, const Classes& classes, std::span<const float> scores) noexcept {
  Choice best;
  float second = kLowest;
  for (const Step step : kSteps) {
    if (!now.allowed(step)) continue;
    const Choice choice = best_of(step, classes, scores);
    if (choice.score > best.score) {
      second = best.score;
      best = choice;
    } else {
      second = std::max(second, choice.score);
    }
  }
  return {best, best.score - second};
}

void check_feats(std::span<const Label> feats, const Morphology& morphology) {
  if (morphology.n_attributes == 0) return;
  if (std::ranges::any_of(feats, [&](Label label) { return label >= morphology.n_feats(); })) {
    throw data_error("A token has morphological features that the table does not know.");
  }
}

}  // namespace

void Morphology::check() const {
  if (n_attributes > kMostAttributes || (n_attributes != 0 && table.size() % n_attributes != 0)) {
    throw data_error("The table of morphological attributes is none.");
  }
}

ArcModel::ArcModel(Weights weights, Morphology morphology, std::size_t n_relations, Label root)
    : weights_(std::move(weights)), morphology_(std::move(morphology)), n_relations_(n_relations), root_(root) {
  morphology_.check();
  if (n_relations < 2 || root >= n_relations || weights_.n_classes() != 1 + 2 * n_relations) {
    throw data_error("The parser's weights do not fit its relations.");
  }
}

void ArcModel::parse(const TokenLooks& lines, const Tags& tags, const Trees& trees, unsigned n_threads) const {
  if (tags.upos.size() != lines.n_tokens() || tags.feats.size() != lines.n_tokens()) {
    throw data_error("The tags do not fit the tokens.");
  }
  check_feats(tags.feats, morphology_);
  const Classes classes{n_relations_, root_};
  for_each_chunk(lines.size(), n_threads, [&](Chunk chunk) {
    std::vector<float> scores(classes.size());
    Configuration now;
    Words words;
    for (std::size_t l = chunk.begin; l < chunk.end; ++l) {
      const auto looks = lines.line(l);
      const std::size_t begin = lines.begin(l), n = looks.size();
      const auto margins = trees.margins.subspan(begin, n);
      std::ranges::fill(margins, std::numeric_limits<float>::infinity());
      const auto narrow = [&](Node word, float margin) {
        if (word > 0)
          margins[static_cast<std::size_t>(word - 1)] = std::min(margins[static_cast<std::size_t>(word - 1)], margin);
      };
      words.start(looks, tags.upos.subspan(begin, n), tags.feats.subspan(begin, n), morphology_);
      now.start(n);
      while (!now.done()) {
        if (is_last(now)) {
          now.take(Step::kRight, root_);
          continue;
        }
        Features features;
        look_at_step(now, words, features);
        weights_.score(features.found(), scores);
        const auto [choice, margin] = decide(now, classes, scores);
        const Step step = classes.step(choice.klass);
        narrow(now.stack(0), margin);
        if (step == Step::kShift) narrow(now.next(), margin);
        now.take(step, classes.relation(choice.klass));
      }
      for (std::size_t i = 0; i < n; ++i) {
        trees.heads[begin + i] = now.head(static_cast<Node>(i + 1));
        trees.relations[begin + i] = now.label(static_cast<Node>(i + 1));
      }
    }
  });
}

SparseWeights learn_arcs(const TokenLooks& lines, const Tags& tags, const Morphology& morphology,
                         std::span<const std::int32_t> heads, std::span<const Label> relations, std::size_t n_relations,
                         Label root, const ArcOptions& options) {
  morphology.check();
  check_feats(tags.feats, morphology);
  const Classes classes{n_relations, root};
  Learner learner(classes.size());
  std::vector<float> scores(classes.size());
  Configuration now;
  RightTree right;
  Words words;
  const CounterStream exploring{options.learn.chance.bits(0)};
  const auto threshold = static_cast<double>(std::numeric_limits<std::uint64_t>::max()) * options.explore;
  std::uint64_t draws = 0;
  for (int epoch = 0; epoch < options.learn.epochs; ++epoch) {
    for (const std::uint32_t l : shuffled(lines.size(), epoch, options.learn.chance)) {
      const auto looks = lines.line(l);
      const std::size_t begin = lines.begin(l), n = looks.size();
      words.start(looks, tags.upos.subspan(begin, n), tags.feats.subspan(begin, n), morphology);
      right.start(heads.subspan(begin, n), relations.subspan(begin, n));
      now.start(n);
      while (!now.done()) {
        if (is_last(now)) {
          now.take(Step::kRight, root);
          continue;
        }
        Features features;
        look_at_step(now, words, features);
        learner.score(features.found(), scores);
        const Choice guess = decide(now, classes, scores).choice;

        int least = std::numeric_limits<int>::max();
        for (const Step step : kSteps) {
          if (now.allowed(step)) least = std::min(least, right.cost(now, step));
        }
        // Of the steps that lose least, the one that scores best; an arc of the right tree has the right relation only.
        Choice best;
        bool guess_is_right = false;
        for (const Step step : kSteps) {
          if (!now.allowed(step) || right.cost(now, step) != least) continue;
          Choice choice = best_of(step, classes, scores);
          if (step != Step::kShift) {
            const Node top = now.stack(0);
            if (right.head(top) == (step == Step::kLeft ? now.next() : now.stack(1))) {
              const Label klass = classes.of(step, right.label(top));
              choice = {scores[klass], klass};
            }
          }
          guess_is_right = guess_is_right || choice.klass == guess.klass;
          if (choice.score > best.score) best = choice;
        }
        learner.tick();
        if (!guess_is_right) learner.update(features.found(), best.klass, guess.klass);
        const bool follow = guess_is_right || (epoch > 0 && static_cast<double>(exploring.bits(draws++)) < threshold);
        const Label taken = follow ? guess.klass : best.klass;
        now.take(classes.step(taken), classes.relation(taken));
      }
    }
  }
  return learner.average();
}

}  // namespace dragoman::syntax
