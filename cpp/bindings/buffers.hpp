#pragma once

#include <string_view>
#include <vector>

#include "arrays.hpp"
#include "dragoman/core/bytes.hpp"
#include "dragoman/phrase/link_counts.hpp"

// What passes between the steps of an extraction in parts, as it comes from Python.
namespace dragoman::bindings {

using Buffer = Input<std::uint8_t, 1>;
using Counts = Input<std::uint64_t, 1>;

inline std::string_view text_of(const Buffer& buffer) {
  return {reinterpret_cast<const char*>(buffer.data()), buffer.size()};
}

inline std::vector<std::string_view> views(const std::vector<Buffer>& buffers) {
  std::vector<std::string_view> all;
  for (const Buffer& buffer : buffers) all.push_back(text_of(buffer));
  return all;
}

inline nb::list list_of(const std::vector<Bytes>& runs) {
  nb::list list;
  for (const Bytes& run : runs) list.append(nb::bytes(run.data(), run.size()));
  return list;
}

/// Counts of links.
struct LinkCounts {
  Counts slots, source_totals, target_totals;
  phrase::LinkCountsView get() const { return {span_of(slots), span_of(source_totals), span_of(target_totals)}; }
};

}  // namespace dragoman::bindings
