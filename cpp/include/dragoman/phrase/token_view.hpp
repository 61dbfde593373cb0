#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "dragoman/lm/model.hpp"
#include "dragoman/phrase/features.hpp"

namespace dragoman::phrase {

/// What a language model reads of an option: it need not be target words.
class TokenView {
 public:
  virtual ~TokenView() = default;
  /// Append the model's numbers of an option's tokens, in the order of the target.
  virtual void read(const Extension& step, std::vector<lm::WordId>& into) const = 0;
};

/// Target words together with the source words that they are linked to (Niehues, Herrmann, Vogel & Waibel, WMT 2011):
/// the model sees across the borders of phrases what was translated by what.
class BilingualView final : public TokenView {
 public:
  /// Token i is the target word `targets[i]` with the source words `sources[offsets[i]]` … in their order; the model
  /// knows it as `ids[i]`. Throws data_error if the arrays do not fit each other, or a token comes twice.
  BilingualView(std::span<const TokenId> targets, std::span<const std::int64_t> offsets,
                std::span<const TokenId> sources, std::span<const lm::WordId> ids);

  void read(const Extension& step, std::vector<lm::WordId>& into) const override;

 private:
  static std::uint64_t key(TokenId target, std::span<const TokenId> sources);

  std::unordered_map<std::uint64_t, lm::WordId> ids_;
};

}  // namespace dragoman::phrase
