#include "dragoman/metrics/tesla.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "dragoman/core/errors.hpp"
#include "dragoman/metrics/transport.hpp"
#include "numbers.hpp"

namespace dragoman::metrics {

namespace {

using Tokens = std::span<const std::int32_t>;
using Gram = std::array<std::int32_t, kTeslaOrders>;     // the rest is 0
using Bag = std::vector<std::pair<Gram, std::int64_t>>;  // rising; weights in units of 10^−n

constexpr std::size_t kMostTeslaCells = 1 << 22;

/// Puts n-grams in order, each once with the sum of its weights.
void merge_equals(Bag& grams) {
  std::ranges::sort(grams, {}, &Bag::value_type::first);
  std::size_t n = 0;
  for (std::size_t i = 0; i < grams.size(); ++i) {
    if (n && grams[n - 1].first == grams[i].first) {
      grams[n - 1].second += grams[i].second;
    } else {
      grams[n++] = grams[i];
    }
  }
  grams.resize(n);
}

/// The distinct tokens of a text in the order of their ids, which n-grams then number.
struct Text {
  std::vector<std::int32_t> types;
  std::vector<std::int32_t> places;  // of each token in `types`

  explicit Text(Tokens tokens) : types(tokens.begin(), tokens.end()) {
    std::ranges::sort(types);
    types.erase(std::unique(types.begin(), types.end()), types.end());
    for (const auto token : tokens) {
      places.push_back(static_cast<std::int32_t>(std::ranges::lower_bound(types, token) - types.begin()));
    }
  }

  template <class Number>
  Bag bag(std::size_t n, const TeslaLexicon& lexicon, const Number& number) const {
    Bag grams;
    grams.reserve(places.size());
    for (std::size_t i = 0; i + n <= places.size(); ++i) {
      Gram gram{};
      std::int64_t weight = 1;
      for (std::size_t k = 0; k < n; ++k) {
        const auto place = places[i + k];
        gram[k] = number(place);
        weight *= lexicon.is_function_word[index(types[index(place)])] ? 1 : 10;
      }
      grams.emplace_back(gram, weight);
    }
    merge_equals(grams);
    return grams;
  }
};

/// Twice the similarity of every token of the hypothesis to every one of the reference: 2 for equal lemmas, else 1 for
/// a set of synonyms that both are in and 1 for equal tags.
class Similarities {
 public:
  Similarities(const Text& hyp, const Text& ref, const TeslaLexicon& lexicon) : width_(ref.types.size()) {
    if (hyp.types.size() * ref.types.size() > kMostTeslaCells) {
      throw segment_error("too long for TESLA: " + std::to_string(hyp.places.size()) + " tokens against " +
                          std::to_string(ref.places.size()) + ". Cut it into sentences.");
    }
    cells_.reserve(hyp.types.size() * width_);
    for (const auto a : hyp.types) {
      for (const auto b : ref.types) cells_.push_back(of(a, b, lexicon));
    }
  }

  /// 2n times the similarity of two n-grams, which is nothing if two of their tokens have nothing in common.
  std::int64_t operator()(const Gram& a, const Gram& b, std::size_t n) const {
    std::int64_t sum = 0;
    for (std::size_t k = 0; k < n; ++k) {
      const auto each = cells_[index(a[k]) * width_ + index(b[k])];
      if (each == 0) return 0;
      sum += each;
    }
    return sum;
  }

 private:
  static std::int8_t of(std::int32_t a, std::int32_t b, const TeslaLexicon& lexicon) {
    if (lexicon.lemmas[index(a)] == lexicon.lemmas[index(b)]) return 2;
    const bool same_tag = lexicon.tags[index(a)] == lexicon.tags[index(b)];
    return static_cast<std::int8_t>(same_tag + share_one(lexicon.synsets_of(a), lexicon.synsets_of(b)));
  }

  std::size_t width_;
  std::vector<std::int8_t> cells_;
};

std::int64_t total(const Bag& bag) {
  std::int64_t sum = 0;
  for (const auto& [_, weight] : bag) sum += weight;
  return sum;
}

std::int64_t overlap(const Bag& a, const Bag& b) {
  std::int64_t sum = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i].first == b[j].first) {
      sum += std::min(a[i++].second, b[j++].second);
    } else {
      a[i].first < b[j].first ? ++i : ++j;
    }
  }
  return sum;
}

std::int64_t matched(const Bag& hyp, const Bag& ref, std::size_t n, const Similarities& similarity, std::size_t n_hyp,
                     std::size_t n_ref) {
  if (hyp.size() * ref.size() > kMostTeslaCells) {
    throw segment_error("too long for TESLA: " + std::to_string(n_hyp) + " tokens against " + std::to_string(n_ref) +
                        ". Cut it into sentences.");
  }
  std::vector<std::int64_t> supply, demand;
  for (const auto& [_, weight] : hyp) supply.push_back(weight);
  for (const auto& [_, weight] : ref) demand.push_back(weight);
  std::vector<TransportEdge> edges;
  std::int32_t i = 0;
  for (const auto& [left, _] : hyp) {
    std::int32_t j = 0;
    for (const auto& [right, weight] : ref) {
      if (const auto worth = similarity(left, right, n)) edges.push_back({i, j, worth});
      ++j;
    }
    ++i;
  }
  return most_transport(supply, demand, edges);
}

}  // namespace

Tokens TeslaLexicon::synsets_of(std::int32_t token) const {
  const auto begin = index(token);
  const auto first = static_cast<std::size_t>(synset_offsets[begin]);
  return synsets.subspan(first, static_cast<std::size_t>(synset_offsets[begin + 1]) - first);
}

TeslaRow tesla_row(Tokens hyp_tokens, Tokens ref_tokens, const TeslaLexicon& lexicon) {
  const Text hyp(hyp_tokens), ref(ref_tokens);
  const Similarities similarity(hyp, ref, lexicon);
  const auto own = [](std::int32_t place) { return place; };
  const auto tag_of = [&](const Text& text) {
    return [&](std::int32_t place) { return lexicon.tags[index(text.types[index(place)])]; };
  };
  TeslaRow row{};
  double unit = 1.0;
  for (std::size_t n = 1; n <= kTeslaOrders; ++n) {
    unit *= 10.0;
    const Bag ours = hyp.bag(n, lexicon, own), theirs = ref.bag(n, lexicon, own);
    const auto by_meaning = matched(ours, theirs, n, similarity, hyp_tokens.size(), ref_tokens.size());
    const auto by_tags = overlap(hyp.bag(n, lexicon, tag_of(hyp)), ref.bag(n, lexicon, tag_of(ref)));
    double* const out = row.data() + 4 * (n - 1);
    out[0] = static_cast<double>(by_meaning) / (unit * 2.0 * static_cast<double>(n));
    out[1] = static_cast<double>(by_tags) / unit;
    out[2] = static_cast<double>(total(ours)) / unit;
    out[3] = static_cast<double>(total(theirs)) / unit;
  }
  return row;
}

}  // namespace dragoman::metrics
