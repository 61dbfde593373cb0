#include "dragoman/lm/scoring.hpp"

#include <utility>

#include "dragoman/core/parallel.hpp"
#include "dragoman/text/unicode.hpp"

namespace dragoman::lm {

namespace {

/// Call `use(scored, word)` for every token of a line.
template <class Use>
void walk(const Model& model, std::string_view line, bool bos, bool eos, const Use& use) {
  State states[2] = {bos ? model.begin() : Model::empty(), {}};
  unsigned now = 0;
  const auto step = [&](WordId word) {
    const Scored scored = model.score(states[now], word, states[1 - now]);
    now = 1 - now;
    use(scored, word);
  };
  text::split(line, [&](std::string_view token) { step(model.find(token)); });
  if (eos) step(kEos);
}

}  // namespace

ScoredTokens score_lines(const Model& model, const text::LineSource& lines, bool bos, bool eos, unsigned n_threads) {
  std::vector<ScoredTokens> parts(std::max<std::size_t>(1, n_threads));
  for_each_chunk(lines.size(), n_threads, [&](const Chunk& chunk) {
    ScoredTokens& part = parts[chunk.index];
    Bytes scratch;
    for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
      walk(model, lines.line(i, scratch), bos, eos, [&](const Scored& scored, WordId word) {
        part.log_p.push_back(scored.log_p);
        part.n_matched.push_back(static_cast<std::uint8_t>(scored.n_matched));
        part.unknown.push_back(word == kUnk);
      });
      part.offsets.push_back(static_cast<std::int64_t>(part.log_p.size()));
    }
  });
  ScoredTokens all;
  all.offsets.push_back(0);
  for (const ScoredTokens& part : parts) {
    const auto before = static_cast<std::int64_t>(all.log_p.size());
    all.log_p.insert(all.log_p.end(), part.log_p.begin(), part.log_p.end());
    all.n_matched.insert(all.n_matched.end(), part.n_matched.begin(), part.n_matched.end());
    all.unknown.insert(all.unknown.end(), part.unknown.begin(), part.unknown.end());
    for (const auto offset : part.offsets) all.offsets.push_back(before + offset);
  }
  return all;
}

std::vector<double> score_totals(const Model& model, const text::LineSource& lines, bool bos, bool eos,
                                 unsigned n_threads) {
  std::vector<double> totals(lines.size());
  for_each_chunk(lines.size(), n_threads, [&](const Chunk& chunk) {
    Bytes scratch;
    for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
      double total = 0;
      walk(model, lines.line(i, scratch), bos, eos, [&](const Scored& scored, WordId) { total += scored.log_p; });
      totals[i] = total;
    }
  });
  return totals;
}

}  // namespace dragoman::lm
