#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dragoman/combine/likeness.hpp"
#include "dragoman/combine/network.hpp"
#include "dragoman/graph/hypergraph.hpp"
#include "dragoman/lm/model.hpp"

namespace dragoman::combine {

/// Longest n-grams whose support among the translations is counted; the first is of two words.
inline constexpr std::size_t kMostSupport = 4;

/// The networks of one segment, one for each skeleton, and the translations that they are made of.
struct Segment {
  std::span<const Word> words;           // (links, systems) of all networks
  std::span<const std::int64_t> bounds;  // in links from the first: one more than there are networks
  std::size_t n_systems = 0;
  Rows<Word> hyps;            // of the batch
  std::size_t first_hyp = 0;  // number of the first system's
};

/// A language model and the numbers that it has for the words.
struct NumberedModel {
  const lm::Model* model;
  std::span<const std::int32_t> numbers;
};

/// What a path is scored by, in this order: votes of each system, its network (by skeleton), then
enum Feature : std::size_t {
  kConsensus,  // Σ ln of the share of systems that an arc has
  kWords,
  kNulls,                                 // links left out
  kSupport,                               // Σ share of systems that have its bigrams; two more for 3- and 4-grams
  kModels = kSupport + kMostSupport - 1,  // natural logarithm of each language model's probability
};
std::size_t n_features(std::size_t n_systems, std::size_t n_models);

struct SearchOptions {
  std::size_t beam = 15;  // partial translations kept behind each link
  std::size_t n_best = 1;
  bool skeletons = true;  // false: the first network alone
};

struct CombinedPath {
  double score = 0;
  std::uint32_t network = 0;
  std::vector<Word> arcs;  // the word taken in each link, or kNull
  std::vector<float> features;
};

/// Everything that the search kept: a lattice of all networks with a common beginning and end.
/// An arc's phrase holds its word; its span is the link's number in its network and one more.
graph::Hypergraph search(const Segment& segment, std::span<const NumberedModel> models, std::span<const float> weights,
                         const SearchOptions& options);

/// The best paths with different words.
std::vector<CombinedPath> best_paths(const graph::Hypergraph& lattice, std::size_t n);

}  // namespace dragoman::combine
