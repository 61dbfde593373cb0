#include "dragoman/phrase/lexicon.hpp"

#include <algorithm>

namespace dragoman::phrase {

namespace {

void count_up(std::vector<double>& totals, TokenId word, double weight) {
  const auto at = static_cast<std::size_t>(word + 1);
  if (at >= totals.size()) totals.resize(at + at / 2 + 1);
  totals[at] += weight;
}

}  // namespace

std::size_t Lexicon::place(std::uint64_t key) const noexcept {
  std::uint64_t mixed = key * 0x9E3779B97F4A7C15ULL;
  mixed ^= mixed >> 32;
  std::size_t slot = mixed & (slots_.size() - 1);
  while (slots_[slot].key != 0 && slots_[slot].key != key) slot = (slot + 1) & (slots_.size() - 1);
  return slot;
}

void Lexicon::add(TokenId source, TokenId target, double weight) {
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
  slot.count += weight;
  count_up(source_totals_, source, weight);
  count_up(target_totals_, target, weight);
}

Lexicon::Lexicon(const AlignedBitext& bitext, const SortedPoints& points) : bitext_(bitext), points_(points) {
  std::vector<std::uint8_t> target_linked;
  const auto for_each_point = [&](const auto& use) {  // use(source word, target word, point, weight)
    for (std::size_t i = 0; i < bitext.size(); ++i) {
      const double weight = bitext.weight(i);
      if (weight == 0) continue;
      const auto target_at = static_cast<std::size_t>(bitext.target_offsets[i]);
      for (auto s = static_cast<std::size_t>(bitext.source_offsets[i]);
           s < static_cast<std::size_t>(bitext.source_offsets[i + 1]); ++s) {
        for (auto p = points.at(s); p < points.at(s + 1); ++p) use(s, target_at + points.target(p), p, weight);
      }
    }
  };
  target_linked.assign(bitext.target.size(), 0);
  for_each_point([&](std::size_t s, std::size_t t, std::uint64_t, double weight) {
    add(bitext.source[s], bitext.target[t], weight);
    target_linked[t] = 1;
  });
  const auto for_each_place = [&](std::span<const std::int64_t> offsets, const auto& use) {  // use(place, weight)
    for (std::size_t i = 0; i < bitext.size(); ++i) {
      const double weight = bitext.weight(i);
      if (weight == 0) continue;
      for (auto at = static_cast<std::size_t>(offsets[i]); at < static_cast<std::size_t>(offsets[i + 1]); ++at)
        use(at, weight);
    }
  };
  for_each_place(bitext.source_offsets, [&](std::size_t s, double weight) {
    if (points.at(s) == points.at(s + 1)) add(bitext.source[s], kNull, weight);
  });
  for_each_place(bitext.target_offsets, [&](std::size_t t, double weight) {
    if (!target_linked[t]) add(kNull, bitext.target[t], weight);
  });
  const auto total = [](const std::vector<double>& totals, TokenId word) {
    return totals[static_cast<std::size_t>(word + 1)];
  };
  source_given_target_.resize(points.size());
  target_given_source_.resize(points.size());
  for_each_point([&](std::size_t s, std::size_t t, std::uint64_t p, double) {
    const double count = slots_[place(key(bitext.source[s], bitext.target[t]))].count;
    source_given_target_[p] = static_cast<float>(count / total(target_totals_, bitext.target[t]));
    target_given_source_[p] = static_cast<float>(count / total(source_totals_, bitext.source[s]));
  });
  source_given_null_.assign(source_totals_.size(), kLeastLexical);
  target_given_null_.assign(target_totals_.size(), kLeastLexical);
  for (const Slot& slot : slots_) {
    const auto source = static_cast<TokenId>(slot.key >> 32) - 2,
               target = static_cast<TokenId>(slot.key & 0xFFFFFFFF) - 2;
    if (slot.key == 0) continue;
    if (target == kNull)
      source_given_null_[static_cast<std::size_t>(source)] =
          static_cast<float>(slot.count / total(target_totals_, kNull));
    if (source == kNull)
      target_given_null_[static_cast<std::size_t>(target)] =
          static_cast<float>(slot.count / total(source_totals_, kNull));
  }
  slots_ = {};
}

}  // namespace dragoman::phrase
