#include "dragoman/align/symmetrise.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"

namespace dragoman::align {

namespace {

/// The links of one sentence pair while they grow.
class Grid {
 public:
  void set(std::span<const std::int32_t> forward, std::span<const std::int32_t> backward) {
    set_size(backward.size(), forward.size());
    forward_.assign(n_source_ * n_target_, false);
    backward_.assign(n_source_ * n_target_, false);
    for (std::size_t t = 0; t < n_target_; ++t) {
      if (forward[t] != kNull) forward_[at(static_cast<std::size_t>(forward[t]), t)] = true;
    }
    for (std::size_t s = 0; s < n_source_; ++s) {
      if (backward[s] != kNull) backward_[at(s, static_cast<std::size_t>(backward[s]))] = true;
    }
  }

  void take(bool either) {
    for (std::size_t s = 0; s < n_source_; ++s) {
      for (std::size_t t = 0; t < n_target_; ++t) {
        const bool f = forward_[at(s, t)], b = backward_[at(s, t)];
        if (either ? f || b : f && b) link(s, t);
      }
    }
  }

  /// Links of the union that touch, also at a corner, one that is there and bring in a word that has none.
  void grow_diag() {
    static constexpr std::array<std::array<int, 2>, 8> kNeighbours = {
        {{-1, 0}, {0, -1}, {1, 0}, {0, 1}, {-1, -1}, {-1, 1}, {1, -1}, {1, 1}}};
    for (bool grown = true; grown;) {
      grown = false;
      for (std::size_t t = 0; t < n_target_; ++t) {
        for (std::size_t s = 0; s < n_source_; ++s) {
          if (!links_[at(s, t)]) continue;
          for (const auto& [ds, dt] : kNeighbours) {
            const std::size_t near_s = s + static_cast<std::size_t>(ds), near_t = t + static_cast<std::size_t>(dt);
            if (near_s >= n_source_ || near_t >= n_target_ || links_[at(near_s, near_t)]) continue;
            if (source_linked_[near_s] && target_linked_[near_t]) continue;
            if (!forward_[at(near_s, near_t)] && !backward_[at(near_s, near_t)]) continue;
            link(near_s, near_t);
            grown = true;
          }
        }
      }
    }
  }

  /// Links of one direction that bring in a word without a link, or two (`both`).
  void final(const std::vector<bool>& direction, bool both) {
    for (std::size_t s = 0; s < n_source_; ++s) {
      for (std::size_t t = 0; t < n_target_; ++t) {
        if (links_[at(s, t)] || !direction[at(s, t)]) continue;
        const bool wanted = both ? !source_linked_[s] && !target_linked_[t] : !source_linked_[s] || !target_linked_[t];
        if (wanted) link(s, t);
      }
    }
  }

  /// What is known stays, and what contradicts it goes.
  void keep(std::span<const std::int32_t> anchors) {
    if (anchors.empty()) return;
    mask_.set(anchors, n_source_, n_target_);
    for (std::size_t k = 0; k < links_.size(); ++k) links_[k] = links_[k] && mask_.allowed()[n_target_ + k];
    for (std::size_t k = 0; k < anchors.size(); k += 2) {
      links_[at(static_cast<std::size_t>(anchors[k]), static_cast<std::size_t>(anchors[k + 1]))] = true;
    }
  }

  void set_size(std::size_t n_source, std::size_t n_target) {
    n_source_ = n_source;
    n_target_ = n_target;
    links_.assign(n_source * n_target, false);
    source_linked_.assign(n_source, false);
    target_linked_.assign(n_target, false);
  }
  void link(std::size_t s, std::size_t t) {
    links_[at(s, t)] = true;
    source_linked_[s] = true;
    target_linked_[t] = true;
  }

  const std::vector<bool>& forward() const noexcept { return forward_; }
  const std::vector<bool>& backward() const noexcept { return backward_; }

  std::size_t write(std::vector<std::uint16_t>& points) const {
    std::size_t n = 0;
    for (std::size_t s = 0; s < n_source_; ++s) {
      for (std::size_t t = 0; t < n_target_; ++t) {
        if (!links_[at(s, t)]) continue;
        points.push_back(static_cast<std::uint16_t>(s));
        points.push_back(static_cast<std::uint16_t>(t));
        ++n;
      }
    }
    return n;
  }

 private:
  std::size_t at(std::size_t s, std::size_t t) const noexcept { return s * n_target_ + t; }

  std::size_t n_source_ = 0, n_target_ = 0;
  std::vector<bool> forward_, backward_, links_, source_linked_, target_linked_;
  Mask mask_;
};

/// Sets a grid for each sentence pair and gathers what it holds.
template <class Fill>
Links gather(std::size_t n, const Anchors& anchors, unsigned n_threads, const Fill& fill) {
  std::vector<std::vector<std::uint16_t>> points(std::max<std::size_t>(1, n_threads));
  Links links;
  links.offsets.assign(n + 1, 0);
  for_each_chunk(n, n_threads, [&](const Chunk& chunk) {
    Grid grid;
    for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
      fill(i, grid);
      grid.keep(anchors.sentence(i));
      links.offsets[i + 1] = static_cast<std::int64_t>(grid.write(points[chunk.index]));
    }
  });
  for (std::size_t i = 0; i < n; ++i) links.offsets[i + 1] += links.offsets[i];
  links.points.reserve(2 * static_cast<std::size_t>(links.offsets.back()));
  for (const auto& each : points) links.points.insert(links.points.end(), each.begin(), each.end());
  return links;
}

std::size_t length(std::span<const std::int64_t> offsets, std::size_t i) {
  return static_cast<std::size_t>(offsets[i + 1] - offsets[i]);
}

void check_size(std::size_t found, std::size_t expected, const char* what) {
  if (found == expected) return;
  throw data_error("An aligner must give " + std::to_string(expected) + " " + what + ", got " + std::to_string(found) +
                   ".");
}

/// An aligner may come from another package: each word's link must lead to a word of the other side, or nowhere.
void check_links(std::span<const std::int32_t> links, std::span<const std::int64_t> own,
                 std::span<const std::int64_t> other) {
  if (own.empty()) return;
  check_size(links.size(), static_cast<std::size_t>(own.back() - own.front()), "links, one for each word");
  for (std::size_t i = 0; i + 1 < own.size(); ++i) {
    const auto n_other = static_cast<std::int32_t>(length(other, i));
    for (auto at = own[i]; at < own[i + 1]; ++at) {
      const std::int32_t link = links[static_cast<std::size_t>(at - own.front())];
      if (link >= kNull && link < n_other) continue;
      throw data_error("Sentence pair " + std::to_string(i + 1) + ": the aligner links word " +
                       std::to_string(at - own[i]) + " to word " + std::to_string(link) +
                       " of the other side, which has " + std::to_string(n_other) +
                       ". A link is a word's place, counted from 0, or -1 for none.");
    }
  }
}

}  // namespace

Links symmetrise(std::span<const std::int32_t> forward, std::span<const std::int32_t> backward,
                 std::span<const std::int64_t> source_offsets, std::span<const std::int64_t> target_offsets,
                 Symmetrisation method, const Anchors& anchors, unsigned n_threads) {
  check_links(forward, target_offsets, source_offsets);
  check_links(backward, source_offsets, target_offsets);
  const std::size_t n = source_offsets.empty() ? 0 : source_offsets.size() - 1;
  const auto part = [](std::span<const std::int32_t> all, std::span<const std::int64_t> offsets, std::size_t i) {
    return all.subspan(static_cast<std::size_t>(offsets[i] - offsets[0]), length(offsets, i));
  };
  return gather(n, anchors, n_threads, [&](std::size_t i, Grid& grid) {
    grid.set(part(forward, target_offsets, i), part(backward, source_offsets, i));
    grid.take(method == Symmetrisation::join);
    if (method >= Symmetrisation::grow_diag) grid.grow_diag();
    if (method >= Symmetrisation::grow_diag_final) {
      grid.final(grid.forward(), method == Symmetrisation::grow_diag_final_and);
      grid.final(grid.backward(), method == Symmetrisation::grow_diag_final_and);
    }
  });
}

Links join_posteriors(std::span<const float> forward, std::span<const float> backward,
                      std::span<const std::int64_t> source_offsets, std::span<const std::int64_t> target_offsets,
                      float threshold, const Anchors& anchors, unsigned n_threads, std::vector<float>* joint) {
  const std::size_t n = source_offsets.empty() ? 0 : source_offsets.size() - 1;
  std::vector<std::size_t> starts(n + 1, 0);
  for (std::size_t i = 0; i < n; ++i) starts[i + 1] = starts[i] + length(source_offsets, i) * length(target_offsets, i);
  check_size(forward.size(), starts.back(), "posteriors, one for each pair of words");
  check_size(backward.size(), starts.back(), "posteriors, one for each pair of words");
  if (joint != nullptr) joint->resize(starts.back());
  return gather(n, anchors, n_threads, [&](std::size_t i, Grid& grid) {
    const std::size_t n_source = length(source_offsets, i), n_target = length(target_offsets, i);
    grid.set_size(n_source, n_target);
    for (std::size_t s = 0; s < n_source; ++s) {
      for (std::size_t t = 0; t < n_target; ++t) {
        const float p = std::sqrt(forward[starts[i] + s * n_target + t] * backward[starts[i] + t * n_source + s]);
        if (joint != nullptr) (*joint)[starts[i] + s * n_target + t] = p;
        if (p >= threshold) grid.link(s, t);
      }
    }
  });
}

}  // namespace dragoman::align
