#include "dragoman/metrics/celab.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "dragoman/core/errors.hpp"
#include "numbers.hpp"

namespace dragoman::metrics {

namespace {

using Tokens = SynonymClasses::Tokens;

constexpr std::size_t kMostLinks = 200'000;
constexpr std::size_t kMostCelabCells = 1 << 24;  // tokens of the reference times tokens of the candidate

segment_error too_long(std::size_t n_ref, std::size_t n_candidate) {
  return segment_error("too long for TESLA-CELAB: " + std::to_string(n_candidate) + " tokens against " +
                       std::to_string(n_ref) + ". Cut it into sentences.");
}

/// One side: its spans, numbered by where they begin and how long they are, and the classes that each is in.
class Side {
 public:
  Side(Tokens tokens, const SynonymClasses& synonyms) : tokens_(tokens), classes_(tokens.size() * kCelabOrder) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      for (std::size_t n = 1; n <= longest(i); ++n) classes_[number(i, n)] = synonyms.find(tokens.subspan(i, n));
    }
  }

  std::size_t size() const { return tokens_.size(); }
  std::size_t longest(std::size_t i) const { return std::min(kCelabOrder, tokens_.size() - i); }
  static std::size_t number(std::size_t i, std::size_t n) { return i * kCelabOrder + n - 1; }
  Tokens classes(std::size_t i, std::size_t n) const { return classes_[number(i, n)]; }
  Tokens tokens() const { return tokens_; }

  std::size_t n_spans() const {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < size(); ++i) sum += longest(i);
    return sum;
  }

  /// Calls `use(number)` for the spans within [i, i + n).
  template <class Use>
  static void for_each_within(std::size_t i, std::size_t n, const Use& use) {
    for (std::size_t begin = i; begin < i + n; ++begin) {
      for (std::size_t length = 1; begin + length <= i + n; ++length) use(number(begin, length));
    }
  }

 private:
  Tokens tokens_;
  std::vector<Tokens> classes_;
};

/// Bit (p − 1) · 4 + q − 1: p tokens of the reference and q of the candidate are equal or synonyms.
using Units = std::uint16_t;

constexpr Units bit(std::size_t p, std::size_t q) { return static_cast<Units>(1u << ((p - 1) * kCelabOrder + q - 1)); }

class Links {
 public:
  Links(const Side& ref, const Side& candidate)
      : ref_(ref), candidate_(candidate), units_(ref.size() * candidate.size()) {
    for (std::size_t i = 0; i < ref.size(); ++i) {
      for (std::size_t j = 0; j < candidate.size(); ++j) units_[i * candidate.size() + j] = units_at(i, j);
    }
    for (std::size_t i = 0; i < ref.size(); ++i) {
      for (std::size_t j = 0; j < candidate.size(); ++j) link_from(i, j);
    }
  }

  std::vector<CoverageLink> links;

 private:
  Units units_at(std::size_t i, std::size_t j) const {
    Units units = 0;
    for (std::size_t n = 1; n <= std::min(ref_.longest(i), candidate_.longest(j)); ++n) {
      if (ref_.tokens()[i + n - 1] != candidate_.tokens()[j + n - 1]) break;
      units |= bit(n, n);
    }
    for (std::size_t p = 1; p <= ref_.longest(i); ++p) {
      if (ref_.classes(i, p).empty()) continue;
      for (std::size_t q = 1; q <= candidate_.longest(j); ++q) {
        if (share_one(ref_.classes(i, p), candidate_.classes(j, q))) units |= bit(p, q);
      }
    }
    return units;
  }

  /// The spans from i and from j that can be cut into matching pieces, piece by piece.
  void link_from(std::size_t i, std::size_t j) {
    if (units_[i * candidate_.size() + j] == 0) return;
    std::array<std::array<bool, kCelabOrder + 1>, kCelabOrder + 1> reached{};
    reached[0][0] = true;
    for (std::size_t a = 0; a < ref_.longest(i); ++a) {
      for (std::size_t b = 0; b < candidate_.longest(j); ++b) {
        if (reached[a][b]) step(i, j, a, b, reached);
      }
    }
    for (std::size_t a = 1; a <= ref_.longest(i); ++a) {
      for (std::size_t b = 1; b <= candidate_.longest(j); ++b) {
        if (reached[a][b]) add(i, a, j, b);
      }
    }
  }

  template <class Reached>
  void step(std::size_t i, std::size_t j, std::size_t a, std::size_t b, Reached& reached) const {
    const Units units = units_[(i + a) * candidate_.size() + j + b];
    for (std::size_t p = 1; a + p <= ref_.longest(i); ++p) {
      for (std::size_t q = 1; b + q <= candidate_.longest(j); ++q) {
        if (units & bit(p, q)) reached[a + p][b + q] = true;
      }
    }
  }

  void add(std::size_t i, std::size_t a, std::size_t j, std::size_t b) {
    if (links.size() == kMostLinks) throw too_long(ref_.size(), candidate_.size());
    CoverageLink link{static_cast<std::int32_t>(Side::number(i, a)), static_cast<std::int32_t>(Side::number(j, b)), {}};
    const auto n_ref = ref_.size() * kCelabOrder;
    Side::for_each_within(i, a, [&](std::size_t span) { link.covered.push_back(static_cast<std::int32_t>(span)); });
    Side::for_each_within(j, b,
                          [&](std::size_t span) { link.covered.push_back(static_cast<std::int32_t>(n_ref + span)); });
    links.push_back(std::move(link));
  }

  const Side& ref_;
  const Side& candidate_;
  std::vector<Units> units_;
};

}  // namespace

void SynonymClasses::add(Tokens phrase, Tokens classes) {
  entries_[phrase_hash(phrase)].push_back({{phrase.begin(), phrase.end()}, {classes.begin(), classes.end()}});
}

Tokens SynonymClasses::find(Tokens phrase) const {
  if (entries_.empty()) return {};
  const auto bucket = entries_.find(phrase_hash(phrase));
  if (bucket == entries_.end()) return {};
  const auto entry =
      std::ranges::find_if(bucket->second, [&](const Entry& each) { return std::ranges::equal(each.phrase, phrase); });
  return entry == bucket->second.end() ? Tokens{} : Tokens(entry->classes);
}

double celab(Tokens ref, Tokens candidate, const SynonymClasses& synonyms) {
  if (ref.empty() || candidate.empty()) return 0.0;
  if (std::ranges::equal(ref, candidate)) return 1.0;
  if (ref.size() * candidate.size() > kMostCelabCells) throw too_long(ref.size(), candidate.size());
  const Side left(ref, synonyms), right(candidate, synonyms);
  const Links found(left, right);
  std::vector<double> weights(left.size() * kCelabOrder, 1.0);
  weights.resize(weights.size() + right.size() * kCelabOrder, kCelabPrecisionWeight);
  const double whole =
      static_cast<double>(left.n_spans()) + kCelabPrecisionWeight * static_cast<double>(right.n_spans());
  return most_coverage(found.links, left.size() * kCelabOrder, right.size() * kCelabOrder, weights) / whole;
}

}  // namespace dragoman::metrics
