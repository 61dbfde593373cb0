#include "dragoman/combine/build.hpp"

#include <algorithm>
#include <limits>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"

namespace dragoman::combine {

namespace {

/// Builds the networks of one segment after the other.
class Builder {
 public:
  Builder(const Translations& text, const WordFacts& facts, const BuildOptions& options)
      : text_(text), options_(options), likeness_(facts, options.likeness) {}

  void open(std::size_t segment) {
    segment_ = segment;
    const std::size_t n = text_.n_systems;
    const auto first = static_cast<std::size_t>(text_.hyps.offsets[segment * n]);
    const auto last = static_cast<std::size_t>(text_.hyps.offsets[(segment + 1) * n]);
    likeness_.open(text_.hyps.values.subspan(first, last - first));
    if (options_.method == Method::kHmm) {
      likeness_.compute_p(text_.sources.size() == 0 ? std::span<const std::int32_t>() : text_.sources[segment]);
    }
    hyps_.assign(n, {});
    for (std::size_t s = 0; s < n; ++s) {
      for (const Word word : text_.hyps[segment * n + s]) hyps_[s].push_back(likeness_.local(word));
    }
  }

  Network build(std::size_t skeleton) {
    Network network(text_.n_systems, skeleton, hyps_[skeleton]);
    std::vector<std::size_t> waiting;
    for (std::size_t s = 0; s < text_.n_systems; ++s) {
      if (s != skeleton) waiting.push_back(s);
    }
    while (!waiting.empty()) {
      const auto next = waiting.begin() + static_cast<std::ptrdiff_t>(nearest(network, waiting));
      add(network, skeleton, *next);
      waiting.erase(next);
    }
    return network;
  }

  Word global(Word local) const { return local < 0 ? local : likeness_.global(local); }
  std::size_t n_given_up() const noexcept { return n_given_up_; }

 private:
  bool is_ordered() const { return options_.method == Method::kShifts || options_.method == Method::kInversions; }

  std::size_t nearest(const Network& network, const std::vector<std::size_t>& waiting) const {
    if (!is_ordered() || waiting.size() == 1) return 0;
    std::size_t best = 0;
    float least = std::numeric_limits<float>::infinity();
    for (std::size_t k = 0; k < waiting.size(); ++k) {
      const float cost = edit_distance(edit_table(network, hyps_[waiting[k]], likeness_));
      if (cost < least) least = cost, best = k;
    }
    return best;
  }

  void add(Network& network, std::size_t skeleton, std::size_t system) {
    std::vector<Network::Place> places;
    for (const Step& step : align(network, skeleton, system)) {
      places.push_back({hyps_[system][static_cast<std::size_t>(step.word)], step.link});
    }
    network.add(system, places);
  }

  Steps align(const Network& network, std::size_t skeleton, std::size_t system) {
    if (options_.method == Method::kHmm) return align_by_hmm(network, hyps_[system], likeness_, options_.hmm);
    if (options_.method == Method::kLinks) return align_by_links(network, skeleton, system);
    const EditTable table = edit_table(network, hyps_[system], likeness_);
    if (options_.method == Method::kInversions) {
      auto alignment = align_by_inversions(table, options_.itg);
      if (alignment.complete) return alignment.steps;
      ++n_given_up_;
    }
    return align_by_shifts(table, options_.shifts);
  }

  /// Skeleton words are anchors: what other systems inserted before does not matter.
  Steps align_by_links(const Network& network, std::size_t skeleton, std::size_t system) const {
    std::vector<std::int32_t> anchors;  // link of each word of the skeleton
    for (std::size_t k = 0; k < network.n_links(); ++k) {
      if (network.link(k)[skeleton] >= 0) anchors.push_back(static_cast<std::int32_t>(k));
    }
    std::vector<std::int32_t> found(hyps_[system].size(), Network::kNewLink);
    const std::size_t a = std::min(skeleton, system), b = std::max(skeleton, system), n = text_.n_systems;
    const std::size_t pair = a * n - a * (a + 1) / 2 + b - a - 1;
    for (const WordLink& link : text_.links[segment_ * (n * (n - 1) / 2) + pair]) {
      const std::int32_t ours = skeleton < system ? link.b : link.a, theirs = skeleton < system ? link.a : link.b;
      found[static_cast<std::size_t>(ours)] = anchors[static_cast<std::size_t>(theirs)];
    }
    return steps_of(found);
  }

  const Translations& text_;
  const BuildOptions& options_;
  Likeness likeness_;
  std::size_t segment_ = 0, n_given_up_ = 0;
  std::vector<std::vector<Word>> hyps_;
};

void check(const Translations& text) {
  if (text.n_systems < 2) throw data_error("A network needs at least two systems.");
  if (text.hyps.size() % text.n_systems != 0) throw data_error("Every segment needs a translation of each system.");
}

}  // namespace

Networks build_networks(const Translations& text, const WordFacts& facts, const BuildOptions& options,
                        unsigned n_threads) {
  check(text);
  const std::size_t n_segments = text.n_segments();
  std::vector<std::vector<Network>> built(n_segments);
  std::vector<std::size_t> given_up(std::max<std::size_t>(1, n_threads));
  for_each_chunk(n_segments, n_threads, [&](Chunk chunk) {
    Builder builder(text, facts, options);
    for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
      builder.open(i);
      for (std::size_t s = 0; s < text.n_systems; ++s) {
        const Network network = builder.build(s);
        std::vector<Word> words;
        for (const Word word : network.words()) words.push_back(builder.global(word));
        built[i].push_back(Network(text.n_systems, std::move(words)));
      }
    }
    given_up[chunk.index] = builder.n_given_up();
  });
  Networks all;
  all.offsets.push_back(0);
  for (const auto& segment : built) {
    for (const Network& network : segment) {
      all.words.insert(all.words.end(), network.words().begin(), network.words().end());
      all.offsets.push_back(all.offsets.back() + static_cast<std::int64_t>(network.n_links()));
    }
  }
  for (const std::size_t n : given_up) all.n_given_up += n;
  return all;
}

}  // namespace dragoman::combine
