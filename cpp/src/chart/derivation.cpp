#include "derivation.hpp"

#include <algorithm>

namespace dragoman::chart {

std::vector<Said> said_by(std::span<const Arc* const> arcs) {
  using Words = std::vector<Said>;
  return folded<Words>(arcs, {}, [](const Arc& arc, std::span<Words> parts) {
    const auto target = arc.rule->target;
    if (target.empty()) return Words{{&arc, Said::kNothing}};
    Words all;
    for (std::uint32_t i = 0; i < target.size(); ++i) {
      if (!graph::is_gap(target[i])) {
        all.push_back({&arc, i});
        continue;
      }
      Words& part = parts[graph::tail_of(target[i])];
      // What is glued so far grows at its end.
      if (all.empty()) {
        all = std::move(part);
      } else {
        all.insert(all.end(), part.begin(), part.end());
      }
    }
    return all;
  });
}

bool is_put_in(const Arc& arc) {
  return arc.rule->number == RuleUse::kNoRule && !arc.rule->is_glue && !arc.tails.empty();
}

Span source_of(const Arc& arc) {
  if (!is_put_in(arc)) return arc.span;
  const auto end = std::max<std::uint16_t>(1, arc.span.end);
  return {static_cast<std::uint16_t>(end - 1), end};
}

std::vector<Link> links_at(const Arc& arc) {
  std::vector<Link> links;
  if (arc.rule->links.empty()) return links;
  std::vector<std::uint32_t> places;  // by symbol of the source side
  std::size_t tail = 0;
  for (std::uint32_t at = arc.span.begin; at < arc.span.end;) {
    places.push_back(at - arc.span.begin);
    const bool is_gap = tail < arc.tails.size() && arc.tails[tail]->span.begin == at;
    at = is_gap ? arc.tails[tail++]->span.end : at + 1;
  }
  for (const Link link : arc.rule->links) {
    if (link.source >= places.size() || places[link.source] > 255) continue;
    links.push_back({static_cast<std::uint8_t>(places[link.source]), link.target});
  }
  return links;
}

}  // namespace dragoman::chart
