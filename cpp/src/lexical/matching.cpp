#include "dragoman/lexical/matching.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"

namespace dragoman::lexical {

namespace {

/// The best local alignment that ends at a place.
struct Local {
  std::int32_t score = 0, matched = 0, edits = 0;

  std::tuple<std::int32_t, std::int32_t, std::int32_t> rank() const { return {score, matched, -edits}; }
};

Local edited(Local from) { return {from.score - 1, from.matched, from.edits + 1}; }

Matching match(std::span<const std::int32_t> first, std::span<const std::int32_t> second, std::vector<Local>& above,
               std::vector<std::int32_t>& distances) {
  above.assign(second.size() + 1, {});
  distances.resize(second.size() + 1);
  for (std::size_t j = 0; j <= second.size(); ++j) distances[j] = static_cast<std::int32_t>(j);
  Local best;
  for (std::size_t i = 0; i < first.size(); ++i) {
    Local corner = above[0];
    auto before = distances[0]++;
    for (std::size_t j = 0; j < second.size(); ++j) {
      const bool equal = first[i] >= 0 && first[i] == second[j];
      Local here{};
      const Local through = equal ? Local{corner.score + 2, corner.matched + 1, corner.edits} : edited(corner);
      for (const Local& each : {through, edited(above[j + 1]), edited(above[j])}) {
        if (each.score > 0 && each.rank() > here.rank()) here = each;
      }
      corner = above[j + 1];
      above[j + 1] = here;
      if (here.rank() > best.rank()) best = here;
      const auto distance = std::min({before + (equal ? 0 : 2), distances[j + 1] + 1, distances[j] + 1});
      before = distances[j + 1];
      distances[j + 1] = distance;
    }
  }
  return {best.matched, best.edits, distances.back()};
}

}  // namespace

std::vector<Matching> match_sentences(const Tokens& first, const Tokens& second, unsigned n_threads) {
  constexpr auto any = static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max());
  check_tokens(first, any);
  check_tokens(second, any);
  if (first.size() != second.size()) throw data_error("Both sides must have as many sentences.");
  std::vector<Matching> found(first.size());
  for_each_chunk(first.size(), n_threads, [&](const Chunk& chunk) {
    std::vector<Local> above;
    std::vector<std::int32_t> distances;
    const auto sentence = [](const Tokens& tokens, std::size_t s) {
      return tokens.ids.subspan(static_cast<std::size_t>(tokens.offsets[s]),
                                static_cast<std::size_t>(tokens.offsets[s + 1] - tokens.offsets[s]));
    };
    for (std::size_t s = chunk.begin; s < chunk.end; ++s)
      found[s] = match(sentence(first, s), sentence(second, s), above, distances);
  });
  return found;
}

}  // namespace dragoman::lexical
