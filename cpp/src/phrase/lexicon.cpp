#include "lexicon.hpp"

#include <algorithm>

namespace dragoman::phrase {

namespace {

constexpr double kLeast = 1e-7;  // for words never linked in the corpus, as they can stand in a phrase

void add_to(std::vector<std::uint64_t>& totals, TokenId word) {
  const auto at = static_cast<std::size_t>(word + 1);
  if (at >= totals.size()) totals.resize(at + at / 2 + 1);
  ++totals[at];
}

}  // namespace

std::size_t Lexicon::place(std::uint64_t key) const noexcept {
  std::uint64_t mixed = key * 0x9E3779B97F4A7C15ULL;
  mixed ^= mixed >> 32;
  std::size_t slot = mixed & (slots_.size() - 1);
  while (slots_[slot].key != 0 && slots_[slot].key != key) slot = (slot + 1) & (slots_.size() - 1);
  return slot;
}

std::uint32_t& Lexicon::count(TokenId source, TokenId target) {
  if (2 * (n_used_ + 1) > slots_.size()) {
    std::vector<Slot> old(std::max<std::size_t>(1024, slots_.size() * 2));
    std::swap(old, slots_);
    for (const Slot& slot : old) {
      if (slot.key != 0) slots_[place(slot.key)] = slot;
    }
  }
  Slot& slot = slots_[place(key(source, target))];
  if (slot.key == 0) {
    slot.key = key(source, target);
    ++n_used_;
  }
  return slot.count;
}

void Lexicon::add(const AlignedBitext& bitext) {
  std::vector<bool> source_linked, target_linked;
  const auto note = [&](TokenId source, TokenId target) {
    ++count(source, target);
    add_to(source_totals_, source);
    add_to(target_totals_, target);
  };
  for (std::size_t i = 0; i < bitext.size(); ++i) {
    const auto source_at = bitext.source_offsets[i], target_at = bitext.target_offsets[i];
    source_linked.assign(static_cast<std::size_t>(bitext.source_offsets[i + 1] - source_at), false);
    target_linked.assign(static_cast<std::size_t>(bitext.target_offsets[i + 1] - target_at), false);
    for (auto p = bitext.point_offsets[i]; p < bitext.point_offsets[i + 1]; ++p) {
      const Point point = bitext.points[static_cast<std::size_t>(p)];
      note(bitext.source[static_cast<std::size_t>(source_at) + point.source],
           bitext.target[static_cast<std::size_t>(target_at) + point.target]);
      source_linked[point.source] = true;
      target_linked[point.target] = true;
    }
    for (std::size_t j = 0; j < source_linked.size(); ++j) {
      if (!source_linked[j]) note(bitext.source[static_cast<std::size_t>(source_at) + j], kNull);
    }
    for (std::size_t j = 0; j < target_linked.size(); ++j) {
      if (!target_linked[j]) note(kNull, bitext.target[static_cast<std::size_t>(target_at) + j]);
    }
  }
}

double Lexicon::probability(TokenId source, TokenId target, const std::vector<std::uint64_t>& totals,
                            TokenId given) const noexcept {
  const auto at = static_cast<std::size_t>(given + 1);
  if (slots_.empty() || at >= totals.size() || totals[at] == 0) return kLeast;
  const Slot& slot = slots_[place(key(source, target))];
  if (slot.key == 0) return kLeast;
  return static_cast<double>(slot.count) / static_cast<double>(totals[at]);
}

double Lexicon::log_target_weight(std::span<const TokenId> source, std::span<const TokenId> target,
                                  std::span<const Link> links) const {
  double log_weight = 0;
  for (std::size_t j = 0; j < target.size(); ++j) {
    double sum = 0;
    unsigned n = 0;
    for (const Link& link : links) {
      if (link.target != j) continue;
      sum += target_given_source(target[j], source[link.source]);
      ++n;
    }
    log_weight += std::log(n == 0 ? target_given_source(target[j], kNull) : sum / n);
  }
  return log_weight;
}

double Lexicon::log_source_weight(std::span<const TokenId> source, std::span<const TokenId> target,
                                  std::span<const Link> links) const {
  double log_weight = 0;
  for (std::size_t j = 0; j < source.size(); ++j) {
    double sum = 0;
    unsigned n = 0;
    for (const Link& link : links) {
      if (link.source != j) continue;
      sum += source_given_target(source[j], target[link.target]);
      ++n;
    }
    log_weight += std::log(n == 0 ? source_given_target(source[j], kNull) : sum / n);
  }
  return log_weight;
}

}  // namespace dragoman::phrase
