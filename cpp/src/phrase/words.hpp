#pragma once

#include <cstdint>
#include <span>

#include "dragoman/core/hash.hpp"
#include "dragoman/phrase/table.hpp"

// What the kernels of phrases share about words and features.
namespace dragoman::phrase {

inline std::uint64_t hash_of(std::span<const TokenId> words, std::uint64_t seed = 0) {
  return hash_bytes({reinterpret_cast<const char*>(words.data()), words.size_bytes()}, seed);
}

constexpr float kLn10 = 2.302585093F;  // language models speak in log10, engines in natural logarithms
constexpr unsigned kOrientations = 6;  // scores of a table's lexicalised reordering
constexpr unsigned kDirect = 2;        // the place of p(t|s) among a table's features

}  // namespace dragoman::phrase
