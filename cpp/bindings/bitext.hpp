#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "arrays.hpp"
#include "dragoman/align/bitext.hpp"
#include "dragoman/align/lexical_table.hpp"
#include "dragoman/core/errors.hpp"

namespace dragoman::bindings {

using Ids = Input<align::TokenId, 1>;
using Offsets = Input<std::int64_t, 1>;
using Points = Input<std::int32_t, 2>;

template <class Array>
auto view(const Array& array) {
  return std::span(array.data(), array.size());
}

/// Both sides of a bitext, with the links known in it, as one object: the arrays live as long as it does.
struct Bitext {
  Ids source, target;
  Offsets source_offsets, target_offsets;
  Points anchor_points;
  Offsets anchor_offsets;

  align::Side from() const { return {view(source), view(source_offsets)}; }
  align::Side to() const { return {view(target), view(target_offsets)}; }
  align::Anchors anchors() const { return {view(anchor_points), view(anchor_offsets)}; }
};

inline void check(const Bitext& bitext) {
  if (bitext.source_offsets.size() != bitext.target_offsets.size()) {
    throw data_error("Source and target must have the same number of lines.");
  }
  const std::size_t n = bitext.from().size();
  if (bitext.anchor_offsets.size() != 0 && bitext.anchor_offsets.size() != n + 1) {
    throw data_error("Anchors must come for every line, or for none.");
  }
  for (std::size_t i = 0; i < n; ++i) {
    const auto points = bitext.anchors().sentence(i);
    for (std::size_t k = 0; k < points.size(); k += 2) {
      const auto n_source = static_cast<std::int64_t>(bitext.from().sentence(i).size());
      const auto n_target = static_cast<std::int64_t>(bitext.to().sentence(i).size());
      if (points[k] < 0 || points[k + 1] < 0 || points[k] >= n_source || points[k + 1] >= n_target) {
        throw data_error("Line " + std::to_string(i + 1) + ": the link " + std::to_string(points[k]) + "-" +
                         std::to_string(points[k + 1]) + " leads beyond the sentences, which have " +
                         std::to_string(n_source) + " and " + std::to_string(n_target) + " words.");
      }
    }
  }
}

/// Rows, targets and probabilities of a table.
struct Table {
  Offsets rows;
  Ids targets;
  Input<float, 1> p;
  align::TableView get() const { return {view(rows), view(targets), view(p)}; }
};

}  // namespace dragoman::bindings
