#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

#include "dragoman/lm/model.hpp"

namespace dragoman::lm {

/// The numbers of words met lately. A few thousand words make up most of any text; those of up to fifteen bytes, nearly
/// all, fit into two machine words with their length and are compared as such, next to their numbers.
class Lately {
 public:
  static constexpr std::size_t kReach = 16;  // bytes that can be read from a word's beginning on

  explicit Lately(const Model& model) : model_(&model), places_(std::make_unique<Place[]>(kPlaces)) {}

  /// The word's number. Behind its beginning there are at least kReach bytes of memory.
  WordId find(std::string_view word) noexcept {
    if (word.size() >= kReach) return model_->find(word);
    std::uint64_t low, high;
    std::memcpy(&low, word.data(), 8);
    std::memcpy(&high, word.data() + 8, 8);
    low &= kMasks[word.size() + 8];
    // The length in the byte that is left over: NUL is a character like others.
    high = (high & kMasks[word.size()]) | static_cast<std::uint64_t>(word.size()) << 56;
    Place& place = places_[((low ^ high * 0x9E3779B97F4A7C15ULL) * 0xBF58476D1CE4E5B9ULL) >> (64 - kBits)];
    if (place.low != low || place.high != high) place = {low, high, model_->find(word)};
    return place.id;
  }

 private:
  static constexpr unsigned kBits = 13;
  static constexpr std::size_t kPlaces = std::size_t{1} << kBits;

  struct Place {
    std::uint64_t low = 0, high = 0;  // no word: its length would be 0
    WordId id = kUnk;
  };
  /// [8 + n]: the first n bytes of eight, of which there may be more or none.
  static constexpr std::array<std::uint64_t, 24> kMasks = [] {
    std::array<std::uint64_t, 24> masks{};
    for (std::size_t n = 0; n < masks.size(); ++n) {
      for (std::size_t i = 0; i < 8 && i + 8 < n; ++i) {
        // Byte i of memory, whichever way numbers are laid out.
        std::array<unsigned char, 8> bytes{};
        bytes[i] = 0xFF;
        masks[n] |= std::bit_cast<std::uint64_t>(bytes);
      }
    }
    return masks;
  }();

  const Model* model_;
  std::unique_ptr<Place[]> places_;
};

}  // namespace dragoman::lm
