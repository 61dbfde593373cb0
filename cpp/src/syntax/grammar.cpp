#include "dragoman/syntax/grammar.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "dragoman/core/errors.hpp"

namespace dragoman::syntax {

namespace {

/// Longest chain of rules with one child; treebanks have hardly any longer (S over VP over a verb is two).
constexpr int most_steps = 4;
constexpr double least_chain = -23.0;  // log of 1e-10: rarer chains are not kept

}  // namespace

Rules::Rules(std::size_t n_symbols, std::vector<Binary> binary, std::span<const Unary> unary) {
  const auto known = [&](Symbol symbol) { return symbol >= 0 && static_cast<std::size_t>(symbol) < n_symbols; };
  for (const Binary& rule : binary) {
    if (!known(rule.parent) || !known(rule.left) || !known(rule.right))
      throw data_error("A rule has an unknown symbol.");
  }
  for (const Unary& rule : unary) {
    if (!known(rule.parent) || !known(rule.child)) throw data_error("A rule has an unknown symbol.");
  }
  std::ranges::sort(binary, {}, [](const Binary& rule) { return std::tuple(rule.left, rule.parent, rule.right); });
  pairs_.reserve(binary.size());
  group_begin_.assign(n_symbols + 1, 0);
  for (std::size_t i = 0; i < binary.size(); ++i) {
    const Binary& rule = binary[i];
    if (i == 0 || binary[i - 1].left != rule.left || binary[i - 1].parent != rule.parent) {
      groups_.push_back({rule.parent, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i)});
      ++group_begin_[rule.left + 1];
    }
    ++groups_.back().end;
    pairs_.push_back({rule.right, rule.score, std::exp(rule.score)});
  }
  for (std::size_t s = 0; s < n_symbols; ++s) group_begin_[s + 1] += group_begin_[s];
  chain_begin_.assign(n_symbols + 1, 0);
  join_chains(unary);
}

void Rules::join_chains(std::span<const Unary> unary) {
  const std::size_t n_symbols = chain_begin_.size() - 1;
  std::vector<std::vector<Unary>> above(n_symbols);
  for (const Unary& rule : unary) above[rule.child].push_back(rule);
  struct Found {
    double score;
    std::vector<Symbol> path;  // from the bottom, the parent last
  };
  std::vector<Found> best(n_symbols);
  for (std::size_t child = 0; child < n_symbols; ++child) {
    std::vector<Symbol> reached;
    std::vector<Found> layer{{0.0, {}}};
    for (int step = 0; step < most_steps && !layer.empty(); ++step) {
      std::vector<Found> next;
      for (const Found& below : layer) {
        const Symbol top = below.path.empty() ? static_cast<Symbol>(child) : below.path.back();
        for (const Unary& rule : above[top]) {
          const double score = below.score + rule.score;
          if (score < least_chain || rule.parent == static_cast<Symbol>(child)) continue;
          Found& old = best[rule.parent];
          if (!old.path.empty() && old.score >= score) continue;
          if (old.path.empty()) reached.push_back(rule.parent);
          old = {score, below.path};
          old.path.push_back(rule.parent);
          next.push_back(old);
        }
      }
      layer = std::move(next);
    }
    std::ranges::sort(reached);
    for (const Symbol parent : reached) {
      Found& found = best[parent];
      const auto begin = static_cast<std::uint32_t>(between_.size());
      between_.insert(between_.end(), found.path.rbegin() + 1, found.path.rend());
      chains_.push_back(
          {parent, found.score, std::exp(found.score), begin, static_cast<std::uint32_t>(between_.size())});
      found.path.clear();
    }
    chain_begin_[child + 1] = static_cast<std::uint32_t>(chains_.size());
  }
}

void Grammar::check() const {
  const std::size_t n = fine.n_symbols(), n_coarse = coarse.n_symbols();
  if (coarse_of.size() != n || share.size() != n || log_prior.size() != n || labels.size() != n ||
      coarse_prior.size() != n_coarse || root < 0 || static_cast<std::size_t>(root) >= n) {
    throw data_error("The parts of the grammar do not fit together.");
  }
  const auto within = [](std::size_t size) {
    return [size](Symbol symbol) { return symbol >= 0 && static_cast<std::size_t>(symbol) < size; };
  };
  if (!std::ranges::all_of(coarse_of, within(n_coarse)) || !std::ranges::all_of(lexicon.symbols, within(n))) {
    throw data_error("The grammar has an unknown symbol.");
  }
  if (lexicon.offsets.empty() || lexicon.offsets.front() != 0 || !std::ranges::is_sorted(lexicon.offsets) ||
      lexicon.offsets.back() != std::ssize(lexicon.symbols) || lexicon.scores.size() != lexicon.symbols.size()) {
    throw data_error("The offsets of the lexicon do not fit its entries.");
  }
}

}  // namespace dragoman::syntax
