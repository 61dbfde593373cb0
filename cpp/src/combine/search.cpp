#include "dragoman/combine/search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numbers>
#include <unordered_map>

#include "dragoman/graph/kbest.hpp"

namespace dragoman::combine {

namespace {

constexpr std::size_t kMostPast = lm::kMaxOrder - 1;
constexpr Word kBegin = -3, kEnd = -4;  // <s> and </s> among the words of n-grams

/// How many systems have an n-gram.
class Support {
 public:
  Support(const Segment& segment) : share_(1.0F / static_cast<float>(segment.n_systems)) {
    for (std::size_t s = 0; s < segment.n_systems; ++s) add(segment.hyps[segment.first_hyp + s], s);
  }

  /// Of the n-gram of `past`, latest last, and `word`.
  float of(std::span<const Word> past, Word word) const {
    const auto found = systems_.find(key(past, word));
    return found == systems_.end() ? 0 : share_ * static_cast<float>(found->second.n);
  }

 private:
  struct Count {
    std::size_t last;  // system counted last: an n-gram that one has twice counts once
    std::uint32_t n;
  };

  static std::uint64_t key(std::span<const Word> past, Word word) {
    std::uint64_t hash = 0x9E3779B97F4A7C15ULL + past.size();
    for (const Word each : past) hash = mixed(hash, each);
    return mixed(hash, word);
  }
  static std::uint64_t mixed(std::uint64_t hash, Word word) {
    hash = (hash ^ static_cast<std::uint32_t>(word)) * 0xBF58476D1CE4E5B9ULL;
    return hash ^ (hash >> 29U);
  }

  void add(std::span<const Word> hyp, std::size_t system) {
    std::vector<Word> words{kBegin};
    words.insert(words.end(), hyp.begin(), hyp.end());
    words.push_back(kEnd);
    for (std::size_t end = 1; end < words.size(); ++end) {
      for (std::size_t n = 2; n <= kMostSupport && n <= end + 1; ++n) {
        const auto past = std::span(words).subspan(end + 1 - n, n - 1);
        auto& count = systems_.try_emplace(key(past, words[end]), Count{segment_none, 0}).first->second;
        if (count.last == system) continue;
        count.last = system;
        ++count.n;
      }
    }
  }

  static constexpr std::size_t segment_none = static_cast<std::size_t>(-1);
  float share_;
  std::unordered_map<std::uint64_t, Count> systems_;
};

/// A partial translation: what of its words can still matter.
struct State {
  std::array<Word, kMostPast> past{};  // latest last
  std::uint32_t n_past = 0;
  std::uint32_t node = 0;
  double score = 0;
  std::vector<lm::State> models;
};

struct Arc {
  Word word;
  std::vector<float> features;
  double score;  // of what does not depend on the past
};

struct Candidate {
  std::size_t state, arc;
  double score;  // of the whole
  std::array<Word, kMostPast> past;
  std::uint32_t n_past;
  std::array<float, kMostSupport - 1> support{};
};

class Searcher {
 public:
  Searcher(const Segment& segment, std::span<const NumberedModel> models, std::span<const float> weights,
           const SearchOptions& options)
      : segment_(segment),
        models_(models),
        weights_(weights),
        options_(options),
        support_(segment),
        builder_(n_places(segment), weights.size()),
        general_(2 * segment.n_systems) {
    n_past_ = kMostSupport - 1;
    for (const auto& each : models) n_past_ = std::max<std::size_t>(n_past_, each.model->order() - 1);
  }

  graph::Hypergraph run() {
    const std::size_t n_networks = options_.skeletons ? segment_.bounds.size() - 1 : 1;
    std::vector<State> ends;
    std::vector<std::size_t> skeletons;
    for (std::size_t k = 0; k < n_networks; ++k) {
      for (State& end : walk(k)) {
        ends.push_back(std::move(end));
        skeletons.push_back(k);
      }
    }
    builder_.add_node();
    for (std::size_t e = 0; e < ends.size(); ++e) add_end(ends[e], skeletons[e]);
    return builder_.finish();
  }

 private:
  /// Numbers that spans of the lattice hold: of links, and of networks.
  static std::size_t n_places(const Segment& segment) {
    std::int64_t most = static_cast<std::int64_t>(segment.n_systems);
    for (std::size_t k = 0; k + 1 < segment.bounds.size(); ++k) {
      most = std::max(most, segment.bounds[k + 1] - segment.bounds[k]);
    }
    return static_cast<std::size_t>(most);
  }
  float weight(Feature feature, std::size_t more = 0) const { return weights_[general_ + feature + more]; }

  std::vector<State> walk(std::size_t network) {
    State first;
    first.past[0] = kBegin;
    first.n_past = 1;
    for (const auto& each : models_) first.models.push_back(each.model->begin());
    std::vector<State> states{first};
    const auto begin = static_cast<std::size_t>(segment_.bounds[network]);
    const auto end = static_cast<std::size_t>(segment_.bounds[network + 1]);
    for (std::size_t link = begin; link < end; ++link) {
      states = step(states, arcs_of(link), static_cast<std::uint32_t>(link - begin));
    }
    return states;
  }

  std::vector<Arc> arcs_of(std::size_t link) const {
    std::vector<Arc> arcs;
    const std::size_t n = segment_.n_systems;
    for (std::size_t s = 0; s < n; ++s) {
      const Word word = segment_.words[link * n + s];
      auto arc = std::ranges::find(arcs, word, &Arc::word);
      if (arc == arcs.end()) arc = arcs.insert(arcs.end(), {word, std::vector<float>(weights_.size()), 0});
      arc->features[s] = 1;
    }
    for (Arc& arc : arcs) {
      float votes = 0;
      for (std::size_t s = 0; s < n; ++s) votes += arc.features[s];
      arc.features[general_ + kConsensus] = std::log(votes / static_cast<float>(n));
      arc.features[general_ + (arc.word == kNull ? kNulls : kWords)] = 1;
      for (std::size_t f = 0; f < weights_.size(); ++f) arc.score += static_cast<double>(weights_[f]) * arc.features[f];
    }
    return arcs;
  }

  std::vector<State> step(const std::vector<State>& states, const std::vector<Arc>& arcs, std::uint32_t link) {
    std::vector<std::uint32_t> phrases;
    for (const Arc& arc : arcs) {
      phrases.push_back(
          builder_.add_phrase(link, link + 1, arc.word == kNull ? std::span<const Word>() : std::span(&arc.word, 1)));
    }
    // What language models add behind each state; asked once for each pair.
    std::vector<lm::State> after(states.size() * arcs.size() * models_.size());
    std::vector<float> log_p(after.size());
    std::vector<Candidate> candidates;
    candidates.reserve(states.size() * arcs.size());
    for (std::size_t i = 0; i < states.size(); ++i) {
      for (std::size_t a = 0; a < arcs.size(); ++a) {
        Candidate made{i, a, states[i].score + arcs[a].score, states[i].past, states[i].n_past};
        if (arcs[a].word != kNull) {
          support(states[i], arcs[a].word, made);
          push(made, arcs[a].word);
          for (std::size_t m = 0; m < models_.size(); ++m) {
            const std::size_t place = (i * arcs.size() + a) * models_.size() + m;
            log_p[place] = ask(m, states[i].models[m], arcs[a].word, after[place]);
            made.score += static_cast<double>(weight(kModels, m)) * log_p[place];
          }
        }
        candidates.push_back(made);
      }
    }
    return merge(states, arcs, phrases, candidates, after, log_p);
  }

  float ask(std::size_t m, const lm::State& before, Word word, lm::State& after) const {
    const auto number = static_cast<lm::WordId>(models_[m].numbers[static_cast<std::size_t>(word)]);
    return models_[m].model->score(before, number, after).log_p * std::numbers::ln10_v<float>;
  }

  void support(const State& state, Word word, Candidate& made) const {
    for (std::size_t n = 2; n <= kMostSupport && n <= state.n_past + 1; ++n) {
      const auto past = std::span(state.past).subspan(state.n_past + 1 - n, n - 1);
      made.support[n - 2] = support_.of(past, word);
      if (made.support[n - 2] == 0) break;  // no longer one can be there
      made.score += static_cast<double>(weight(kSupport, n - 2)) * made.support[n - 2];
    }
  }

  void push(Candidate& made, Word word) const {
    if (made.n_past == n_past_) {
      std::copy(made.past.begin() + 1, made.past.begin() + made.n_past, made.past.begin());
      --made.n_past;
    }
    made.past[made.n_past++] = word;
  }

  std::vector<State> merge(const std::vector<State>& states, const std::vector<Arc>& arcs,
                           const std::vector<std::uint32_t>& phrases, std::vector<Candidate>& candidates,
                           const std::vector<lm::State>& after, const std::vector<float>& log_p) {
    // Those that no continuation tells apart stand together, the best of them first.
    std::ranges::sort(candidates, [](const Candidate& a, const Candidate& b) {
      if (a.n_past != b.n_past) return a.n_past < b.n_past;
      const auto order = std::lexicographical_compare_three_way(a.past.begin(), a.past.begin() + a.n_past,
                                                                b.past.begin(), b.past.begin() + b.n_past);
      return order != 0 ? order < 0 : a.score > b.score;
    });
    std::vector<std::pair<std::size_t, std::size_t>> groups;
    for (std::size_t first = 0; first < candidates.size();) {
      std::size_t last = first + 1;
      while (last < candidates.size() && same(candidates[first], candidates[last])) ++last;
      groups.push_back({first, last});
      first = last;
    }
    const auto better = [&](const auto& a, const auto& b) {
      return candidates[a.first].score > candidates[b.first].score;
    };
    if (groups.size() > options_.beam) {
      std::ranges::partial_sort(groups, groups.begin() + static_cast<std::ptrdiff_t>(options_.beam), better);
      groups.resize(options_.beam);
    }
    std::vector<State> kept;
    for (const auto& [first, last] : groups) {
      const Candidate& best = candidates[first];
      State state{best.past, best.n_past, builder_.add_node(), best.score, {}};
      const std::size_t place = (best.state * arcs.size() + best.arc) * models_.size();
      for (std::size_t m = 0; m < models_.size(); ++m) {
        state.models.push_back(arcs[best.arc].word == kNull ? states[best.state].models[m] : after[place + m]);
      }
      for (std::size_t c = first; c < last; ++c) {
        add_arc(states[candidates[c].state], arcs[candidates[c].arc], phrases[candidates[c].arc], candidates[c],
                &log_p[(candidates[c].state * arcs.size() + candidates[c].arc) * models_.size()]);
      }
      kept.push_back(std::move(state));
    }
    return kept;
  }

  static bool same(const Candidate& a, const Candidate& b) {
    return a.n_past == b.n_past && std::equal(a.past.begin(), a.past.begin() + a.n_past, b.past.begin());
  }

  void add_arc(const State& from, const Arc& arc, std::uint32_t phrase, const Candidate& made, const float* log_p) {
    features_ = arc.features;
    for (std::size_t n = 0; n < made.support.size(); ++n) features_[general_ + kSupport + n] = made.support[n];
    if (arc.word != kNull) {
      for (std::size_t m = 0; m < models_.size(); ++m) features_[general_ + kModels + m] = log_p[m];
    }
    builder_.add_arc({&from.node, 1}, phrase, static_cast<float>(made.score - from.score), features_);
  }

  void add_end(const State& state, std::size_t skeleton) {
    features_.assign(weights_.size(), 0);
    features_[segment_.n_systems + skeleton] = 1;
    Candidate made{0, 0, 0, state.past, state.n_past};
    support(state, kEnd, made);
    for (std::size_t n = 0; n < made.support.size(); ++n) features_[general_ + kSupport + n] = made.support[n];
    lm::State after;
    for (std::size_t m = 0; m < models_.size(); ++m) {
      features_[general_ + kModels + m] =
          models_[m].model->score(state.models[m], lm::kEos, after).log_p * std::numbers::ln10_v<float>;
    }
    double score = 0;
    for (std::size_t f = 0; f < features_.size(); ++f) score += static_cast<double>(weights_[f]) * features_[f];
    // The span tells which network the path went through.
    const auto number = static_cast<std::uint32_t>(skeleton);
    const std::uint32_t phrase = builder_.add_phrase(number, number + 1, {});
    builder_.add_arc({&state.node, 1}, phrase, static_cast<float>(score), features_);
  }

  const Segment& segment_;
  std::span<const NumberedModel> models_;
  std::span<const float> weights_;
  const SearchOptions& options_;
  Support support_;
  graph::HypergraphBuilder builder_;
  std::size_t general_, n_past_ = 0;
  std::vector<float> features_;
};

}  // namespace

std::size_t n_features(std::size_t n_systems, std::size_t n_models) { return 2 * n_systems + kModels + n_models; }

graph::Hypergraph search(const Segment& segment, std::span<const NumberedModel> models, std::span<const float> weights,
                         const SearchOptions& options) {
  return Searcher(segment, models, weights, options).run();
}

std::vector<CombinedPath> best_paths(const graph::Hypergraph& lattice, std::size_t n) {
  std::vector<CombinedPath> paths;
  for (const graph::Path& each : graph::n_best(lattice, n, true)) {
    CombinedPath path;
    path.score = each.score;
    path.features.assign(lattice.n_features(), 0);
    for (const std::uint32_t arc : each.arcs) {
      const auto features = lattice.features_of(arc);
      for (std::size_t f = 0; f < features.size(); ++f) path.features[f] += features[f];
      const std::uint32_t phrase = lattice.arcs()[arc].phrase;
      if (arc == each.arcs.back()) {
        path.network = lattice.phrases()[phrase].begin;
        break;
      }
      const auto words = lattice.words_of(phrase);
      path.arcs.push_back(words.empty() ? kNull : words.front());
    }
    paths.push_back(std::move(path));
  }
  return paths;
}

}  // namespace dragoman::combine
