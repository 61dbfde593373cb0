#include <algorithm>
#include <cmath>
#include <limits>

#include "dragoman/combine/aligners.hpp"

namespace dragoman::combine {

namespace {

constexpr float kNever = -std::numeric_limits<float>::infinity();
constexpr double kUnlikeP = 0.05;  // of a word that stands in no link: e^−3, as of an unlike one

/// log p of each word in each link: a mean over the systems, those without a word there counting as 0.
std::vector<float> emissions(const Network& network, std::span<const Word> hyp, const Likeness& likeness) {
  std::vector<float> log_p(hyp.size() * network.n_links());
  for (std::size_t k = 0; k < network.n_links(); ++k) {
    double there = 0;
    for (const Word word : network.link(k)) there += word != kUnset;
    for (std::size_t i = 0; i < hyp.size(); ++i) {
      double p = 0;
      for (const Word word : network.link(k)) p += word >= 0 ? likeness.p(word, hyp[i]) : 0;
      log_p[i * network.n_links() + k] = static_cast<float>(std::log(p / there));
    }
  }
  return log_p;
}

/// Where each link stands, links that most systems leave out being short.
std::vector<double> positions(const Network& network) {
  std::vector<double> places(network.n_links() + 1);
  for (std::size_t k = 0; k < network.n_links(); ++k) {
    double there = 0, words = 0;
    for (const Word word : network.link(k)) there += word != kUnset, words += word >= 0;
    places[k + 1] = places[k] + words / there;
  }
  return places;
}

/// The best state at each word. State k: in link k; state n_links + k: in none, the last link having been k.
std::vector<std::int32_t> best_links(const std::vector<float>& log_p, const std::vector<double>& places,
                                     std::size_t n_words, const HmmOptions& options) {
  const std::size_t n_links = places.size() - 1, n_states = 2 * n_links;
  std::vector<float> jumps(n_links * n_links);  // from, to
  for (std::size_t a = 0; a < n_links; ++a) {
    for (std::size_t b = 0; b < n_links; ++b) {
      const double d = places[b] - places[a] - (places[a + 1] - places[a]);  // 0: the next
      jumps[b * n_links + a] =
          static_cast<float>(-options.jump * std::log1p(std::abs(d)) + std::log1p(-options.p_null));
    }
  }
  const float null = static_cast<float>(std::log(options.p_null * kUnlikeP));
  std::vector<float> before(n_states, kNever), here(n_states);
  std::vector<std::int32_t> came(n_words * n_states);
  for (std::size_t k = 0; k < n_links; ++k) {
    before[k] = static_cast<float>(-options.jump * std::log1p(places[k])) + log_p[k];
    before[n_links + k] = k == 0 ? null : kNever;
  }
  std::vector<float> reach(n_links);
  for (std::size_t i = 1; i < n_words; ++i) {
    std::int32_t* const back = &came[i * n_states];
    for (std::size_t k = 0; k < n_links; ++k) reach[k] = std::max(before[k], before[n_links + k]);
    const auto state_of = [&](std::size_t k) {
      return static_cast<std::int32_t>(before[k] >= before[n_links + k] ? k : n_links + k);
    };
    for (std::size_t k = 0; k < n_links; ++k) {
      const float* const jump = &jumps[k * n_links];
      std::size_t best = 0;
      float most = kNever;
      for (std::size_t a = 0; a < n_links; ++a) {
        const float score = reach[a] + jump[a];
        if (score > most) most = score, best = a;
      }
      here[k] = most + log_p[i * n_links + k];
      back[k] = state_of(best);
      here[n_links + k] = reach[k] + null;
      back[n_links + k] = state_of(k);
    }
    std::swap(before, here);
  }
  std::vector<std::int32_t> links(n_words);
  auto state = static_cast<std::int32_t>(std::ranges::max_element(before) - before.begin());
  for (std::size_t i = n_words; i-- > 0;) {
    links[i] = state < static_cast<std::int32_t>(n_links) ? state : Network::kNewLink;
    if (i > 0) state = came[i * n_states + static_cast<std::size_t>(state)];
  }
  return links;
}

}  // namespace

Steps align_by_hmm(const Network& network, std::span<const Word> hyp, const Likeness& likeness,
                   const HmmOptions& options) {
  std::vector<std::int32_t> links(hyp.size(), Network::kNewLink);
  const std::size_t n_links = network.n_links();
  if (n_links > 0 && !hyp.empty()) {
    const auto log_p = emissions(network, hyp, likeness);
    links = best_links(log_p, positions(network), hyp.size(), options);
    std::vector<std::int32_t> taker(n_links, -1);
    for (std::size_t i = 0; i < hyp.size(); ++i) {
      if (links[i] == Network::kNewLink) continue;
      const auto k = static_cast<std::size_t>(links[i]);
      const std::int32_t other = taker[k];
      if (other >= 0 && log_p[static_cast<std::size_t>(other) * n_links + k] >= log_p[i * n_links + k]) {
        links[i] = Network::kNewLink;
        continue;
      }
      if (other >= 0) links[static_cast<std::size_t>(other)] = Network::kNewLink;
      taker[k] = static_cast<std::int32_t>(i);
    }
  }
  return steps_of(links);
}

}  // namespace dragoman::combine
