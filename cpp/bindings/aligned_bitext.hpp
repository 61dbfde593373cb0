#pragma once

#include "arrays.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/phrase/extract.hpp"

namespace dragoman::bindings {

/// A bitext and its links; the arrays must live as long as it does.
inline phrase::AlignedBitext bitext_of(const Input<phrase::TokenId, 1>& source,
                                       const Input<std::int64_t, 1>& source_offsets,
                                       const Input<phrase::TokenId, 1>& target,
                                       const Input<std::int64_t, 1>& target_offsets,
                                       const Input<std::uint16_t, 2>& points,
                                       const Input<std::int64_t, 1>& point_offsets) {
  if (source_offsets.size() != target_offsets.size() || source_offsets.size() != point_offsets.size()) {
    throw data_error("Source, target and alignment must have one line for each sentence pair.");
  }
  return {span_of(source),
          span_of(target),
          span_of(source_offsets),
          span_of(target_offsets),
          {reinterpret_cast<const phrase::Point*>(points.data()), points.shape(0)},
          span_of(point_offsets)};
}

}  // namespace dragoman::bindings
