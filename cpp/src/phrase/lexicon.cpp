#include "lexicon.hpp"

#include <algorithm>

namespace dragoman::phrase {

namespace {

void count_up(std::vector<std::uint64_t>& totals, TokenId word) {
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

void Lexicon::add(TokenId source, TokenId target) {
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
  ++slot.count;
  count_up(source_totals_, source);
  count_up(target_totals_, target);
}

Lexicon::Lexicon(const AlignedBitext& bitext, const SortedPoints& points) : bitext_(bitext), points_(points) {
  std::vector<std::uint8_t> target_linked;
  const auto for_each_point = [&](const auto& use) {  // use(source word, target word, point)
    for (std::size_t i = 0; i < bitext.size(); ++i) {
      const auto target_at = static_cast<std::size_t>(bitext.target_offsets[i]);
      for (auto s = static_cast<std::size_t>(bitext.source_offsets[i]); s < static_cast<std::size_t>(bitext.source_offsets[i + 1]); ++s) {
        for (auto p = points.at(s); p < points.at(s + 1); ++p) use(s, target_at + points.target(p), p);
      }
    }
  };
  target_linked.assign(bitext.target.size(), 0);
  for_each_point([&](std::size_t s, std::size_t t, std::uint64_t) {
    add(bitext.source[s], bitext.target[t]);
    target_linked[t] = 1;
  });
  for (std::size_t s = 0; s < bitext.source.size(); ++s) {
    if (points.at(s) == points.at(s + 1)) add(bitext.source[s], kNull);
  }
  for (std::size_t t = 0; t < bitext.target.size(); ++t) {
    if (!target_linked[t]) add(kNull, bitext.target[t]);
  }
  const auto total = [](const std::vector<std::uint64_t>& totals, TokenId word) {
    return static_cast<double>(totals[static_cast<std::size_t>(word + 1)]);
  };
  source_given_target_.resize(points.size());
  target_given_source_.resize(points.size());
  for_each_point([&](std::size_t s, std::size_t t, std::uint64_t p) {
    const double count = slots_[place(key(bitext.source[s], bitext.target[t]))].count;
    source_given_target_[p] = static_cast<float>(count / total(target_totals_, bitext.target[t]));
    target_given_source_[p] = static_cast<float>(count / total(source_totals_, bitext.source[s]));
  });
  source_given_null_.assign(source_totals_.size(), kLeastLexical);
  target_given_null_.assign(target_totals_.size(), kLeastLexical);
  for (const Slot& slot : slots_) {
    const auto source = static_cast<TokenId>(slot.key >> 32) - 2, target = static_cast<TokenId>(slot.key & 0xFFFFFFFF) - 2;
    if (slot.key == 0) continue;
    if (target == kNull) source_given_null_[static_cast<std::size_t>(source)] = static_cast<float>(slot.count / total(target_totals_, kNull));
    if (source == kNull) target_given_null_[static_cast<std::size_t>(target)] = static_cast<float>(slot.count / total(source_totals_, kNull));
  }
  slots_ = {};
}

LexicalWeights Lexicon::weights(std::size_t sentence, const PhraseSpan& span) const {
  return lexical_weights(points_, static_cast<std::size_t>(bitext_.source_offsets[sentence]),
                         static_cast<std::size_t>(bitext_.target_offsets[sentence]), span, *this);
}

}  // namespace dragoman::phrase
