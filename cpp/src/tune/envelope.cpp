#include <algorithm>

#include "dragoman/tune/graph_mert.hpp"

namespace dragoman::tune {

namespace {

/// A line at a node: what lies before it is a line of the node that its arc comes from.
struct Line {
  double score, slope;
  std::uint32_t arc, before;
};

/// Leave of lines those that are highest somewhere, by rising slope.
void keep_highest(std::vector<Line>& lines) {
  std::ranges::stable_sort(lines, [](const Line& a, const Line& b) {
    return a.slope != b.slope ? a.slope < b.slope : a.score > b.score;
  });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Line line = lines[i];
    if (kept > 0 && lines[kept - 1].slope == line.slope) continue;  // a parallel that is not higher
    while (kept > 1) {
      // The last one is never highest if the new line overtakes it not later than it overtook the one before.
      const Line &last = lines[kept - 1], &first = lines[kept - 2];
      const double overtaken = (last.score - line.score) * (last.slope - first.slope);
      const double overtook = (first.score - last.score) * (line.slope - last.slope);
      if (overtaken > overtook) break;
      --kept;
    }
    lines[kept++] = line;
  }
  lines.resize(kept);
}

}  // namespace

std::vector<EnvelopeLine> envelope(const phrase::Hypergraph& graph, std::span<const double> scores,
                                   std::span<const double> slopes) {
  std::vector<EnvelopeLine> all;
  if (graph.n_nodes() == 0) return all;
  // The lines of all nodes, one after the other; arcs lead forward.
  std::vector<Line> lines{{0, 0, 0, 0}}, here;
  std::vector<std::uint32_t> first{0, 1};
  for (std::size_t node = 1; node < graph.n_nodes(); ++node) {
    here.clear();
    for (std::uint32_t a = graph.arc_offsets()[node]; a < graph.arc_offsets()[node + 1]; ++a) {
      const auto from = graph.arcs()[a].from;
      for (std::uint32_t i = first[from]; i < first[from + 1]; ++i) {
        here.push_back({lines[i].score + scores[a], lines[i].slope + slopes[a], a, i});
      }
    }
    keep_highest(here);
    lines.insert(lines.end(), here.begin(), here.end());
    first.push_back(static_cast<std::uint32_t>(lines.size()));
  }
  for (std::uint32_t i = first[graph.n_nodes() - 1]; i < first[graph.n_nodes()]; ++i) {
    EnvelopeLine found{lines[i].score, lines[i].slope, {}};
    found.path.score = lines[i].score;
    for (std::uint32_t at = i; at != 0; at = lines[at].before) found.path.arcs.push_back(lines[at].arc);
    std::ranges::reverse(found.path.arcs);
    all.push_back(std::move(found));
  }
  return all;
}

}  // namespace dragoman::tune
