#include "dragoman/sequence/labeller.hpp"

#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"
#include "lattice.hpp"

namespace dragoman::sequence {

void check(const Sequences& sequences, std::int32_t n_features) {
  const auto fits = [](std::span<const std::int64_t> offsets, std::size_t n) {
    return !offsets.empty() && offsets.front() == 0 && offsets.back() == static_cast<std::int64_t>(n) &&
           std::is_sorted(offsets.begin(), offsets.end());
  };
  if (!fits(sequences.tokens, sequences.ids.size()) || sequences.values.size() != sequences.ids.size() ||
      !fits(sequences.sentences, sequences.n_tokens())) {
    throw data_error("The offsets of sentences and tokens do not fit their features.");
  }
  for (const auto id : sequences.ids) {
    if (id < 0 || id >= n_features) throw data_error("There is no feature " + std::to_string(id) + ".");
  }
}

namespace {

void score(const Chain& chain, const Sequences& sequences, std::size_t sentence, Lattice& lattice) {
  const std::int64_t begin = sequences.sentences[sentence], end = sequences.sentences[sentence + 1];
  const auto k = static_cast<std::size_t>(chain.n_labels);
  lattice.resize(static_cast<std::size_t>(end - begin));
  for (std::int64_t t = begin; t < end; ++t) {
    double* const scores = lattice.scores(static_cast<std::size_t>(t - begin));
    for_features(sequences, t, [&](std::int32_t id, double value) {
      const double* const weights = chain.emissions.data() + static_cast<std::size_t>(id) * k;
      for (std::size_t y = 0; y < k; ++y) scores[y] += value * weights[y];
    });
  }
}

/// Score every sentence and call `read(lattice, first token)` for those that have tokens.
template <class Plus, class Read>
void for_lattices(const Chain& chain, const Sequences& sequences, unsigned n_threads, const Plus& plus,
                  const Read& read) {
  check(sequences, chain.n_features);
  for_each_chunk(sequences.size(), n_threads, [&](const Chunk& chunk) {
    Lattice lattice(static_cast<std::size_t>(chain.n_labels));
    for (std::size_t s = chunk.begin; s < chunk.end; ++s) {
      score(chain, sequences, s, lattice);
      if (lattice.length() == 0) continue;
      lattice.run(chain.transitions, plus);
      read(lattice, static_cast<std::size_t>(sequences.sentences[s]));
    }
  });
}

}  // namespace

std::vector<double> marginals(const Chain& chain, const Sequences& sequences, unsigned n_threads) {
  const auto k = static_cast<std::size_t>(chain.n_labels);
  std::vector<double> found(sequences.n_tokens() * k);
  for_lattices(chain, sequences, n_threads, Lattice::log_sum, [&](const Lattice& lattice, std::size_t first) {
    for (std::size_t t = 0; t < lattice.length(); ++t) {
      for (std::size_t y = 0; y < k; ++y)
        found[(first + t) * k + y] = std::exp(lattice.through(t, y) - lattice.total());
    }
  });
  return found;
}

std::vector<double> max_marginals(const Chain& chain, const Sequences& sequences, unsigned n_threads) {
  const auto k = static_cast<std::size_t>(chain.n_labels);
  std::vector<double> found(sequences.n_tokens() * k);
  for_lattices(chain, sequences, n_threads, Lattice::maximum, [&](const Lattice& lattice, std::size_t first) {
    for (std::size_t t = 0; t < lattice.length(); ++t) {
      for (std::size_t y = 0; y < k; ++y) found[(first + t) * k + y] = lattice.through(t, y);
    }
  });
  return found;
}

}  // namespace dragoman::sequence
