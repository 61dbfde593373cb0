#include "score_run.hpp"

// One body, compiled for wider registers too and chosen when the library is loaded. Whole numbers: all give the same.
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__)
#define DRAGOMAN_WIDE __attribute__((target_clones("default", "avx2", "arch=x86-64-v4")))
#else
#define DRAGOMAN_WIDE
#endif

namespace dragoman::lm {

DRAGOMAN_WIDE void first_keys(const WordId* words, std::size_t n, std::uint64_t* keys) {
  for (std::size_t i = 0; i < n; ++i) keys[i] = word_key(words[i]);
}

DRAGOMAN_WIDE void longer_keys(const std::uint64_t* keys, const WordId* before, std::size_t n, std::uint64_t* longer) {
  for (std::size_t i = 0; i < n; ++i) longer[i] = longer_key(keys[i], before[i]);
}

}  // namespace dragoman::lm
