#include "dragoman/morph/segmenter.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"
#include "dragoman/text/clusters.hpp"

namespace dragoman::morph {

Segmenter::Segmenter(std::span<const std::string_view> morphs, std::span<const std::int64_t> counts,
                     std::int64_t n_words) {
  if (morphs.size() != counts.size()) {
    throw data_error("Every morph needs a count, got morphs=" + std::to_string(morphs.size()) +
                     ", counts=" + std::to_string(counts.size()) + ".");
  }
  std::vector<std::vector<Letter>> spelt(morphs.size());
  std::vector<std::int64_t> letter_counts;
  for (std::size_t i = 0; i < morphs.size(); ++i) {
    if (morphs[i].empty()) throw data_error("Morph " + std::to_string(i + 1) + " is empty.");
    if (counts[i] < 1) {
      throw data_error("Morph " + std::to_string(i + 1) + " has the count " + std::to_string(counts[i]) +
                       "; one that is there was seen at least once.");
    }
    text::for_each_cluster(morphs[i], [&](std::string_view cluster) {
      const Letter letter = alphabet_.add(cluster);
      spelt[i].push_back(letter);
      letter_counts.resize(alphabet_.size());
      ++letter_counts[static_cast<std::size_t>(letter)];
    });
    sums_.tokens += counts[i];
    sums_.letters += static_cast<std::int64_t>(spelt[i].size());
    sums_.token_logs += x_log_x(counts[i]);
  }
  if (n_words < 0 || n_words > sums_.tokens) {
    throw data_error("Morphs that were seen " + std::to_string(sums_.tokens) + " times cannot be those of " +
                     std::to_string(n_words) + " words.");
  }
  sums_.words = n_words;
  sums_.types = static_cast<std::int64_t>(morphs.size());
  sums_.alphabet = static_cast<std::int64_t>(alphabet_.size());
  for (const std::int64_t count : letter_counts) sums_.letter_logs += x_log_x(count);
  const double total = std::log(static_cast<double>(sums_.tokens + sums_.words));
  for (const std::int64_t count : counts) costs_.push_back(total - std::log(static_cast<double>(count)));

  // Morphs in order of their letters: those that begin alike are neighbours, and a node's children are made in one go.
  std::vector<std::uint32_t> order(morphs.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, {}, [&](std::uint32_t i) -> const auto& { return spelt[i]; });
  struct Open {
    std::uint32_t node;
    std::size_t begin, end, depth;
  };
  nodes_.emplace_back();
  std::vector<Open> open{{0, 0, order.size(), 0}};
  while (!open.empty()) {
    auto [node, begin, end, depth] = open.back();
    open.pop_back();
    for (; begin < end && spelt[order[begin]].size() == depth; ++begin) {
      if (nodes_[node].morph >= 0) {
        throw data_error("Morph " + std::to_string(order[begin] + 1) + ", " + std::string(morphs[order[begin]]) +
                         ", is there twice.");
      }
      nodes_[node].morph = static_cast<std::int32_t>(order[begin]);
    }
    nodes_[node].first_edge = static_cast<std::uint32_t>(edges_.size());
    while (begin < end) {
      const Letter letter = spelt[order[begin]][depth];
      std::size_t next = begin;
      while (next < end && spelt[order[next]][depth] == letter) ++next;
      const auto made = static_cast<std::uint32_t>(nodes_.size());
      nodes_.emplace_back();
      edges_.push_back({letter, made});
      open.push_back({made, begin, next, depth + 1});
      begin = next;
    }
    nodes_[node].n_edges = static_cast<std::uint32_t>(edges_.size()) - nodes_[node].first_edge;
  }
}

const Segmenter::Node* Segmenter::child(const Node& node, Letter letter) const noexcept {
  const auto first = edges_.begin() + node.first_edge;
  const auto last = first + node.n_edges;
  const auto found = std::ranges::lower_bound(first, last, letter, {}, &Edge::letter);
  return found != last && found->letter == letter ? &nodes_[found->node] : nullptr;
}

void Segmenter::spell(std::string_view word, Spelling& out) const {
  out.letters.clear();
  out.ends.clear();
  std::uint32_t end = 0;
  text::for_each_cluster(word, [&](std::string_view cluster) {
    end += static_cast<std::uint32_t>(cluster.size());
    out.letters.push_back(alphabet_.find(cluster));
    out.ends.push_back(end);
  });
}

void Segmenter::cut(std::string_view word, Scratch& scratch, std::vector<std::uint32_t>& ends) const {
  if (word.size() >= std::numeric_limits<std::uint32_t>::max()) throw data_error("A word has 4 GB or more.");
  spell(word, scratch.spelling);
  const auto& letters = scratch.spelling.letters;
  const std::size_t n = letters.size();
  auto& best = scratch.best;
  best.assign(n + 1, {std::numeric_limits<std::uint32_t>::max(), 0.0, 0, false});
  best[0] = {0, 0.0, 0, true};
  for (std::size_t from = 0; from < n; ++from) {
    const auto [unknown, cost, _, __] = best[from];
    const auto reach = [&](std::size_t to, std::uint32_t all_unknown, double all_cost, bool is_known) {
      if (std::tie(all_unknown, all_cost) < std::tie(best[to].unknown, best[to].cost)) {
        best[to] = {all_unknown, all_cost, static_cast<std::uint32_t>(from), is_known};
      }
    };
    const Node* node = child(nodes_[0], letters[from]);
    if (node == nullptr || node->morph < 0) reach(from + 1, unknown + 1, cost, false);
    for (std::size_t to = from + 1; node != nullptr; ++to) {
      if (node->morph >= 0) reach(to, unknown, cost + costs_[static_cast<std::size_t>(node->morph)], true);
      node = to < n ? child(*node, letters[to]) : nullptr;
    }
  }
  const std::size_t start = ends.size();
  bool was_known = true;
  for (std::size_t to = n; to > 0; to = best[to].from) {
    if (best[to].is_known || was_known) ends.push_back(scratch.spelling.ends[to - 1]);
    was_known = best[to].is_known;
  }
  std::reverse(ends.begin() + static_cast<std::ptrdiff_t>(start), ends.end());
}

std::vector<std::string> Segmenter::cut_lines(std::span<const std::string_view> lines, std::string_view mark,
                                              unsigned n_threads) const {
  std::vector<std::string> out(lines.size());
  for_each_chunk(lines.size(), n_threads, [&](Chunk chunk) {
    Scratch scratch;
    text::WordTable known;               // words that came before
    std::vector<std::uint32_t> ends;     // of their morphs
    std::vector<std::size_t> starts{0};  // where each word's ends begin
    for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
      text::split(lines[i], [&](std::string_view word) {
        const auto id = static_cast<std::size_t>(known.add(word));
        if (id + 1 == starts.size()) {
          cut(word, scratch, ends);
          starts.push_back(ends.size());
        }
        std::uint32_t begin = 0;
        for (std::size_t at = starts[id]; at < starts[id + 1]; ++at) {
          if (!out[i].empty()) out[i] += ' ';
          if (begin == 0) out[i] += mark;
          out[i] += word.substr(begin, ends[at] - begin);
          begin = ends[at];
        }
      });
    }
  });
  return out;
}

}  // namespace dragoman::morph
