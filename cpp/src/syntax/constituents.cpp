#include "dragoman/syntax/constituents.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"

namespace dragoman::syntax {

namespace {

constexpr double impossible = -INFINITY;

/// Without a coarse chart everything is tried everywhere; this beam keeps it quick.
constexpr double beam_alone = 8;

}  // namespace

/// True if the fine chart has a tree over the whole; it is filled in any case.
bool ConstituentParser::fill(std::span<const std::int32_t> rows) {
  const auto is_whole = [&] {
    return FineChart::find(fine_.top(fine_.spans().cell(0, rows.size())), grammar_.root) != nullptr;
  };
  // With a threshold of 0 nothing is to be pruned; the coarse chart drops what its cells find unlikely.
  if (limits_.threshold <= 0 || !coarse_.run(grammar_, rows)) {
    fine_.run(grammar_, rows, nullptr, limits_.threshold <= 0 ? limits_.beam : beam_alone);
    return is_whole();
  }
  for (const double threshold : {limits_.threshold, limits_.threshold * 1e-3, 0.0}) {
    coarse_.prune(threshold);
    fine_.run(grammar_, rows, &coarse_, threshold > 0 ? limits_.beam : 2 * limits_.beam);
    if (is_whole()) return true;
  }
  return false;
}

Parsed ConstituentParser::parse(std::span<const std::int32_t> rows) {
  Parsed parsed;
  if (rows.empty()) return parsed;
  if (rows.size() <= limits_.longest && fill(rows)) {
    const std::size_t whole = fine_.spans().cell(0, rows.size());
    parsed.log_sentence = fine_.log_inside(whole, *FineChart::find(fine_.top(whole), grammar_.root));
    TreeList list(grammar_, fine_, rows);
    for (std::size_t rank = 0; rank < std::max<std::size_t>(1, limits_.n_best); ++rank) {
      FlatTree tree;
      if (!list.write(0, rows.size(), grammar_.root, rank, tree, -1)) break;
      if (rank > 0 && tree.score < parsed.trees.front().score + std::log(limits_.least_share)) break;
      parsed.trees.push_back(std::move(tree));
    }
    return parsed;
  }
  parsed.is_failed = true;
  parsed.trees.emplace_back();
  parsed.trees[0].labels.push_back(grammar_.labels[grammar_.root]);
  parsed.trees[0].parents.push_back(-1);
  const std::size_t n_pieces = (rows.size() + limits_.longest - 1) / limits_.longest;
  for (std::size_t piece = 0; piece < n_pieces; ++piece) {
    const std::size_t begin = rows.size() * piece / n_pieces, end = rows.size() * (piece + 1) / n_pieces;
    const auto part = rows.subspan(begin, end - begin);
    if (n_pieces > 1) fill(part);
    glue(part, begin, parsed);
  }
  parsed.log_sentence = parsed.trees[0].score;
  return parsed;
}

/// Append the fewest phrases that cover the words, the likeliest among them, to the one tree of `parsed`.
void ConstituentParser::glue(std::span<const std::int32_t> rows, std::size_t shift, Parsed& parsed) {
  struct Way {
    std::size_t count = 0;
    double score = 0;
    std::size_t begin = 0;
    Symbol symbol = -1;
  };
  std::vector<Way> ways(rows.size() + 1);
  for (std::size_t end = 1; end <= rows.size(); ++end) {
    ways[end] = {ways[end - 1].count + 1, impossible, end - 1, -1};  // a word for itself, if nothing else
    for (std::size_t begin = 0; begin < end; ++begin) {
      const std::size_t count = ways[begin].count + 1;
      if (count > ways[end].count) continue;
      for (const auto& item : fine_.top(fine_.spans().cell(begin, end))) {
        if (grammar_.labels[item.symbol] < 0 || item.symbol == grammar_.root) continue;
        const double score = ways[begin].score + item.best + grammar_.log_prior[item.symbol];
        if (count < ways[end].count || score > ways[end].score) ways[end] = {count, score, begin, item.symbol};
      }
    }
    if (ways[end].symbol < 0) ways[end].score = ways[end - 1].score;
  }
  std::vector<std::pair<std::size_t, std::size_t>> pieces;
  for (std::size_t end = rows.size(); end > 0; end = ways[end].begin) pieces.emplace_back(ways[end].begin, end);
  TreeList list(grammar_, fine_, rows);
  FlatTree& tree = parsed.trees[0];
  for (auto piece = pieces.rbegin(); piece != pieces.rend(); ++piece) {
    const std::size_t first = tree.labels.size();
    const Symbol symbol = ways[piece->second].symbol;
    if (symbol >= 0) {
      list.write(piece->first, piece->second, symbol, 0, tree, 0);
    } else {
      tree.labels.push_back(-1 - static_cast<std::int32_t>(piece->first));
      tree.parents.push_back(0);
    }
    for (std::size_t node = first; node < tree.labels.size(); ++node) {
      if (tree.labels[node] < 0) tree.labels[node] -= static_cast<std::int32_t>(shift);
    }
  }
}

std::vector<Parsed> parse_constituents(const Grammar& grammar, const ParseLimits& limits,
                                       std::span<const std::int32_t> rows, std::span<const std::int64_t> offsets,
                                       unsigned n_threads) {
  if (offsets.empty() || offsets.front() != 0 || !std::ranges::is_sorted(offsets) ||
      offsets.back() != std::ssize(rows)) {
    throw data_error("The offsets of the sentences do not fit their words.");
  }
  if (limits.longest == 0) throw data_error("Sentences are parsed in pieces of at least one word.");
  for (const std::int32_t row : rows) {
    if (row < 0 || static_cast<std::size_t>(row) >= grammar.lexicon.n_rows()) {
      throw data_error("The lexicon has no row " + std::to_string(row) + ".");
    }
  }
  std::vector<Parsed> found(offsets.size() - 1);
  // Sentences are dealt in turn: files are often sorted by something that goes with length.
  const std::size_t n_chunks = std::max<std::size_t>(1, std::min<std::size_t>(n_threads, found.size()));
  for_each_chunk(n_chunks, n_threads, [&](const Chunk& chunk) {
    ConstituentParser parser(grammar, limits);
    for (std::size_t s = chunk.index; s < found.size(); s += n_chunks) {
      found[s] = parser.parse(
          rows.subspan(static_cast<std::size_t>(offsets[s]), static_cast<std::size_t>(offsets[s + 1] - offsets[s])));
    }
  });
  return found;
}

}  // namespace dragoman::syntax
