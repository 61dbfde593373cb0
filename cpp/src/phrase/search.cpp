#include "dragoman/phrase/search.hpp"

#include <algorithm>
#include <cstdlib>
#include <unordered_map>

#include "coverage.hpp"
#include "dragoman/core/hash.hpp"

namespace dragoman::phrase {

namespace {

constexpr float kLn10 = 2.302585093F;

Span last_span(const Hypothesis& hypothesis) { return hypothesis.option ? hypothesis.option->span : Span{0, 0}; }

}  // namespace

/// All hypotheses of one coverage, times all options of one span: a cube with two sides.
struct Search::Edge {
  std::span<const Hypothesis* const> hypotheses;  // best first
  std::span<const Option* const> options;         // best first
  const Coverage* after;
};

/// A place in a cube that is worth a look. `promise` is a guess until `states` are known, then the truth.
struct Search::Cell {
  float promise;
  float score;  // of the hypothesis, once scored
  Edge* edge;
  std::uint32_t hypothesis, option;
  lm::State* states;  // null: not scored yet
};

/// The hypotheses that cover equally many words.
struct Search::Stack {
  std::vector<Hypothesis*> hypotheses;
  std::vector<Hypothesis*> slots;  // by what continuations can tell apart; open addressing
  std::unordered_map<std::uint64_t, std::vector<const Coverage*>> coverages;
  std::vector<Edge*> edges;

  void clear() {
    hypotheses.clear();
    slots.assign(256, nullptr);
    coverages.clear();
    edges.clear();
  }
};

struct Search::LessPromising {
  const std::vector<Cell>& cells;
  bool operator()(std::uint32_t a, std::uint32_t b) const noexcept { return cells[a].promise < cells[b].promise; }
};

Search::Search(const Engine& engine, const DecodeOptions& limits) : engine_(&engine), limits_(limits) {}
Search::~Search() = default;

std::vector<const Option*> steps_of(const Hypothesis& hypothesis) {
  std::vector<const Option*> steps;
  for (const Hypothesis* at = &hypothesis; at->option != nullptr; at = at->before) steps.push_back(at->option);
  std::reverse(steps.begin(), steps.end());
  return steps;
}

const Coverage* Search::cover(const Coverage* before, Span span) {
  const std::size_t n_covered = (before ? before->n_covered : 0) + (span.end - span.begin);
  const std::size_t n_blocks = options_.length() / 64 + 1;
  auto blocks = arena_.make<std::uint64_t>(n_blocks);
  for (std::size_t i = 0; i < n_blocks; ++i) blocks[i] = before ? before->blocks[i] : 0;
  for (std::size_t word = span.begin; word < span.end; ++word) blocks[word / 64] |= std::uint64_t{1} << (word % 64);
  const auto hash = hash_bytes({reinterpret_cast<const char*>(blocks.data()), blocks.size_bytes()});
  auto& same_hash = stacks_[n_covered].coverages[hash];
  for (const Coverage* known : same_hash) {
    if (std::ranges::equal(known->blocks, blocks)) return known;
  }
  Coverage* const made = arena_.make<Coverage>();
  *made = {blocks, hash, 0, static_cast<std::uint32_t>(n_covered), 0};
  while (made->first_gap < options_.length() && made->covers(made->first_gap)) ++made->first_gap;
  for (std::size_t begin = made->first_gap; begin < options_.length();) {
    std::size_t end = begin;
    while (end < options_.length() && !made->covers(end)) ++end;
    made->future += options_.future(begin, end);
    begin = end;
    while (begin < options_.length() && made->covers(begin)) ++begin;
  }
  same_hash.push_back(made);
  return made;
}

/// What the new block costs for standing where it stands: distance, and orientation towards before and behind.
float Search::reordering(const Hypothesis& before, const Option& option) const {
  const Span previous = last_span(before);
  const int jump = std::abs(static_cast<int>(option.span.begin) - static_cast<int>(previous.end));
  float score = -weights_[engine_->distortion_at()] * static_cast<float>(jump);
  if (engine_->orientation() != Orientation::none) {
    score += option.orientation[orientation_before(engine_->orientation(), *before.coverage, previous, option.span)];
    if (before.option) {
      score += before.option->orientation[3 + orientation_behind(engine_->orientation(), *before.coverage, previous, option.span)];
    }
  }
  return score;
}

float Search::step(const Hypothesis& before, const Option& option, lm::State* states) {
  float score = option.fixed + reordering(before, option);
  const auto& models = engine_->language_models();
  const std::size_t n = option.translation.words.size();
  for (std::size_t m = 0; m < models.size(); ++m) {
    const lm::Model& model = *models[m].model;
    const float weight = weights_[engine_->language_model_at(m)] * kLn10;
    const lm::WordId* const ids = option.lm_ids.data() + m * n;
    lm::State both[2] = {before.lm_states[m], {}};
    unsigned now = 0;
    std::size_t i = 0;
    // While the past reaches beyond the phrase it matters; afterwards what was found without a past holds.
    for (; i < n && both[now].length > i; ++i) {
      score += weight * model.score(both[now], ids[i], both[1 - now]).log_p;
      now = 1 - now;
    }
    effort_.lm_queries += i;
    if (i < n) {
      score += option.lm_rest[m * (n + 1) + i];
      states[m] = option.lm_states[m];
    } else {
      states[m] = both[now];
    }
  }
  return score;
}

float Search::guess(const Edge& edge, const Hypothesis& before, const Option& option) const {
  return before.score + option.estimate() + reordering(before, option) + edge.after->future;
}

void Search::offer(Edge& edge, std::uint32_t hypothesis, std::uint32_t option) {
  if (hypothesis >= edge.hypotheses.size() || option >= edge.options.size()) return;
  const float promise = guess(edge, *edge.hypotheses[hypothesis], *edge.options[option]);
  heap_.push_back(static_cast<std::uint32_t>(cells_.size()));
  cells_.push_back({promise, 0, &edge, hypothesis, option, nullptr});
  std::push_heap(heap_.begin(), heap_.end(), LessPromising{cells_});
}

/// From a finished stack, the cubes that lead to later ones.
void Search::open_edges(std::size_t covered) {
  Stack& stack = stacks_[covered];
  auto& hypotheses = stack.hypotheses;
  std::sort(hypotheses.begin(), hypotheses.end(), [](const Hypothesis* a, const Hypothesis* b) {
    if (a->coverage != b->coverage) return a->coverage->hash < b->coverage->hash;
    // Where the last phrase ends decides about distances: those of one end share their cubes.
    const auto end_a = last_span(*a).end, end_b = last_span(*b).end;
    if (end_a != end_b) return end_a < end_b;
    return a->score != b->score ? a->score > b->score : a->number < b->number;
  });
  const std::size_t length = options_.length();
  for (std::size_t first = 0; first < hypotheses.size();) {
    const Hypothesis& best = *hypotheses[first];
    const Coverage& coverage = *best.coverage;
    const std::size_t end_before = last_span(best).end;
    std::size_t last = first;
    while (last < hypotheses.size() && hypotheses[last]->coverage == &coverage &&
           last_span(*hypotheses[last]).end == end_before) {
      ++last;
    }
    const auto group = arena_.make<const Hypothesis*>(last - first);
    std::copy(hypotheses.begin() + static_cast<std::ptrdiff_t>(first),
              hypotheses.begin() + static_cast<std::ptrdiff_t>(last), group.begin());
    const std::size_t limit = limits_.distortion_limit;
    const std::size_t gap = coverage.first_gap;
    for (std::size_t begin = gap; begin < length; ++begin) {
      if (coverage.covers(begin)) continue;
      const std::size_t jump = begin > end_before ? begin - end_before : end_before - begin;
      // The way back to the first gap is always open, or the search could end in front of it.
      if (begin != gap && jump > limit) continue;
      for (std::size_t end = begin + 1; end <= std::min(length, begin + options_.longest()); ++end) {
        if (coverage.covers(end - 1)) break;
        if (begin != gap && end - gap > limit) break;
        const auto options = options_.at(begin, end);
        if (options.empty()) continue;
        Edge* const edge = arena_.make<Edge>();
        *edge = {group, options,
                 cover(&coverage, {static_cast<std::uint16_t>(begin), static_cast<std::uint16_t>(end)})};
        stacks_[covered + (end - begin)].edges.push_back(edge);
      }
    }
    first = last;
  }
}

/// Take the most promising cells of the cubes that lead to a stack, as many as the limit allows.
void Search::explore(std::size_t covered) {
  Stack& stack = stacks_[covered];
  cells_.clear();
  heap_.clear();
  for (Edge* edge : stack.edges) {
    cells_.push_back({guess(*edge, *edge->hypotheses[0], *edge->options[0]), 0, edge, 0, 0, nullptr});
    heap_.push_back(static_cast<std::uint32_t>(heap_.size()));
  }
  std::make_heap(heap_.begin(), heap_.end(), LessPromising{cells_});
  const std::size_t n_models = engine_->language_models().size();
  for (unsigned popped = 0; popped < limits_.pop_limit && !heap_.empty();) {
    std::pop_heap(heap_.begin(), heap_.end(), LessPromising{cells_});
    const std::uint32_t at = heap_.back();
    Cell cell = cells_[at];
    const Hypothesis& before = *cell.edge->hypotheses[cell.hypothesis];
    const Option& option = *cell.edge->options[cell.option];
    if (cell.states == nullptr) {
      cell.states = arena_.make<lm::State>(std::max<std::size_t>(1, n_models)).data();
      cell.score = before.score + step(before, option, cell.states);
      cell.promise = cell.score + cell.edge->after->future;
      ++effort_.hypotheses;
      cells_[at] = cell;
      std::push_heap(heap_.begin(), heap_.end(), LessPromising{cells_});
      continue;
    }
    heap_.pop_back();
    ++popped;
    keep(stack, {cell.score, cell.edge->after, &before, &option, cell.states, nullptr, n_made_++});
    // Every cell is reached on one way only: down the first column, then along the row.
    if (cell.option == 0) offer(*cell.edge, cell.hypothesis + 1, 0);
    offer(*cell.edge, cell.hypothesis, cell.option + 1);
  }
}

/// Put a hypothesis into its stack, or to one that every continuation takes for the same.
void Search::keep(Stack& stack, const Hypothesis& candidate) {
  Hypothesis* const made = arena_.make<Hypothesis>();
  *made = candidate;
  const std::size_t n_models = engine_->language_models().size();
  const bool oriented = engine_->orientation() != Orientation::none;
  const Span span = candidate.option->span;
  const auto same = [&](const Hypothesis& other) {
    const Span theirs = other.option->span;
    if (other.coverage != candidate.coverage || theirs.end != span.end) return false;
    if (oriented) {
      if (theirs.begin != span.begin) return false;
      for (unsigned f = 3; f < 6; ++f) {
        if (other.option->orientation[f] != candidate.option->orientation[f]) return false;
      }
    }
    for (std::size_t m = 0; m < n_models; ++m) {
      if (!(other.lm_states[m] == candidate.lm_states[m])) return false;
    }
    return true;
  };
  const auto hash_of = [&](const Hypothesis& hypothesis) {
    std::uint64_t hash = hypothesis.coverage->hash ^ (std::uint64_t{hypothesis.option->span.end} << 32);
    for (std::size_t m = 0; m < n_models; ++m) {
      const lm::State& state = hypothesis.lm_states[m];
      for (std::uint32_t i = 0; i < state.length; ++i) hash = lm::longer_key(hash, state.words[i]);
    }
    return hash;
  };
  if (2 * stack.hypotheses.size() >= stack.slots.size()) {
    std::vector<Hypothesis*> old(stack.slots.size() * 4, nullptr);
    std::swap(old, stack.slots);
    for (Hypothesis* each : old) {
      if (each == nullptr) continue;
      std::size_t slot = hash_of(*each) & (stack.slots.size() - 1);
      while (stack.slots[slot] != nullptr) slot = (slot + 1) & (stack.slots.size() - 1);
      stack.slots[slot] = each;
    }
  }
  const std::size_t mask = stack.slots.size() - 1;
  std::size_t slot = hash_of(candidate) & mask;
  while (stack.slots[slot] != nullptr && !same(*stack.slots[slot])) slot = (slot + 1) & mask;
  Hypothesis* const known = stack.slots[slot];
  if (known == nullptr) {
    stack.slots[slot] = made;
    stack.hypotheses.push_back(made);
  } else if (made->score > known->score) {
    // The better one takes the place, and the pointer, of the known one.
    std::swap(*made, *known);
    known->worse = made;
  } else {
    made->worse = known->worse;
    known->worse = made;
  }
}

/// Add the end of the sentence to complete hypotheses: the language models' </s>, and the last block's way to the end.
void Search::finish_all() {
  const auto n = static_cast<std::uint16_t>(options_.length());
  complete_.clear();
  for (Hypothesis* hypothesis : stacks_.back().hypotheses) {
    float end = 0;
    for (std::size_t m = 0; m < engine_->language_models().size(); ++m) {
      lm::State after;
      const auto scored = engine_->language_models()[m].model->score(hypothesis->lm_states[m], lm::kEos, after);
      end += weights_[engine_->language_model_at(m)] * kLn10 * scored.log_p;
    }
    if (engine_->orientation() != Orientation::none && hypothesis->option) {
      const Span last = hypothesis->option->span;
      end += hypothesis->option->orientation[3 + orientation_behind(engine_->orientation(), *hypothesis->coverage, last, {n, n})];
    }
    for (Hypothesis* each = hypothesis; each != nullptr; each = each->worse) each->score += end;
    complete_.push_back(hypothesis);
  }
  std::sort(complete_.begin(), complete_.end(), [](const Hypothesis* a, const Hypothesis* b) {
    return a->score != b->score ? a->score > b->score : a->number < b->number;
  });
}

const Hypothesis* Search::run(std::span<const TokenId> source, std::span<const float> weights) {
  weights_.assign(weights.begin(), weights.end());
  arena_.clear();
  n_made_ = 0;
  options_.collect(*engine_, weights, source, limits_);
  stacks_.resize(source.size() + 1);
  for (Stack& stack : stacks_) stack.clear();

  Hypothesis* const start = arena_.make<Hypothesis>();
  const auto states = arena_.make<lm::State>(std::max<std::size_t>(1, engine_->language_models().size()));
  for (std::size_t m = 0; m < engine_->language_models().size(); ++m) {
    states[m] = engine_->language_models()[m].model->begin();
  }
  *start = {0, cover(nullptr, {0, 0}), nullptr, nullptr, states.data(), nullptr, n_made_++};
  stacks_[0].hypotheses.push_back(start);
  for (std::size_t covered = 0; covered <= source.size(); ++covered) {
    if (covered > 0) explore(covered);
    if (covered < source.size()) open_edges(covered);
  }
  finish_all();
  return complete_.front();
}

}  // namespace dragoman::phrase
