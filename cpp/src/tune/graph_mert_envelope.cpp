#include <algorithm>

#include "dragoman/tune/graph_mert.hpp"

namespace dragoman::tune {

namespace {

/// A line at a node. It is made of lines of its arc's tails: `before` is the number of that of the only tail; of
/// several, where in a list theirs begin.
struct Line {
  double score, slope;
  std::uint32_t arc, before;
};

/// Leave of lines those that are highest somewhere, by rising slope.
void keep_highest(std::vector<Line>& lines) {
  std::ranges::stable_sort(
      lines, [](const Line& a, const Line& b) { return a.slope != b.slope ? a.slope < b.slope : a.score > b.score; });
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

/// The envelopes of all nodes of a graph, from the first to the last.
class Envelopes {
 public:
  Envelopes(const graph::Hypergraph& graph, std::span<const double> scores, std::span<const double> slopes)
      : graph_(graph), scores_(scores), slopes_(slopes) {}

  std::vector<EnvelopeLine> run() {
    lines_ = {{0, 0, 0, 0}};
    first_ = {0, 1};
    std::vector<Line> here;
    for (std::size_t node = 1; node < graph_.n_nodes(); ++node) {
      here.clear();
      for (std::uint32_t arc = graph_.arc_offsets()[node]; arc < graph_.arc_offsets()[node + 1]; ++arc)
        extend(arc, here);
      keep_highest(here);
      lines_.insert(lines_.end(), here.begin(), here.end());
      first_.push_back(static_cast<std::uint32_t>(lines_.size()));
    }
    std::vector<EnvelopeLine> all;
    for (std::uint32_t i = first_[graph_.n_nodes() - 1]; i < first_[graph_.n_nodes()]; ++i) {
      all.push_back({lines_[i].score, lines_[i].slope, path_of(i)});
    }
    return all;
  }

 private:
  void extend(std::uint32_t arc, std::vector<Line>& here) {
    const auto tails = graph_.tails(arc);
    if (tails.size() == 1) {
      for (std::uint32_t i = first_[tails[0]]; i < first_[tails[0] + 1]; ++i) {
        here.push_back({lines_[i].score + scores_[arc], lines_[i].slope + slopes_[arc], arc, i});
      }
      return;
    }
    join(arc, tails, here);
  }

  /// The sum of envelopes: from the left, whichever of the tails is overtaken first goes on to its next line.
  void join(std::uint32_t arc, std::span<const std::uint32_t> tails, std::vector<Line>& here) {
    std::vector<std::uint32_t> at;
    for (const auto tail : tails) at.push_back(first_[tail]);
    while (true) {
      Line sum{scores_[arc], slopes_[arc], arc, static_cast<std::uint32_t>(befores_.size())};
      for (const auto i : at) {
        sum.score += lines_[i].score;
        sum.slope += lines_[i].slope;
      }
      befores_.insert(befores_.end(), at.begin(), at.end());
      here.push_back(sum);
      std::size_t next = tails.size();
      double soonest = 0;
      for (std::size_t k = 0; k < tails.size(); ++k) {
        if (at[k] + 1 == first_[tails[k] + 1]) continue;
        const Line &now = lines_[at[k]], &then = lines_[at[k] + 1];
        const double crossing = (now.score - then.score) / (then.slope - now.slope);
        if (next == tails.size() || crossing < soonest) next = k, soonest = crossing;
      }
      if (next == tails.size()) return;
      ++at[next];
    }
  }

  graph::Path path_of(std::uint32_t line) const {
    graph::Path path;
    path.score = lines_[line].score;
    std::vector<std::uint32_t> open{line};
    while (!open.empty()) {
      const std::uint32_t at = open.back();
      open.pop_back();
      if (at == 0) continue;  // the beginning
      const Line& here = lines_[at];
      path.arcs.push_back(here.arc);
      const std::size_t n = graph_.tails(here.arc).size();
      for (std::size_t k = 0; k < n; ++k) open.push_back(n == 1 ? here.before : befores_[here.before + k]);
    }
    std::ranges::reverse(path.arcs);
    return path;
  }

  const graph::Hypergraph& graph_;
  std::span<const double> scores_, slopes_;
  std::vector<Line> lines_;  // of all nodes, one after the other
  std::vector<std::uint32_t> first_, befores_;
};

}  // namespace

std::vector<EnvelopeLine> envelope(const graph::Hypergraph& graph, std::span<const double> scores,
                                   std::span<const double> slopes) {
  return graph.n_nodes() == 0 ? std::vector<EnvelopeLine>() : Envelopes(graph, scores, slopes).run();
}

}  // namespace dragoman::tune
