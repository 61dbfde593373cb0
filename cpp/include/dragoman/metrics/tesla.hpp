#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace dragoman::metrics {

/// What TESLA knows of the kinds of tokens, by their ids.
struct TeslaLexicon {
  std::span<const std::int32_t> lemmas, tags;
  std::span<const std::uint8_t> is_function_word;
  std::span<const std::int32_t> synsets;  // of token t: [synset_offsets[t], synset_offsets[t + 1]), rising
  std::span<const std::int64_t> synset_offsets;

  std::span<const std::int32_t> synsets_of(std::int32_t token) const;
};

constexpr std::size_t kTeslaOrders = 3;
/// For n-grams of one, two and three tokens: matched weight by lemmas, synonyms and tags; by tags alone; the weight of
/// all n-grams of the hypothesis; of the reference.
constexpr std::size_t kTeslaStatistics = 4 * kTeslaOrders;
using TeslaRow = std::array<double, kTeslaStatistics>;

/// TESLA's matches (Liu, Dahlmeier & Ng, WMT 2010). An n-gram weighs a tenth for each of its function words. Exact: the
/// linear program is solved in whole numbers. Throws a segment_error where a segment is too long.
TeslaRow tesla_row(std::span<const std::int32_t> hyp, std::span<const std::int32_t> ref, const TeslaLexicon& lexicon);

}  // namespace dragoman::metrics
