#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "arrays.hpp"
#include "dragoman/core/errors.hpp"

namespace dragoman::bindings {

using Ids = Input<std::int32_t, 1>;
using Offsets = Input<std::int64_t, 1>;

/// Runs of ids laid end to end: run i is [offsets[i], offsets[i + 1]).
struct Runs {
  std::span<const std::int32_t> ids;
  std::span<const std::int64_t> offsets;

  Runs(const Ids& values, const Offsets& bounds) : ids(span_of(values)), offsets(span_of(bounds)) {
    if (offsets.empty() || offsets.front() != 0 || offsets.back() != static_cast<std::int64_t>(ids.size()) ||
        !std::ranges::is_sorted(offsets)) {
      throw data_error("The offsets must rise from 0 to the number of ids.");
    }
  }

  void check_ids(std::size_t n_words) const {
    const auto is_known = [&](std::int32_t id) { return id >= 0 && static_cast<std::size_t>(id) < n_words; };
    if (!std::ranges::all_of(ids, is_known)) throw data_error("There is an id of no word of the vocabulary.");
  }

  std::size_t size() const { return offsets.size() - 1; }

  std::span<const std::int32_t> operator[](std::size_t i) const {
    const auto first = static_cast<std::size_t>(offsets[i]);
    return ids.subspan(first, static_cast<std::size_t>(offsets[i + 1]) - first);
  }
};

}  // namespace dragoman::bindings
